import { answerOf, generate, litellm, openAICompatible } from "@smolts/models";
import type { ContentPart, ModelEvent } from "@smolts/protocol";
import { modelContract, scriptedModel } from "@smolts/testing";
import { startModelServer } from "@smolts/testing/server";
import { describe, expect, test } from "vitest";
import { message } from "./ask.ts";

const messages = [message("user", "6 * 7?")];

const folds: [what: string, events: ModelEvent[], content: ContentPart[]][] = [
  ["nothing", [], []],
  [
    "pieces of text",
    [
      { type: "text-delta", text: "4" },
      { type: "text-delta", text: "2" },
    ],
    [{ type: "text", text: "42" }],
  ],
  [
    "text before and after reasoning in order",
    [
      { type: "text-delta", text: "a" },
      { type: "reasoning-delta", text: "b" },
      { type: "reasoning-delta", text: "c" },
      { type: "text-delta", text: "d" },
    ],
    [
      { type: "text", text: "a" },
      { type: "reasoning", text: "bc" },
      { type: "text", text: "d" },
    ],
  ],
  [
    "a signed thought instead of its parts",
    [
      { type: "reasoning-delta", text: "hm" },
      { type: "part", part: { type: "reasoning", text: "hm", providerData: "signature" } },
    ],
    [{ type: "reasoning", text: "hm", providerData: "signature" }],
  ],
  [
    "interleaved calls in the order of their beginnings",
    [
      { type: "tool-call-delta", index: 0, id: "1", name: "a", inputText: '{"x"' },
      { type: "tool-call-delta", index: 1, id: "2", name: "b", inputText: "" },
      { type: "tool-call-delta", index: 0, inputText: ":1}" },
      { type: "text-delta", text: "so" },
    ],
    [
      { type: "tool-call", id: "1", name: "a", input: { x: 1 } },
      { type: "tool-call", id: "2", name: "b", input: {} },
      { type: "text", text: "so" },
    ],
  ],
  [
    "a call whose input is not JSON",
    [{ type: "tool-call-delta", index: 0, name: "a", inputText: "{x" }],
    [{ type: "tool-call", id: "call_1", name: "a", input: null, rawInput: "{x" }],
  ],
  [
    "nothing from a failed attempt",
    [{ type: "retry", attempt: 1, delayMs: 1, error: { code: "generation", message: "busy" } }],
    [],
  ],
];
test.each(folds)("folds %s", (_what, events, content) => {
  expect(answerOf(events).message).toEqual({ role: "assistant", content });
});

test("returns the last usage and the finish reason", () => {
  const usage = (outputTokens: number) => ({ inputTokens: 1, outputTokens, totalTokens: 1 + outputTokens });
  const { usage: told, finishReason } = answerOf([
    { type: "usage", usage: usage(1) },
    { type: "usage", usage: usage(2) },
    { type: "end", finishReason: "length" },
  ]);
  expect([told, finishReason]).toEqual([usage(2), "length"]);
});

test("works with a model that is not an adapter", async () => {
  const answer = await generate(scriptedModel([{ text: "42", usage: null }]), { messages });
  expect(answer).toEqual({
    message: { role: "assistant", content: [{ type: "text", text: "42" }] },
    usage: null,
    finishReason: "stop",
  });
});

test("fails if an image needs bytes and there is no readBlob", async () => {
  const image: ContentPart = { type: "image", source: { digest: "sha256-x", mediaType: "image/png", size: 1 } };
  const model = openAICompatible("m", { baseUrl: "http://127.0.0.1:9/v1" });
  const asking = generate(model, { messages: [message("user", [image])] });
  await expect(asking).rejects.toMatchObject({ code: "invalid-option", hint: "pass readBlob" });
});

describe("the contract of a model, over the wire", () => {
  const cases = modelContract(async (reply) => {
    const script =
      reply.type === "answer"
        ? reply.text
        : {
            text: reply.text,
            cutAfterBytes: 900,
            cutWhen: reply.whenShown,
            ...(reply.type === "slow" && { delayMs: 60_000 }),
          };
    const server = await startModelServer([script, script]);
    return { model: litellm("m", { baseUrl: server.url }), close: () => server.close() };
  });
  for (const { title, run } of cases) test(title, run);
});
