import { type OpenAIOptions, openai } from "@smolts/model-openai";
import { generate } from "@smolts/models";
import { describe, expect, test } from "vitest";

const messages = [{ role: "user", content: [{ type: "text", text: "6 * 7?" }] }] as const;
const never = <Value>(): Promise<Value> => new Promise(() => {});

/** A body that sends some text, never ends, and ignores that it was cancelled. */
function endless(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: () => never(),
    cancel: () => never(),
  });
}

const answering =
  (text: string, mediaType: string, status = 200): typeof globalThis.fetch =>
  async () =>
    new Response(endless(text), { status, headers: { "content-type": mediaType } });

const deaf: readonly [what: string, fetch: typeof globalThis.fetch][] = [
  ["a fetch that never settles", () => never()],
  ["a stream without a piece", answering("", "text/event-stream")],
  ["a stream that stops in the middle", answering('data: {"choices":[]}\n\ndata: {"cho', "text/event-stream")],
  ["a whole answer that never ends", answering("{", "application/json")],
  ["a refusal that never ends", answering("{", "application/json", 400)],
];

describe.each(["chat", "responses"] as const)("over %s", (api) => {
  const options = (fetch: typeof globalThis.fetch, limitMs: number): OpenAIOptions => ({
    api,
    baseUrl: "http://127.0.0.1:9/v1",
    apiKey: "key",
    retries: { attempts: 1 },
    timeouts: { firstEventMs: limitMs, idleMs: limitMs },
    fetch,
  });

  test.each(deaf)("time limits end the wait for %s", async (_what, fetch) => {
    const answer = generate(openai("m", options(fetch, 30)), { messages });
    await expect(answer).rejects.toMatchObject({ code: "generation", details: { reason: "timeout" } });
  });

  test.each(deaf)("an abort ends the wait for %s", async (_what, fetch) => {
    const abort = new AbortController();
    const answer = generate(openai("m", options(fetch, 0)), { messages }, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 10);
    await expect(answer).rejects.toThrow("enough");
  });
});
