import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { inspect } from "node:util";
import { type AdapterOptions, generate, litellm, ollama, openAICompatible, openai } from "@smolts/models";
import { AgentError, type ModelEvent } from "@smolts/protocol";
import { type ServerReply, type ServerReplyFunction, startModelServer } from "@smolts/testing/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { answerTo, message } from "../ask.ts";

const messages = [message("user", "6 * 7?")];
const readBlob = async (): Promise<Uint8Array> => new Uint8Array();
const once: AdapterOptions = { retries: { attempts: 1 } };
const quick: AdapterOptions = { retries: { initialDelayMs: 1, maxDelayMs: 2 } };

type Script = readonly (ServerReply | ServerReplyFunction)[] | ServerReplyFunction;

/** Returns the events of one call, and the error that it threw. */
async function eventsFrom(
  script: Script,
  options: AdapterOptions,
  signal = new AbortController().signal,
  onEvent: (event: ModelEvent) => void = () => {},
): Promise<{ events: ModelEvent[]; error: unknown; requests: number }> {
  await using server = await startModelServer(script);
  const model = openAICompatible("test-model", { baseUrl: server.url, ...options });
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of model.stream({ messages }, { signal, readBlob })) {
      events.push(event);
      onEvent(event);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { events, error, requests: server.requests.length };
}

const types = (events: readonly ModelEvent[]): readonly string[] => [...new Set(events.map(({ type }) => type))];

const bodies: [what: string, reply: ServerReply, expected: object][] = [
  [
    "the provider's message",
    { status: 400, body: { error: { message: "unknown field", type: "invalid_request_error" } } },
    { code: "generation", message: expect.stringContaining("answered 400: unknown field") },
  ],
  [
    "an error that is text",
    { status: 400, body: { error: "bad model name" } },
    { message: expect.stringContaining("400: bad model name") },
  ],
  [
    "a message without error",
    { status: 400, body: { object: "error", message: "nope" } },
    { message: expect.stringContaining("400: nope") },
  ],
  ["a detail", { status: 422, body: { detail: "Not valid" } }, { message: expect.stringContaining("422: Not valid") }],
  [
    "a list of details",
    { status: 422, body: { detail: [{ msg: "Field required" }] } },
    { message: expect.stringContaining("422: Field required") },
  ],
  [
    "a list with an error",
    { status: 400, body: [{ error: { message: "in a list" } }] },
    { message: expect.stringContaining("400: in a list") },
  ],
  ["no body", { status: 400 }, { message: expect.stringContaining("400: nothing") }],
  [
    "a hint about a missing key",
    { status: 401, body: { error: { message: "bad key" } } },
    { hint: "no key was sent: pass the option apiKey" },
  ],
  [
    "a hint about an unknown model",
    { status: 404, body: { error: { message: "no such model" } } },
    { hint: "check the model's id and baseUrl" },
  ],
  [
    "a hint about a model that a proxy does not know",
    { status: 400, body: { error: { message: "Invalid model name passed in model=nope", code: "400" } } },
    { hint: "check the model's id and baseUrl" },
  ],
  [
    "a hint about an unsupported field",
    { status: 400, body: { error: { message: "Unsupported parameter: 'stop' is not supported with this model." } } },
    { hint: 'the model does not accept "stop": pass extra: { stop: null }' },
  ],
  [
    "a full context by its code",
    { status: 400, body: { error: { message: "too much", code: "context_length_exceeded" } } },
    { code: "context-overflow", details: { reason: "status", status: 400 } },
  ],
  [
    "a full context by its words",
    { status: 400, body: { error: { message: "However, the model's context length is only 1024 tokens" } } },
    { code: "context-overflow" },
  ],
];

const fullContexts: readonly string[] = [
  "This model's maximum context length is 128000 tokens.",
  "Your input exceeds the context window of this model.",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens",
  "`inputs` must have less than 4096 tokens. Given: 5000",
  "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
  "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
  "Your request exceeded model token limit: 8192",
  "Prompt exceeds max length",
  "Range of input length should be [1, 30720]",
  "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.",
  "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
];
test.each(fullContexts)("knows a full context by the words %j", async (words) => {
  const { error } = await eventsFrom([{ status: 400, body: { error: { message: words } } }], once);
  expect(error).toMatchObject({ code: "context-overflow" });
});

const otherLimits: readonly string[] = [
  "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
  "Invalid image: exceeds maximum size",
];
test.each(otherLimits)("a full context is not meant by %j", async (words) => {
  const { error } = await eventsFrom([{ status: 400, body: { error: { message: words } } }], once);
  expect(error).toMatchObject({ code: "generation" });
});

