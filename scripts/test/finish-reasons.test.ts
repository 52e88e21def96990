// One table for every way to a model: which words of a server say that an answer is whole, which that it was cut, and which that the server failed.

import { fromAiSdkModel } from "@smolts/model-ai-sdk";
import { openai } from "@smolts/model-openai";
import { anthropic, generate, ollama, openAICompatible } from "@smolts/models";
import type { FinishReason, Model, ModelEvent } from "@smolts/protocol";
import { describe, expect, test } from "vitest";

/** How an answer ends: with these words of the server, one after the other. */
type Words = readonly string[];

const json = (value: unknown): string => JSON.stringify(value);
const sse = (events: readonly object[]): string => events.map((event) => `data: ${json(event)}\n\n`).join("");

function fetching(body: string, mediaType = "text/event-stream"): typeof globalThis.fetch {
  return async () => new Response(body, { headers: { "content-type": mediaType } });
}

const common = { baseUrl: "http://127.0.0.1:9/v1", apiKey: "key", retries: { attempts: 1 } };

function chatBody(words: Words): string {
  const chunk = (delta: object, finish_reason: string | null): object => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  return `${sse([chunk({ content: "42" }, null), ...words.map((word) => chunk({}, word))])}data: [DONE]\n\n`;
}

function anthropicBody(words: Words): string {
  return sse([
    { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "42" } },
    { type: "content_block_stop", index: 0 },
    ...words.map((word) => ({ type: "message_delta", delta: { stop_reason: word } })),
    { type: "message_stop" },
  ]);
}

function ollamaBody([word]: Words): string {
  const line = (fields: object): string =>
    `${json({ message: { role: "assistant", content: "" }, done: false, ...fields })}\n`;
  const end = word === undefined ? "" : line({ done: true, done_reason: word });
  return line({ message: { role: "assistant", content: "42" } }) + end;
}

const chatWires: Readonly<Record<string, (words: Words) => Model>> = {
  "chat completions": (words) => openAICompatible("m", { ...common, fetch: fetching(chatBody(words)) }),
  "chat completions, whole": (words) => {
    const message = { role: "assistant", content: "42" };
    const body = json({ choices: [{ index: 0, message, finish_reason: words.at(-1) ?? null }] });
    return openAICompatible("m", { ...common, fetch: fetching(body, "application/json") });
  },
  "events announced as JSON": (words) =>
    openAICompatible("m", { ...common, fetch: fetching(chatBody(words), "application/json") }),
  "model-openai, chat": (words) => openai("m", { ...common, api: "chat", fetch: fetching(chatBody(words)) }),
  "model-openai, events announced as text": (words) =>
    openai("m", { ...common, api: "chat", fetch: fetching(chatBody(words), "text/plain") }),
  anthropic: (words) => anthropic("m", { ...common, fetch: fetching(anthropicBody(words)) }),
  ollama: (words) =>
    ollama("m", {
      ...common,
      baseUrl: "http://127.0.0.1:9",
      fetch: fetching(ollamaBody(words), "application/x-ndjson"),
    }),
  "ollama, announced as JSON": (words) =>
    ollama("m", { ...common, baseUrl: "http://127.0.0.1:9", fetch: fetching(ollamaBody(words), "application/json") }),
  "model-ai-sdk, v3": ([word]) =>
    aiSdkModel("v3", word === undefined ? undefined : { unified: ofAiSdk(word), raw: word }),
};

/** As provider packages map the words they do not know. */
const ofAiSdk = (word: string): string =>
  ["stop", "length", "content-filter", "tool-calls", "error"].includes(word) ? word : "other";

function aiSdkModel(specificationVersion: string, finishReason: unknown): Model {
  const end = finishReason === undefined ? [] : [{ type: "finish", finishReason, usage: {} }];
  const parts = [{ type: "text-delta", id: "1", delta: "42" }, ...end];
  const stream = (): ReadableStream<unknown> =>
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
  const doStream = async (): Promise<{ stream: ReadableStream<unknown> }> => ({ stream: stream() });
  return fromAiSdkModel({ specificationVersion, provider: "p", modelId: "m", doStream }, { retries: { attempts: 1 } });
}

async function endOf(model: Model): Promise<FinishReason> {
  const messages = [{ role: "user", content: [{ type: "text", text: "6 * 7?" }] }] as const;
  return (await generate(model, { messages })).finishReason;
}

