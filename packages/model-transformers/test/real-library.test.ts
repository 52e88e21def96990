// Tests the real library with a real but tiny model. The library is half a gigabyte, so it is not
// installed by default. Without it, these tests are skipped. To run them, install it next to this
// package: `npm install @huggingface/transformers`.

import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipelineTool, type TransformersLibrary, transformers } from "@smolts/model-transformers";
import { generate } from "@smolts/models";
import { modelContract } from "@smolts/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTinyModel, type TinyModelOptions } from "../scripts/make-tiny-model.ts";

interface RealLibrary extends TransformersLibrary {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
}

async function installed(): Promise<RealLibrary | undefined> {
  const name = "@huggingface/transformers";
  try {
    return await import(name);
  } catch {
    // If the library is not installed, the tests below are skipped.
    return undefined;
  }
}

const real = await installed();
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiny-models-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function tinyModel(options: TinyModelOptions) {
  const name = crypto.randomUUID();
  await makeTinyModel(join(folder, name), options);
  const library = async (): Promise<TransformersLibrary> => {
    if (!real) throw new Error("not installed");
    Object.assign(real.env, { allowRemoteModels: false, localModelPath: `${folder}/` });
    return real;
  };
  return { name, library, model: transformers(name, { dtype: "fp32", library }) };
}

const request = { messages: [{ role: "user", content: [{ type: "text", text: "6 * 7?" }] }] } as const;

test("the tiny model is small", async () => {
  const { name } = await tinyModel({ text: "42" });
  const files = await readdir(join(folder, name), { recursive: true });
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, name, file))).size));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2_000_000);
});

describe.skipIf(!real)("with @huggingface/transformers (skipped where it is not installed)", () => {
  const cases = modelContract(async ({ type, text }) => tinyModel({ text, breaksOff: type === "broken" }));
  for (const { title, run } of cases) test(title, run);

  test("answers in any script, with usage and a reason", async () => {
    const { model } = await tinyModel({ text: "ünï 日本語 🙂 <code>finalAnswer(42)" });
    const answer = await generate(model, { ...request, stop: ["finalAnswer(42"] });
    expect(answer.message.content).toEqual([{ type: "text", text: "ünï 日本語 🙂 <code>" }]);
    const whole = await generate(model, request);
    expect(whole.finishReason).toBe("stop");
    expect(whole.usage?.inputTokens).toBe(8);
  });

  test("reports a cut answer, and a prompt that does not fit", async () => {
    const { model } = await tinyModel({ text: "forty-two", contextTokens: 10 });
    expect((await generate(model, { ...request, maxOutputTokens: 4 })).finishReason).toBe("length");
    const long = "x".repeat(20);
    const asked = { messages: [{ role: "user", content: [{ type: "text", text: long }] }] } as const;
    await expect(generate(model, asked)).rejects.toMatchObject({ code: "context-overflow" });
  });

  test("runs a pipeline as a tool", async () => {
    const { name, library } = await tinyModel({ text: "forty-two" });
    const settings = { max_new_tokens: 20, return_full_text: false };
    const tool = pipelineTool({
      name: "go",
      description: "Goes on.",
      task: "text-generation",
      modelId: name,
      dtype: "fp32",
      library,
      settings,
    });
    // The cast is safe: the tool does not use its context.
    const output = await tool.execute({ text: "<|assistant|>" }, {} as Parameters<typeof tool.execute>[1]);
    expect(JSON.stringify(output)).toContain("forty-two");
  });
});