const passingWords: readonly [words: object, status: number][] = [
  [{ type: "server_error" }, 500],
  [{ code: "rate_limit_exceeded" }, 429],
  [{ status: "RESOURCE_EXHAUSTED" }, 429],
  [{ status: "UNAVAILABLE" }, 503],
  [{ type: "overloaded" }, 503],
];
test.each(passingWords)("knows by the words %j that an error in a stream may pass", async (words, status) => {
  const asking = answerTo(`data: ${JSON.stringify({ error: { message: "not now", ...words } })}\n\n`);
  await expect(asking).rejects.toMatchObject({ details: { reason: "stream-error", status } });
});

test.each(bodies)("reports %s", async (_what, reply, expected) => {
  const { error } = await eventsFrom([reply], once);
  expect(error).toMatchObject(expected);
  expect(String(error)).toMatch(/model "test-model" at http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions/);
});

test("cuts a long message of the provider", async () => {
  const { error } = await eventsFrom([{ status: 400, body: "x".repeat(10_000) }], once);
  expect(String(error).length).toBeLessThan(2_200);
  expect(String(error)).toMatch(/x \[cut\]$/);
});

test("the hint says that the environment's key is not sent to other addresses", async () => {
  await using server = await startModelServer([{ status: 401, body: { error: { message: "who are you" } } }]);
  const asking = generate(openai("m", { ...once, baseUrl: server.url }), { messages });
  await expect(asking).rejects.toMatchObject({
    hint: "no key was sent: that of OPENAI_API_KEY goes only to https://api.openai.com; pass the option apiKey",
  });
});

/**
 * Returns a port on which nothing listens. It is the local port of an open connection, so no other
 * program can listen on it during the test.
 */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const holder = connect(portOf(server), "127.0.0.1");
  await new Promise((resolve) => holder.once("connect", resolve));
  server.close();
  onTestFinished(() => void holder.destroy());
  return holder.localPort as number; // it is connected
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server does not listen");
  return address.port;
}

const unreachable: [name: string, make: typeof ollama, path: string, hint: string][] = [
  ["Ollama", ollama, "/api/chat", 'is Ollama running? start it with "ollama serve"'],
  ["LiteLLM", litellm, "/chat/completions", "is the LiteLLM proxy running?"],
];
test.each(unreachable)("the hint says how to start %s if nothing listens", async (_name, make, path, hint) => {
  const baseUrl = `http://127.0.0.1:${await closedPort()}`;
  const asking = generate(make("some-model", { ...once, baseUrl }), { messages });
  await expect(asking).rejects.toMatchObject({
    code: "generation",
    message: `model "some-model" is unreachable at ${baseUrl}${path}: ECONNREFUSED`,
    hint: expect.stringContaining(hint),
    details: { reason: "unreachable" },
  });
});

test("reports in words that a connection took too long", async () => {
  const cause = Object.assign(new Error("Connect Timeout Error"), { code: "UND_ERR_CONNECT_TIMEOUT" });
  const fetch = async (): Promise<never> => {
    throw new TypeError("fetch failed", { cause });
  };
  const asking = generate(openAICompatible("m", { ...once, baseUrl: "http://127.0.0.1:9/v1", fetch }), { messages });
  await expect(asking).rejects.toThrow("it did not connect in time");
});

test("does not follow a redirect", async () => {
  await using target = await startModelServer(["stolen"]);
  const { error } = await eventsFrom([{ status: 307, headers: { location: `${target.url}/chat/completions` } }], {
    apiKey: "test-key-1234",
  });
  expect(error).toMatchObject({ code: "generation", hint: "set baseUrl to the server's real address" });
  expect(target.requests).toEqual([]);
});

const passing: [what: string, reply: ServerReply][] = [
  ["a 408", { status: 408 }],
  ["a 409", { status: 409 }],
  ["a 429", { status: 429 }],
  ["a 500", { status: 500 }],
  ["a 503", { status: 503 }],
  ["a stream that broke off before its first piece", { rawSse: ": starting\n\n", cutAfterBytes: 5 }],
  ["an error as the first event", { rawSse: 'data: {"error":{"message":"busy","code":"503"}}\n\n' }],
];
test.each(passing)("retries after %s, and emits an event", async (_what, reply) => {
  const { events, error, requests } = await eventsFrom([reply, "42"], quick);
  expect(error).toBeUndefined();
  expect(requests).toBe(2);
  expect(types(events)).toEqual(["retry", "text-delta", "usage", "end"]);
  expect(events[0]).toMatchObject({ type: "retry", attempt: 1, error: { code: "generation" } });
});

