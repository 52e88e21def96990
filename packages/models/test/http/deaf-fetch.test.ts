// Tests that time limits and aborts work even if a `fetch`, a stream or a key function ignores the
// signal.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AdapterOptions, anthropic, generate, ollama, openAICompatible } from "@smolts/models";
import type { Model } from "@smolts/protocol";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { choice, message, sse } from "../ask.ts";

const request = { messages: [message("user", "6 * 7?")] };
const limits: AdapterOptions = {
  baseUrl: "http://127.0.0.1:9/v1",
  apiKey: "key",
  retries: { attempts: 1 },
  timeouts: { firstEventMs: 30, idleMs: 30 },
};

const never = <Value>(): Promise<Value> => new Promise(() => {});

/** A body that sends some text, never ends, and ignores that it was cancelled. */
function endless(text = ""): ReadableStream<Uint8Array> {
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

/** A body that sends some text, and then keeps the connection alive forever. */
function keptAlive(text: string, ping: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: async (controller) => {
      await new Promise((resolve) => setImmediate(resolve));
      controller.enqueue(new TextEncoder().encode(ping));
    },
  });
}

const deaf: readonly [what: string, fetch: typeof globalThis.fetch][] = [
  ["a fetch that never settles", () => never()],
  ["a stream without a piece", answering("", "text/event-stream")],
  ["a stream that stops in the middle of a piece", answering('data: {"cho', "text/event-stream")],
  ["a whole answer that never ends", answering("{", "application/json")],
  ["a page that never ends", answering("<html>", "text/html")],
  ["a refusal that never ends", answering("{", "application/json", 400)],
];

const wires: readonly [name: string, modelFor: (options: AdapterOptions) => Model][] = [
  ["chat completions", (options) => openAICompatible("m", options)],
  ["anthropic", (options) => anthropic("m", options)],
  ["ollama", (options) => ollama("m", options)],
];

describe.each(wires)("over %s", (_name, modelFor) => {
  test.each(deaf)("firstEventMs ends the wait for %s", async (_what, fetch) => {
    await expect(generate(modelFor({ ...limits, fetch }), request)).rejects.toMatchObject({
      code: "generation",
      details: { reason: "timeout" },
    });
  });

  test.each(deaf)("an abort ends the wait for %s", async (_what, fetch) => {
    const abort = new AbortController();
    const options = { ...limits, timeouts: { firstEventMs: 0, idleMs: 0 }, fetch };
    const answer = generate(modelFor(options), request, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 10);
    await expect(answer).rejects.toThrow("enough");
  });

  test("an abort ends the wait for a key", async () => {
    const abort = new AbortController();
    const answer = generate(modelFor({ ...limits, apiKey: () => never() }), request, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 10);
    await expect(answer).rejects.toThrow("enough");
  });
});

test("idleMs ends the wait for the rest of a stream that ignores the signal", async () => {
  const fetch = answering(sse([choice({ content: "so" })], ""), "text/event-stream");
  await expect(generate(openAICompatible("m", { ...limits, fetch }), request)).rejects.toThrow("fell silent for 30 ms");
});

test("an answer is returned even if its stream never closes", async () => {
  const fetch = answering(sse([choice({ content: "42" }, "stop")]), "text/event-stream");
  const { message: said } = await generate(openAICompatible("m", { ...limits, fetch }), request);
  expect(said.content).toEqual([{ type: "text", text: "42" }]);
});

test("requests to a server that claims gzip and sends plain text fail within the time limit", async () => {
  const play = (response: ServerResponse): void => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    response.write(sse([choice({ content: "42" }, "stop")]));
    // The server never ends the response.
  };
  const server = createServer((asked, response) => asked.resume().on("end", () => play(response)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const model = openAICompatible("m", { ...limits, baseUrl: `http://127.0.0.1:${port}/v1` });
  for (const _ of [1, 2, 3]) await expect(generate(model, request)).rejects.toMatchObject({ code: "generation" });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("comments that keep the connection alive do not prolong an answer without end", async () => {
  const fetch = async (): Promise<Response> =>
    new Response(keptAlive(sse([choice({ content: "hi" })], ""), ": alive\n\n"));
  await expect(generate(openAICompatible("m", { ...limits, fetch }), request)).rejects.toMatchObject({
    code: "generation",
    details: { reason: "timeout" },
  });
});

const pings: readonly [what: string, ping: string][] = [
  ["comments", ": alive\n\n"],
  ["events without content", `data: ${JSON.stringify({ choices: [] })}\n\n`],
];
test.each(pings)("an answer that has ended is complete, although %s follow without end", async (_what, ping) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const fetch = async (): Promise<Response> =>
    new Response(keptAlive(sse([choice({ content: "hi" }, "stop")], ""), ping));
  const asking = generate(openAICompatible("m", { ...limits, timeouts: {}, fetch }), request);
  let isDone = false;
  void asking.finally(() => {
    isDone = true;
  });
  // The server keeps sending while the time passes.
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect((await asking).finishReason).toBe("stop");
});

test("a fetch that returns no response is an error of the connection", async () => {
  // The cast allows a mistake that the types forbid.
  const fetch = (async () => undefined) as unknown as typeof globalThis.fetch;
  await expect(generate(openAICompatible("m", { ...limits, fetch }), request)).rejects.toMatchObject({
    code: "generation",
    details: { reason: "unreachable" },
  });
});
