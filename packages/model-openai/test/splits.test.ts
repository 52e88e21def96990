// Tests with streams that break off, and with streams that are split in an unusual place, such as
// between two bytes of a character or in the middle of a line.

import { openai } from "@smolts/model-openai";
import { type Answer, generate } from "@smolts/models";
import type { ModelRequest } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import { responseEvents } from "./responses-fetch.ts";

const request: ModelRequest = { messages: [{ role: "user", content: [{ type: "text", text: "6 * 7?" }] }] };

const events = responseEvents([
  { type: "message", text: "ü\u2028日🙂" },
  { type: "function_call", call_id: "c1", name: "go", arguments: '{"a":"é"}' },
]);
const chunks: readonly object[] = [
  { choices: [{ index: 0, delta: { role: "assistant", content: "ü\u2028" }, finish_reason: null }] },
  { choices: [{ index: 0, delta: { content: "日🙂" }, finish_reason: null }] },
  {
    choices: [
      { index: 0, delta: { tool_calls: [{ index: 0, id: "c1", function: { name: "go", arguments: '{"a":' } }] } },
    ],
  },
  {
    choices: [
      { index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '"é"}' } }] }, finish_reason: null },
    ],
  },
  { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  { choices: [], usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 } },
];

const sse = (data: readonly (object | string)[], lineEnd: string): string =>
  data.map((item) => `data: ${typeof item === "string" ? item : JSON.stringify(item)}${lineEnd}${lineEnd}`).join("");

/**
 * `stride` is the distance, in bytes, between two positions at which the stream is split or breaks
 * off. A stride of 1 tests every position, but takes longer.
 */
const streams: [api: "responses" | "chat", what: string, text: string, stride: number][] = [
  ["responses", "plain", sse(events, "\n"), 3],
  ["responses", "CRLF and comments", `: ping\r\n\r\n${sse(events, "\r\n")}`, 13],
  ["chat", "plain", sse([...chunks, "[DONE]"], "\n"), 2],
  ["chat", "CRLF and comments", `: ping\r\n\r\n${sse([...chunks, "[DONE]"], "\r\n")}`, 13],
];

/** Returns the answer that is read from a stream in these pieces. Null if the call fails. */
async function answerTo(api: "responses" | "chat", pieces: readonly Uint8Array[]): Promise<Answer | null> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece);
      controller.close();
    },
  });
  const fetch = async (): Promise<Response> => new Response(body, { headers: { "content-type": "text/event-stream" } });
  const model = openai("test", { api, apiKey: "sk-splits", fetch, retries: { attempts: 1 } });
  return generate(model, request).catch((error: { readonly code?: string }) => {
    if (error.code !== "generation") throw error;
    return null;
  });
}

describe.each(streams)("%s, %s", (api, _what, text, stride) => {
  const bytes = new TextEncoder().encode(text);

  test("reads the same wherever it is split", async () => {
    const whole = await answerTo(api, [bytes]);
    expect(whole?.message.content).toEqual([
      { type: "text", text: "ü\u2028日🙂" },
      { type: "tool-call", id: "c1", name: "go", input: { a: "é" } },
    ]);
    for (let at = 1; at < bytes.length; at += stride) {
      expect(await answerTo(api, [bytes.slice(0, at), bytes.slice(at)]), `split at ${at}`).toEqual(whole);
    }
  });

  test("is a complete answer or a failure wherever it is cut", async () => {
    const whole = await answerTo(api, [bytes]);
    let failures = 0;
    for (let at = 0; at < bytes.length; at += stride) {
      const answer = await answerTo(api, [bytes.slice(0, at)]);
      if (answer === null) failures++;
      else expect(answer.message, `cut at ${at}`).toEqual(whole?.message);
    }
    expect(failures).toBeGreaterThan(bytes.length / stride / 2);
  });
});