const lasting: [what: string, reply: ServerReply, requests: number][] = [
  ["a 400", { status: 400 }, 1],
  ["a 401", { status: 401 }, 1],
  ["a 404", { status: 404 }, 1],
  ["a full context", { status: 500, body: { error: { code: "context_length_exceeded" } } }, 1],
  ["a page", { status: 200, headers: { "content-type": "text/html" }, body: "<html>" }, 1],
  ["a third failure", { status: 503 }, 3],
  ["a wait that is too long", { status: 429, headers: { "retry-after": "61" } }, 1],
];
test.each(lasting)("gives up after %s", async (_what, reply, requests) => {
  const result = await eventsFrom(() => reply, quick);
  expect(AgentError.is(result.error)).toBe(true);
  expect(result.requests).toBe(requests);
});

test("does not retry after a part of the answer was shown", async () => {
  const piece = 'data: {"choices":[{"delta":{"content":"so far"}}]}\n\n';
  let show = (): void => {};
  const cutWhen = new Promise<void>((resolve) => {
    show = resolve;
  });
  const broken = { rawSse: [piece, piece], cutAfterBytes: piece.length + 3, cutWhen };
  const { events, error, requests } = await eventsFrom([broken, "x"], quick, undefined, show);
  expect(events).toEqual([{ type: "text-delta", text: "so far" }]);
  expect(error).toMatchObject({ code: "generation", details: { reason: "broke-off" } });
  expect(String(error)).toContain("broke off");
  expect(requests).toBe(1);
});

const waits: [headers: Record<string, string>, delayMs: number][] = [
  [{ "retry-after": "0.02" }, 20],
  [{ "retry-after-ms": "30" }, 30],
  [{ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
];
test.each(waits)("waits as long as the headers %j say", async (headers, delayMs) => {
  const { events } = await eventsFrom([{ status: 429, headers }, "42"], quick);
  expect(events[0]).toMatchObject({ type: "retry", delayMs });
});

test("waits longer after each attempt, with jitter, but not longer than the limit", async () => {
  const options = { retries: { attempts: 4, initialDelayMs: 8, maxDelayMs: 20 } };
  const { events } = await eventsFrom(() => ({ status: 503 }), options);
  const delays = events.map((event) => (event.type === "retry" ? event.delayMs : 0));
  const bounds = [8, 16, 20];
  expect(delays.length).toBe(3);
  for (const [index, longest] of bounds.entries()) {
    expect(delays[index]).toBeGreaterThanOrEqual(longest / 2);
    expect(delays[index]).toBeLessThanOrEqual(longest);
  }
});

const timeouts: [what: string, reply: ServerReply, options: AdapterOptions, says: string][] = [
  [
    "an answer without headers",
    { hang: "before-headers" },
    { timeouts: { firstEventMs: 30 } },
    "did not begin to answer within 30 ms",
  ],
  [
    "headers without an event",
    { hang: "after-headers" },
    { timeouts: { firstEventMs: 30 } },
    "did not begin to answer within 30 ms",
  ],
  [
    "an answer that stops in the middle",
    { rawSse: 'data: {"choices":[{"delta":{"content":"so"}}]}\n\n', open: true },
    { timeouts: { idleMs: 30 } },
    "fell silent for 30 ms",
  ],
];
test.each(timeouts)("does not wait forever for %s", async (_what, reply, options, says) => {
  const { error } = await eventsFrom([reply], { ...once, ...options });
  expect(error).toMatchObject({ code: "generation", details: { reason: "timeout" } });
  expect(String(error)).toContain(says);
});

test("does not count the reader's time as idle", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await using server = await startModelServer(["a text of several pieces"]);
  const model = openAICompatible("m", { baseUrl: server.url, timeouts: { idleMs: 250 } });
  let last: ModelEvent | undefined;
  for await (const event of model.stream({ messages }, { signal: new AbortController().signal, readBlob })) {
    if (!last) await vi.advanceTimersByTimeAsync(400);
    last = event;
  }
  expect(last?.type).toBe("end");
});

const moments: [when: string, script: Script, abortAt: "at once" | "text-delta" | "retry" | "later"][] = [
  ["before the request", ["42"], "at once"],
  ["while the server is silent", [{ hang: "before-headers" }], "later"],
  ["after the headers", [{ hang: "after-headers" }], "later"],
  ["in the middle of the answer", ["a text of several pieces"], "text-delta"],
  ["while it waits for the next attempt", () => ({ status: 429, headers: { "retry-after": "50" } }), "retry"],
];
test.each(moments)("stops with the signal's reason %s", async (_when, script, abortAt) => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const abort = (): void => controller.abort(reason);
  if (abortAt === "at once") abort();
  if (abortAt === "later") setTimeout(abort, 20);
  const { error, events } = await eventsFrom(script, {}, controller.signal, (event) => {
    if (event.type === abortAt) abort();
  });
  expect(error).toBe(reason);
  expect(events.some(({ type }) => type === "end")).toBe(false);
});

