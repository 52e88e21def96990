// Tests for every kind of model which finish reasons of its server mean a complete answer, a cut
// answer, or a failure.

import { openai } from "@smolts/model-openai";
import type { FinishReason, Model, ModelEvent } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import {
  aiSdkModel,
  endOf,
  failureWords,
  finishTable,
  runFinishReasons,
  wires,
} from "../torture-models/finish-reasons.ts";

const common = { baseUrl: "http://127.0.0.1:9/v1", apiKey: "key", retries: { attempts: 1 } };

const sse = (events: readonly object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

const fetching =
  (body: string): typeof globalThis.fetch =>
  async () =>
    new Response(body, { headers: { "content-type": "text/event-stream" } });

test("each finish reason means the same in every wire format and framing", async () => {
  const { ends, wrongEnds } = await runFinishReasons();
  expect(wrongEnds).toEqual([]);
  expect(ends).toBeGreaterThan(1_000);
});

describe.each(Object.entries(wires))("over %s", (_wire, modelFor) => {
  test.each(finishTable)('an answer that ends with "%s" ends with %s', async (word, end) => {
    expect(await endOf(modelFor([word]))).toBe(end);
  });

  test.each(failureWords)('"%s" is a failure, not an answer', async (word) => {
    await expect(endOf(modelFor([word]))).rejects.toMatchObject({
      code: "generation",
      details: { reason: "stream-error" },
    });
  });

  test("an answer without an end counts as broken off", async () => {
    await expect(endOf(modelFor([]))).rejects.toMatchObject({ code: "generation", details: { reason: "broke-off" } });
  });
});

describe.each(["chat completions", "model-openai, chat", "anthropic"])("over %s", (wire) => {
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
    expect(await endOf(wires[wire]?.([one, other]) as Model)).toBe(end);
  });
});

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

  test.each(["unknown", "a word of next year", undefined])(
    "count as broken off when they end with %s",
    async (word) => {
      await expect(endOf(aiSdkModel("v2", word))).rejects.toMatchObject({ details: { reason: "broke-off" } });
    },
  );
});

test("a custom model that yields no end counts as broken off", async () => {
  const model: Model = {
    id: "own",
    async *stream(): AsyncGenerator<ModelEvent> {
      yield { type: "text-delta", text: "42" };
    },
  };
  await expect(endOf(model)).rejects.toMatchObject({ code: "generation", details: { reason: "broke-off" } });
});
