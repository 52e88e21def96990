import { type AdapterOptions, generate, openAICompatible } from "@smolts/models";
import type { ModelRequest } from "@smolts/protocol";
import { type ServerReply, startModelServer } from "@smolts/testing/server";
import { afterEach, expect, test, vi } from "vitest";
import { choice, message, sse } from "./ask.ts";

afterEach(() => vi.useRealTimers());

const messages = [message("user", "6 * 7?")];
const usage = { inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100, cachedInputTokens: 400 };

async function answerOf(reply: ServerReply, options: AdapterOptions, request: Partial<ModelRequest> = {}) {
  await using server = await startModelServer([reply]);
  const answer = await generate(openAICompatible("m", { ...options, baseUrl: server.url }), { messages, ...request });
  return { ...answer, sent: server.requests[0]?.body };
}

const prices: [what: string, pricing: AdapterOptions["pricing"], costUsd: number | undefined][] = [
  ["no cost without a price", undefined, undefined],
  ["the cost of input and output", { inputUsdPerMillion: 2, outputUsdPerMillion: 10 }, 0.003],
  ["less for cached input", { inputUsdPerMillion: 2, outputUsdPerMillion: 10, cachedInputUsdPerMillion: 0.5 }, 0.0024],
  ["0 for a free model", { inputUsdPerMillion: 0, outputUsdPerMillion: 0 }, 0],
];
test.each(prices)("reports %s", async (_what, pricing, costUsd) => {
  const answer = await answerOf({ text: "42", usage }, pricing ? { pricing } : {});
  if (costUsd === undefined) expect(answer.usage?.costUsd).toBeUndefined();
  else expect(answer.usage?.costUsd).toBeCloseTo(costUsd, 10);
});

const format = { name: "answer", schema: { type: "object" } };
test("sends the adapter's response format unless the request has one", async () => {
  const wire = (name: string): object => ({ type: "json_schema", json_schema: { name, schema: { type: "object" } } });
  const options = { responseFormat: format };
  expect((await answerOf("{}", options)).sent?.["response_format"]).toEqual(wire("answer"));
  const request = { responseFormat: { ...format, name: "other" } };
  expect((await answerOf("{}", options, request)).sent?.["response_format"]).toEqual(wire("other"));
});

const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }];
const toolCallKeys = { name: "action", input: "action_input" };
const call = (input: unknown): object => ({ type: "tool-call", name: "look", input });
const texts: [what: string, text: string, calls: object[]][] = [
  ["one call", '{"action": "look", "action_input": {"at": "moon"}}', [call({ at: "moon" })]],
  ["a call amid words", 'Let me see.\n```json\n{"action": "look", "action_input": {}}\n```', [call({})]],
  ["input that is JSON within JSON", '{"action": "look", "action_input": "{\\"at\\": 1}"}', [call({ at: 1 })]],
  ["a list of calls", '[{"action": "look", "action_input": {}}, {"action": "look"}]', [call({}), call({})]],
  ["no call in other JSON", '{"tool": "look"}', []],
  ["no call in words", "The moon is there.", []],
];
test.each(texts)("finds %s in the text of a model that writes its calls", async (_what, text, calls) => {
  const { message: said, finishReason } = await answerOf(text, { toolCallKeys }, { tools });
  expect(said.content.filter(({ type }) => type === "tool-call")).toMatchObject(calls);
  expect(said.content[0]).toEqual({ type: "text", text });
  expect(finishReason).toBe(calls.length > 0 ? "tool-calls" : "stop");
});

test("finds no calls in text without toolCallKeys, or if the model made native calls", async () => {
  const text = '{"action": "look", "action_input": {}}';
  expect((await answerOf(text, {}, { tools })).message.content.length).toBe(1);
  const native = await answerOf({ text, toolCalls: [{ name: "look" }] }, { toolCallKeys }, { tools });
  expect(native.message.content.filter(({ type }) => type === "tool-call").length).toBe(1);
});

test("spreads requests evenly over the minute", async () => {
  vi.useFakeTimers({ now: 0 });
  const times: number[] = [];
  const fetch = async (): Promise<Response> => {
    times.push(Date.now());
    return new Response(sse([choice({ content: "42" }, "stop")]));
  };
  const model = openAICompatible("m", { baseUrl: "http://127.0.0.1:9/v1", fetch, requestsPerMinute: 30 });
  const asking = Promise.all([1, 2, 3].map(() => generate(model, { messages })));
  await vi.advanceTimersByTimeAsync(10_000);
  await asking;
  expect(times).toEqual([0, 2_000, 4_000]);
});

test("does not wait for its turn after an abort", async () => {
  vi.useFakeTimers({ now: 0 });
  const fetch = async (): Promise<Response> => new Response(sse([choice({ content: "42" }, "stop")]));
  const model = openAICompatible("m", { baseUrl: "http://127.0.0.1:9/v1", fetch, requestsPerMinute: 1 });
  await generate(model, { messages });
  const controller = new AbortController();
  const asking = generate(model, { messages }, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(asking).rejects.toThrow("enough");
});

const wrong: [options: AdapterOptions, says: string][] = [
  [{ requestsPerMinute: 0 }, "requestsPerMinute is 0"],
  [{ pricing: { inputUsdPerMillion: -1, outputUsdPerMillion: 1 } }, "inputUsdPerMillion is -1"],
];
test.each(wrong)("refuses %o", (options, says) => {
  expect(() => openAICompatible("m", { baseUrl: "http://127.0.0.1:9/v1", ...options })).toThrow(says);
});

const reports: [what: string, first: object, last: object][] = [
  ["that increases", { prompt_tokens: 1_348, completion_tokens: 3 }, { prompt_tokens: 1_348, completion_tokens: 24 }],
  [
    "reported in two halves",
    { prompt_tokens: 1_348, completion_tokens: 0 },
    { prompt_tokens: 0, completion_tokens: 24 },
  ],
  ["told twice", { prompt_tokens: 1_348, completion_tokens: 24 }, { prompt_tokens: 1_348, completion_tokens: 24 }],
];
test.each(reports)("counts usage %s once", async (_what, first, last) => {
  const rawSse = sse([
    { ...choice({ content: "x" }), usage: first },
    { ...choice({}, "stop"), usage: last },
  ]);
  const answer = await answerOf({ rawSse }, {});
  expect(answer.usage).toEqual({ inputTokens: 1_348, outputTokens: 24, totalTokens: 1_372 });
});
