import { pipelineTool, transformers } from "@smolts/model-transformers";
import { generate } from "@smolts/models";
import type { ChatMessage, ModelRequest } from "@smolts/protocol";
import { modelContract } from "@smolts/testing";
import { describe, expect, test } from "vitest";
import { type FakeOptions, fakeLibrary } from "./fake-library.ts";

const user = (text: string): ChatMessage => ({ role: "user", content: [{ type: "text", text }] });
const request: ModelRequest = { messages: [user("6 * 7?")] };

function modelOf(options: FakeOptions) {
  const fake = fakeLibrary(options);
  return { ...fake, model: transformers("test/model", { library: fake.library }) };
}

describe("a local model keeps the contract of models", () => {
  const cases = modelContract(async ({ type, text }) => ({
    model: modelOf({ text, hangs: type === "slow", ...(type === "broken" && { failsAfter: 5 }) }).model,
  }));
  for (const { title, run } of cases) test(title, run);
});

test("reports the tokens of prompt and answer, and why it ended", async () => {
  const answer = await generate(modelOf({ text: "forty-two." }).model, request);
  expect(answer).toMatchObject({ finishReason: "stop", usage: { inputTokens: 8, outputTokens: 2, totalTokens: 10 } });
  const cut = await generate(modelOf({ text: "forty-two." }).model, { ...request, maxOutputTokens: 1 });
  expect(cut).toMatchObject({ finishReason: "length", usage: { outputTokens: 1 } });
});

test("computes answers one at a time", async () => {
  const { model, mostAtOnce } = modelOf({ text: "one two three four five" });
  await Promise.all([generate(model, request), generate(model, request), generate(model, request)]);
  expect(mostAtOnce()).toBe(1);
});

test("stops the engine at a stop sequence, and when the reader leaves", async () => {
  const { model, tokensComputed } = modelOf({ text: `one STOP ${"and on ".repeat(100)}` });
  const answer = await generate(model, { ...request, stop: ["STOP"] });
  expect(answer.message.content).toEqual([{ type: "text", text: "one " }]);
  expect(tokensComputed()).toBeLessThan(30);
  const before = tokensComputed();
  const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
  for await (const _ of model.stream(request, options)) break;
  expect(tokensComputed() - before).toBeLessThan(5);
});

test("passes the conversation as text, with alternating speakers", async () => {
  const { model, prompts } = modelOf({ text: "ok" });
  const call: ChatMessage = {
    role: "assistant",
    content: [
      { type: "reasoning", text: "hm" },
      { type: "tool-call", id: "1", name: "look", input: { at: "x" } },
    ],
  };
  const result: ChatMessage = {
    role: "tool",
    content: [{ type: "tool-result", id: "1", output: [{ type: "text", text: "a cat" }], isError: false }],
  };
  await generate(model, {
    messages: [{ ...user("be brief"), role: "system" }, user("what?"), call, result, user("so?")],
  });
  expect(prompts[0]).toEqual([
    { role: "system", content: "be brief" },
    { role: "user", content: "what?" },
    { role: "assistant", content: 'Calling look({"at":"x"})' },
    { role: "user", content: "a cat\n\nso?" },
  ]);
});

test("samples only when a temperature is set", async () => {
  const { model, settings } = modelOf({ text: "ok" });
  await generate(model, request);
  await generate(model, { ...request, temperature: 0.7 });
  expect(settings).toMatchObject([
    { do_sample: false, max_new_tokens: 4_088 },
    { do_sample: true, temperature: 0.7 },
  ]);
});

const refused: [what: string, change: Partial<ModelRequest>][] = [
  ["tools", { tools: [{ name: "go", description: "", inputSchema: {} }] }],
  ["a response format", { responseFormat: { name: "x", schema: {} } }],
  ["an image", { messages: [{ role: "user", content: [{ type: "image", source: { url: "data:," } }] }] }],
];
test.each(refused)("refuses %s", async (_what, change) => {
  await expect(generate(modelOf({ text: "ok" }).model, { ...request, ...change })).rejects.toMatchObject({
    code: "invalid-option",
  });
});

test("reports a prompt that leaves no room for an answer", async () => {
  const { model } = modelOf({ text: "ok", contextTokens: 8 });
  await expect(generate(model, request)).rejects.toMatchObject({ code: "context-overflow" });
});

test("says what to do about a model that cannot be loaded, and tries again on the next call", async () => {
  const fake = fakeLibrary({ text: "ok" });
  let calls = 0;
  const library = async () => {
    if (++calls > 1) return fake.library();
    const broken = { from_pretrained: () => Promise.reject(new Error("404")) };
    return { ...(await fake.library()), AutoTokenizer: broken };
  };
  const model = transformers("test/model", { library });
  await expect(generate(model, request)).rejects.toThrow(/could not be loaded: 404/);
  expect((await generate(model, request)).message.content).toEqual([{ type: "text", text: "ok" }]);
});

test("a pipeline is a tool that returns plain data", async () => {
  const { library } = fakeLibrary({ text: "" });
  const tool = pipelineTool({ name: "mood", description: "The mood of a text.", task: "sentiment-analysis", library });
  const input = await tool.parseInput({ text: "all good" });
  // The cast is safe: the tool does not use its context.
  const output = await tool.execute(input, {} as Parameters<typeof tool.execute>[1]);
  expect(output).toEqual([{ label: "POSITIVE", score: 1 }]);
  expect(() => tool.parseInput({ words: "x" })).toThrow(/expected \{ text: string \}/);
});