test("closes the connection after an abort", async () => {
  let closed: () => void = () => {};
  const whenClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const controller = new AbortController();
  const server = createServer((socket) => {
    socket.on("close", closed).on("error", () => {});
    socket.on("data", () => controller.abort(new Error("enough")));
    socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: hello\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model = openAICompatible("m", { baseUrl: `http://127.0.0.1:${portOf(server)}/v1` });
  const asking = generate(model, { messages }, { signal: controller.signal });
  await expect(asking).rejects.toThrow("enough");
  await whenClosed;
  server.close();
});

test("sends nothing before the first event is requested", async () => {
  let count = 0;
  const fetch = async (): Promise<Response> => {
    count++;
    return new Response("");
  };
  openAICompatible("m", { baseUrl: "http://127.0.0.1:9/v1", fetch }).stream(
    { messages },
    { signal: new AbortController().signal, readBlob },
  );
  await Promise.resolve();
  expect(count).toBe(0);
});

test("reuses its connection, even if the body of the answer ends a little after its last event", async () => {
  const afterMs = setTimeout;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let connections = 0;
  const server = createHttpServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"choices":[{"delta":{"content":"42"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    afterMs(() => response.end(), 10);
  }).on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model = openAICompatible("m", { baseUrl: `http://127.0.0.1:${portOf(server)}/v1` });
  for (let call = 0; call < 6; call++) await generate(model, { messages });
  server.close();
  server.closeAllConnections();
  // The platform may open a second connection before it sees that the first connection is free.
  expect(connections).toBeLessThanOrEqual(2);
});

test("no error contains one of a hundred keys, whatever the provider repeats", async () => {
  let checked = 0;
  for (let index = 0; index < 100; index++) {
    const key = `sk-${index}-${Buffer.from(`canary/${index * 7919}+é?`).toString("base64url")}${index % 2 ? "+/=%&" : "~!"}"\\`;
    const forms = [
      key,
      btoa(key),
      btoa(`user:${key}`),
      btoa(`us:${key}`),
      encodeURIComponent(key),
      JSON.stringify(key),
    ];
    for (const echo of echoes(forms)) {
      const error = await askWith(key, echo);
      const shown = [JSON.stringify(error), inspect(error, { depth: 9 }), String(error), error.stack ?? ""].join("\n");
      for (const form of [...forms, ...forms.map((text) => text.slice(3, -3))]) expect(shown).not.toContain(form);
      checked++;
    }
  }
  expect(checked).toBe(500);
});

/**
 * The ways in which a provider may repeat a key: in JSON, as text, in its stream, in a redirect, or
 * in an error of the platform.
 */
function echoes(forms: readonly string[]): readonly (() => Promise<Response>)[] {
  const text = `bad key ${forms.join(" or ")}`;
  return [
    async () => Response.json({ error: { message: text } }, { status: 401 }),
    async () => new Response(text, { status: 403 }),
    async () => new Response(`data: ${JSON.stringify({ error: { message: text } })}\n\n`),
    async () => new Response(`<html>${text}</html>`, { headers: { "content-type": "text/html" } }),
    async () => {
      throw new TypeError(text, { cause: new Error(text) });
    },
  ];
}

async function askWith(apiKey: string, fetch: () => Promise<Response>): Promise<AgentError> {
  const model = openAICompatible("m", { ...once, baseUrl: "https://provider.example/v1", apiKey, fetch });
  const error = await generate(model, { messages }).catch((reason: unknown) => reason);
  if (!AgentError.is(error)) throw new Error("no error came");
  expect(error.message).toContain("[redacted]");
  return error;
}

const elsewhere: [where: string, options: AdapterOptions][] = [
  ["a custom header", { headers: { "X-Api-Key": "canary-key" } }],
  ["a header after a word", { headers: { Authorization: "Basic canary-key" } }],
  ["the address", { baseUrl: "https://provider.example/v1?key=canary-key" }],
];
test.each(elsewhere)("no error contains a key from %s", async (_where, options) => {
  const fetch = async (): Promise<Response> => new Response("no: canary-key", { status: 401 });
  const model = openAICompatible("m", { ...once, baseUrl: "https://provider.example/v1", fetch, ...options });
  const error = await generate(model, { messages }).catch((reason: unknown) => reason);
  expect(inspect(error, { depth: 9 })).toContain("no: [redacted]");
  expect(inspect(error, { depth: 9 })).not.toContain("canary-key");
});

test("quotes only the beginning of an unexpected answer", async () => {
  const error = await answerTo(`<html>${"x".repeat(5_000)}</html>`, "text/html").catch((reason: unknown) => reason);
  expect(String(error).length).toBeLessThan(500);
});
