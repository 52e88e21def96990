// An answer reads the same however its bytes are split. If the stream breaks off, the result is an
// error or the whole answer, but never a part of the answer.

import { readdirSync, readFileSync } from "node:fs";
import { anthropic, generate, ollama, openAICompatible } from "@smolts/models";
import { AgentError } from "@smolts/protocol";
import { expect, test } from "vitest";
import { message } from "./ask.ts";
import type { Create } from "./preset.ts";

const folder = new URL("fixtures/", import.meta.url);
const streams = readdirSync(folder).filter((name) => /\.(sse|ndjson)$/.test(name));
const messages = [message("user", "go")];

function createOf(name: string): Create {
  if (name.startsWith("anthropic")) return anthropic;
  return name.startsWith("ollama") ? ollama : openAICompatible;
}

/**
 * Returns the result of a body in these pieces: the answer, or the kind of error. Ids that the
 * adapter generates are left out.
 */
async function outcomeOf(name: string, pieces: readonly Uint8Array[]): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const mediaType = name.endsWith(".sse") ? "text/event-stream" : "application/x-ndjson";
  const fetch = async (): Promise<Response> => new Response(body, { headers: { "content-type": mediaType } });
  const model = createOf(name)("m", { baseUrl: "http://127.0.0.1:9/v1", fetch, retries: { attempts: 1 } });
  try {
    return JSON.stringify(await generate(model, { messages })).replace(/call_[0-9a-f-]{36}/g, "call");
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const bytesOf = (name: string): Uint8Array => {
  const text = readFileSync(new URL(name, folder), "utf8").replace(/^#.*\n/, "");
  // Inserts characters of two, three and four bytes, and separators that some parsers treat as line
  // ends.
  return new TextEncoder().encode(text.replace("42", "4é\u2028€🐟2").replace("Let me", "Lét\u2028 me🐟"));
};

test.each(streams)("reads %s in the same way, wherever it is split", async (name) => {
  const bytes = bytesOf(name);
  const whole = await outcomeOf(name, [bytes]);
  // Split two streams at every byte: one of JSON lines, and one of server-sent events. Split the
  // other streams only at some bytes, because this saves time.
  const stride = /^(ollama-chat|openai-text)/.test(name) ? 1 : 11;
  for (let at = 1; at < bytes.length; at += stride) {
    expect(await outcomeOf(name, [bytes.subarray(0, at), bytes.subarray(at)]), `split at ${at}`).toBe(whole);
  }
  expect(
    await outcomeOf(
      name,
      [...bytes].map((byte) => Uint8Array.of(byte)),
    ),
    "byte by byte",
  ).toBe(whole);
});

test.each(streams)("never returns a part of %s as the answer, wherever it is cut", async (name) => {
  const bytes = bytesOf(name);
  const whole = JSON.parse(answerOr(await outcomeOf(name, [bytes])));
  for (let end = 0; end < bytes.length; end += 7) {
    const outcome = await outcomeOf(name, [bytes.subarray(0, end)]);
    // The usage is sent after the message, so it may be missing. Everything else must be complete.
    if (outcome.startsWith("{")) expect(JSON.parse(outcome).message, `cut at ${end}`).toEqual(whole?.message);
  }
});

const answerOr = (outcome: string): string => (outcome.startsWith("{") ? outcome : "null");
