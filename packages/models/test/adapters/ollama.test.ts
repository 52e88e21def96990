import { generate, type OllamaOptions, ollama } from "@smolts/models";
import type { ContentPart, ModelRequest } from "@smolts/protocol";
import { startModelServer } from "@smolts/testing/server";
import { expect, test } from "vitest";
import { message } from "../ask.ts";
import { answerIn, keepsContract, replayOf } from "../preset.ts";

keepsContract(ollama);

test("reads thoughts, text and a complete call from lines", async () => {
  const { message: said, usage, finishReason } = await answerIn("ollama-chat.documented.ndjson", ollama);
  expect(said.content).toMatchObject([
    { type: "reasoning", text: "I look." },
    { type: "text", text: "Let me see." },
    { type: "tool-call", name: "look", input: { at: "moon" } },
  ]);
  expect(usage).toEqual({ inputTokens: 26, outputTokens: 12, totalTokens: 38 });
  expect(finishReason).toBe("tool-calls");
});

test("returns Ollama's call to it, and the result under the tool's name", async () => {
  const { messages } = await replayOf(await answerIn("ollama-chat.documented.ndjson", ollama), ollama);
  expect(messages).toMatchObject([
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: "Let me see.",
      thinking: "I look.",
      tool_calls: [{ function: { name: "look", arguments: { at: "moon" } } }],
    },
    { role: "tool", content: "42", tool_name: "look" },
  ]);
});

const failures: [what: string, fixture: string, status: number, expected: object][] = [
  ["an error in the stream", "ollama-error.documented.ndjson", 200, { details: { reason: "stream-error" } }],
  ["a stream that is cut", "ollama-cut.documented.ndjson", 200, { details: { reason: "broke-off" } }],
  ["a context that is full", "ollama-overflow.documented.json", 400, { code: "context-overflow" }],
];
test.each(failures)("throws %s", async (_what, fixture, status, expected) => {
  await expect(answerIn(fixture, ollama, status)).rejects.toMatchObject(expected);
});

test("does not send a prompt that cannot fit", async () => {
  await using server = await startModelServer(["ok"]);
  const model = ollama("m", { baseUrl: server.url, contextTokens: 100 });
  const asking = generate(model, { messages: [message("user", "x".repeat(1_201))] });
  await expect(asking).rejects.toMatchObject({
    code: "context-overflow",
    hint: expect.stringContaining("contextTokens"),
  });
  expect(server.requests).toEqual([]);
});

test("refuses an answer if the prompt filled the context, because the server may have cut it silently", async () => {
  const usage = { inputTokens: 100, outputTokens: 1, totalTokens: 101 };
  await using server = await startModelServer([{ text: "forgetful", usage }]);
  const asking = generate(ollama("m", { baseUrl: server.url, contextTokens: 100 }), {
    messages: [message("user", "hi")],
  });
  await expect(asking).rejects.toMatchObject({ code: "context-overflow" });
});

const image: ContentPart = { type: "image", source: { digest: "d", mediaType: "image/png", size: 5 } };
const fields: [what: string, request: Partial<ModelRequest>, options: OllamaOptions, expected: object][] = [
  ["16,384 tokens of context, never cut", {}, {}, { options: { num_ctx: 16_384 }, truncate: false, shift: false }],
  [
    "its own settings",
    { maxOutputTokens: 9, temperature: 0, stop: ["</code>"] },
    { contextTokens: 8_192, keepAlive: "10m", think: "low" },
    { options: { num_ctx: 8_192, num_predict: 9, temperature: 0, stop: ["</code>"] }, keep_alive: "10m", think: "low" },
  ],
  ["a schema", { responseFormat: { name: "a", schema: { type: "object" } } }, {}, { format: { type: "object" } }],
  [
    "images",
    { messages: [message("user", [{ type: "text", text: "what?" }, image])] },
    {},
    { messages: [{ role: "user", content: "what?", images: [btoa("bytes")] }] },
  ],
];
test.each(fields)("asks for %s", async (_what, request, options, expected) => {
  await using server = await startModelServer(["ok"]);
  const readBlob = async (): Promise<Uint8Array> => new TextEncoder().encode("bytes");
  await generate(
    ollama("m", { ...options, baseUrl: server.url }),
    { messages: [message("user", "hi")], ...request },
    { readBlob },
  );
  expect(server.requests[0]?.body).toMatchObject(expected);
});

test("continues without thinking if the model does not support it", async () => {
  const refusal = { status: 400, body: { error: '"m" does not support thinking' } };
  await using server = await startModelServer([refusal, "ok"]);
  await generate(ollama("m", { baseUrl: server.url, think: true }), { messages: [message("user", "hi")] });
  expect(server.requests.map(({ body }) => body["think"])).toEqual([true, undefined]);
});

test("can use the OpenAI-compatible API", async () => {
  await using server = await startModelServer(["ok"]);
  await generate(ollama("m", { baseUrl: server.url, api: "openai" }), { messages: [message("user", "hi")] });
  expect(server.requests[0]?.body).toMatchObject({ stream_options: { include_usage: true } });
});