const table: readonly (readonly [word: string, end: FinishReason])[] = [
  ...["stop", "STOP", "eos", "eos_token", "stop_sequence", "end_turn", "COMPLETE", "FINISH_REASON_STOP"].map(
    (word) => [word, "stop"] as const,
  ),
  ...["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length", "model_context_window_exceeded"].map(
    (word) => [word, "length"] as const,
  ),
  ...["content_filter", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "refusal", "guardrail_intervened"].map(
    (word) => [word, "content-filter"] as const,
  ),
  ...[
    "abort",
    "cancelled",
    "time_limit",
    "timeout",
    "load",
    "unload",
    "pause_turn",
    "repetition",
    "OTHER",
    "MALFORMED_FUNCTION_CALL",
    "FINISH_REASON_UNSPECIFIED",
    "insufficient_system_resource",
    "a word of next year",
  ].map((word) => [word, "other"] as const),
];

describe.each(Object.entries(chatWires))("over %s", (_wire, modelFor) => {
  test.each(table)('an answer that ends with "%s" ends with %s', async (word, end) => {
    expect(await endOf(modelFor([word]))).toBe(end);
  });

  test.each(["error", "ERROR", "network_error"])('"%s" is a failure, not an answer', async (word) => {
    await expect(endOf(modelFor([word]))).rejects.toMatchObject({
      code: "generation",
      details: { reason: "stream-error" },
    });
  });

  test("an answer without an end broke off", async () => {
    await expect(endOf(modelFor([]))).rejects.toMatchObject({ code: "generation", details: { reason: "broke-off" } });
  });
});

describe.each(["chat completions", "events announced as JSON", "model-openai, chat", "anthropic"])(
  "over %s",
  (wire) => {
    const pairs: readonly [one: string, other: string, end: FinishReason][] = [
      ["length", "stop", "length"],
      ["stop", "length", "length"],
      ["content_filter", "stop", "content-filter"],
      ["tool_calls", "stop", "tool-calls"],
      ["stop", "tool_calls", "tool-calls"],
      ["tool_calls", "length", "length"],
      ["abort", "stop", "other"],
    ];
    test.each(pairs)('"%s" followed by "%s" is %s', async (one, other, end) => {
      expect(await endOf(chatWires[wire]?.([one, other]) as Model)).toBe(end);
    });
  },
);

describe("Responses of model-openai", () => {
  const modelFor = (type: string, fields: object): Model => {
    const output = [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "42" }] }];
    const body = sse([{ type, response: { output, ...fields } }]);
    return openai("m", { ...common, fetch: fetching(body) });
  };
  const incomplete = (reason?: string): object => ({
    status: "incomplete",
    incomplete_details: reason ? { reason } : null,
  });
  const ends: readonly [what: string, type: string, fields: object, end: FinishReason][] = [
    ["completed", "response.completed", { status: "completed" }, "stop"],
    ["the limit", "response.incomplete", incomplete("max_output_tokens"), "length"],
    ["the filter", "response.incomplete", incomplete("content_filter"), "content-filter"],
    ["an unknown reason", "response.incomplete", incomplete("stop"), "other"],
    ["no reason", "response.incomplete", incomplete(), "other"],
    ["incomplete, called completed", "response.completed", incomplete("max_output_tokens"), "length"],
    ["cancelled", "response.completed", { status: "cancelled" }, "other"],
  ];
  test.each(ends)("end after %s", async (_what, type, fields, end) => {
    expect(await endOf(modelFor(type, fields))).toBe(end);
  });

  test("fail when they say so", async () => {
    const failed = { status: "failed", error: { code: "server_error", message: "gone" } };
    for (const type of ["response.failed", "response.completed"])
      await expect(endOf(modelFor(type, failed))).rejects.toMatchObject({ details: { reason: "stream-error" } });
  });
});

describe("models of the AI SDK, v2", () => {
  test.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content-filter", "content-filter"],
    ["other", "other"],
  ] as const)('end with "%s" as %s', async (word, end) => {
    expect(await endOf(aiSdkModel("v2", word))).toBe(end);
  });

  test.each(["unknown", "a word of next year", undefined])("broke off when they end with %s", async (word) => {
    await expect(endOf(aiSdkModel("v2", word))).rejects.toMatchObject({ details: { reason: "broke-off" } });
  });
});

test("a model of one's own that yields no end broke off", async () => {
  const model: Model = {
    id: "own",
    async *stream(): AsyncGenerator<ModelEvent> {
      yield { type: "text-delta", text: "42" };
    },
  };
  await expect(endOf(model)).rejects.toMatchObject({ code: "generation", details: { reason: "broke-off" } });
});
