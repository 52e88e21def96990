// Clients that are slow, that open many connections, or that do not speak HTTP. The tests use
// sockets, because no HTTP library sends such data.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connect, type Socket } from "node:net";
import { CodeAgent } from "@smolts/core";
import type { Model } from "@smolts/protocol";
import { type RunningServer, type ServeHttpOptions, serve } from "@smolts/serve";
import { afterEach, describe, expect, test } from "vitest";
import { agentOf, code, echoAgent, gate } from "./example-agents.ts";

const opened: RunningServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const serving of opened.splice(0)) await serving.close({ graceMs: 0 });
});

const key = "ana-0123456789abcdef";
const patiently = { timeout: 60_000 }; // for hangs only

async function served(agent: Parameters<typeof serve>[0], options: ServeHttpOptions = {}): Promise<RunningServer> {
  const serving = await serve(agent, { port: 0, auth: { key }, ...options });
  opened.push(serving);
  return serving;
}

/** A connection, with the text that it received. */
interface Wire {
  readonly socket: Socket;
  received(): string;
  readonly closed: Promise<string>;
}

function open({ url }: RunningServer, text = ""): Wire {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  let received = "";
  socket.setEncoding("utf8");
  socket.on("data", (piece: string) => {
    received += piece;
  });
  socket.on("error", () => {}); // "close" follows
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(received)));
  if (text !== "") socket.write(text);
  return { socket, received: () => received, closed };
}

const post = (path: string, body: string, headers: readonly string[] = []): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    ...(headers.length > 0 ? headers : [`Content-Length: ${Buffer.byteLength(body)}`]),
    "",
    body,
  ].join("\r\n");

const ask = (more: object = {}): string =>
  JSON.stringify({ model: "helper", messages: [{ role: "user", content: "Go." }], ...more });

/** Returns the server's end of the next connection. */
const nextAccepted = (): Promise<Socket> =>
  new Promise((resolve) => {
    const onAccepted = (message: unknown): void => {
      unsubscribe("net.server.socket", onAccepted);
      // The cast is safe: Node documents this message of the channel.
      resolve((message as { readonly socket: Socket }).socket);
    };
    subscribe("net.server.socket", onAccepted);
  });

/** Creates an agent whose model writes 32 MB, and then waits until its run is aborted. */
function chatterbox(onAbort: () => void): CodeAgent {
  const model: Model = {
    id: "test/chatterbox",
    async *stream(_messages, { signal }) {
      // Listen before writing, because the run may be aborted while the model still writes.
      signal.addEventListener("abort", onAbort);
      for (let count = 0; count < 512; count++) yield { type: "text-delta", text: "x".repeat(65_536) };
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
  return new CodeAgent({ name: "helper", model });
}

async function isAnswering(serving: RunningServer): Promise<void> {
  const response = await fetch(`${serving.url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: ask(),
  });
  expect(response.status).toBe(200);
}

describe("a slow client", () => {
  const unfinished: [what: string, text: string][] = [
    ["that sends nothing", ""],
    ["that does not end its headers", "GET /v1/models HTTP/1.1\r\nHost: local"],
  ];
  test.each(unfinished)("%s is disconnected", async (_what, text) => {
    const serving = await served(echoAgent(), { limits: { bodyTimeoutMs: 3_000 } });
    expect(await open(serving, text).closed).toMatch(/^(HTTP\/1\.1 408 |$)/);
    await isAnswering(serving);
  });

  const bodies: [what: string, path: string, error: object][] = [
    ["OpenAI's", "/v1/chat/completions", { error: { code: "request_timeout", type: "invalid_request_error" } }],
    ["A2A's", "/a2a", { jsonrpc: "2.0", error: { code: -32_600 } }],
  ];
  test.each(bodies)("that does not end its body gets %s error", async (_what, path, error) => {
    const serving = await served(echoAgent(), { limits: { bodyTimeoutMs: 200 } });
    const { received, socket } = open(serving, post(path, '{"model":', ["Content-Length: 1000"]));
    const drip = setInterval(() => socket.write(" "), 20);
    await expect.poll(received, patiently).toMatch(/^HTTP\/1\.1 408 [\s\S]*\r\n\r\n[\s\S]*\}/);
    clearInterval(drip);
    expect(JSON.parse(/\{[\s\S]*\}/.exec(received())?.[0] ?? "")).toMatchObject(error);
  });

  // Client and server are in this process, so the server reads nothing while the process is busy.
  test.each(["whole", "body"])("is not late if the server was busy when its request arrived: %s", async (late) => {
    let onRequest = (): void => {};
    const auth = (): string => {
      onRequest();
      return "ana";
    };
    const serving = await served(echoAgent(), { auth, limits: { bodyTimeoutMs: 1_000 } });
    const request = post("/v1/chat/completions", ask());
    const head = request.slice(0, request.indexOf("\r\n\r\n") + 4);
    const beBusy = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    const wire = open(serving, late === "whole" ? request : head);
    if (late === "whole") wire.socket.once("connect", beBusy);
    else {
      onRequest = () =>
        setImmediate(() => {
          wire.socket.write(request.slice(head.length));
          beBusy();
        });
    }
    await expect.poll(wire.received, patiently).toMatch(/^HTTP\/1\.1 \d+ [\s\S]*\}$/);
    expect(wire.received()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("that does not read its stream is disconnected, and its run is aborted", async () => {
    const aborted = gate();
    const serving = await served(chatterbox(aborted.open), { limits: { stalledMs: 200 } });
    const wire = open(serving);
    wire.socket.pause();
    wire.socket.write(post("/v1/chat/completions", ask({ stream: true })));
    await aborted.opened;
    wire.socket.resume();
    expect(await wire.closed).not.toContain("[DONE]");
  });

  test("that does not read its answer is disconnected", async () => {
    const begun = gate();
    const agent = agentOf(() => {
      begun.open();
      return code("finalAnswer('x'.repeat(2 ** 24))");
    });
    const serving = await served(agent, { limits: { stalledMs: 200 } });
    const accepting = nextAccepted();
    const wire = open(serving);
    wire.socket.pause();
    wire.socket.write(post("/v1/chat/completions", ask()));
    await begun.opened;
    const accepted = await accepting;
    await expect.poll(() => accepted.closed, patiently).toBe(true);
    wire.socket.resume();
    // Only bytes that were sent before the server closed the connection have arrived.
    expect((await wire.closed).length).toBeLessThan(2 ** 24);
  });

  test("that only waits while the agent works is answered", async () => {
    const agent = agentOf(async () => {
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      return code("finalAnswer('late')");
    });
    const serving = await served(agent, { limits: { stalledMs: 2_000, bodyTimeoutMs: 3_000 } });
    const { received } = open(serving, post("/v1/chat/completions", ask()));
    await expect.poll(received, patiently).toContain('"content":"late"');
  });
});

describe("many clients", () => {
  test("with 1,000 silent connections do not keep another client out", async () => {
    const serving = await served(echoAgent());
    const wires = Array.from({ length: 1_000 }, (_, index) => open(serving, index % 2 === 0 ? "" : "POST /v1/ch"));
    await Promise.all(wires.map(({ socket }) => new Promise((resolve) => socket.once("connect", resolve))));
    await isAnswering(serving);
    await serving.close({ graceMs: 0 });
    await Promise.all(wires.map(({ closed }) => closed));
  });

  test("with 1,000 requests each get an answer or are told to wait", async () => {
    const go = gate();
    const agent = agentOf(async () => {
      await go.opened;
      return code("finalAnswer('done')");
    });
    const patience = { queueTimeoutMs: 600_000, bodyTimeoutMs: 600_000 };
    const limits = { runs: 8, runsPerClient: 500, queued: 100, requestsPerMinute: 5_000, ...patience };
    const serving = await served(agent, { limits });
    const request = post("/v1/chat/completions", ask(), [`Content-Length: ${ask().length}`, "Connection: close"]);
    const wires = Array.from({ length: 1_000 }, () => open(serving, request));
    const told = (status: string): number => wires.filter(({ received }) => received().slice(9, 12) === status).length;
    await expect.poll(() => told("429"), patiently).toBe(1_000 - limits.runs - limits.queued);
    go.open();
    await Promise.all(wires.map(({ closed }) => closed));
    expect([told("200"), told("429")]).toEqual([108, 892]);
  });

  test("with the same key and large requests are refused before the requests are read", async () => {
    const serving = await served(echoAgent(), { limits: { runsPerClient: 2 } });
    const begin = () => open(serving, post("/v1/chat/completions", "{", ["Content-Length: 1000000"]));
    const wires = [begin(), begin(), begin()];
    const told = () => wires.filter(({ received }) => received().includes("rate_limit_exceeded")).length;
    await expect.poll(told, patiently).toBe(1);
    await isAnswering(serving);
  });
});

describe("a request that is too large", () => {
  test("is refused because of its Content-Length, before it arrives", async () => {
    const serving = await served(echoAgent(), { limits: { bodyBytes: 1_000 } });
    const { received } = open(serving, post("/v1/chat/completions", "{", ["Content-Length: 1000000000"]));
    await expect.poll(received, patiently).toMatch(/^HTTP\/1\.1 413 [\s\S]*"request_too_large"/);
  });

  test("is refused while it arrives, if it has no Content-Length", async () => {
    const serving = await served(echoAgent(), { limits: { bodyBytes: 1_000 } });
    const { received } = open(
      serving,
      post("/v1/chat/completions", `7d0\r\n${" ".repeat(2_000)}\r\n`, ["Transfer-Encoding: chunked"]),
    );
    await expect.poll(received, patiently).toMatch(/^HTTP\/1\.1 413 /);
    await isAnswering(serving);
  });

  test("and a request that is nested too deeply", async () => {
    const serving = await served(echoAgent());
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const chat = open(serving, post("/v1/chat/completions", `{"model":"helper","messages":${deep}}`));
    await expect.poll(chat.received, patiently).toMatch(/^HTTP\/1\.1 400 [\s\S]*nests more than 200 levels/);
    const data = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"parts":[{"data":${deep}}]}}}`;
    const a2a = open(serving, post("/a2a", data));
    await expect.poll(a2a.received, patiently).toMatch(/"code":-32600[\s\S]*nests more than 200 levels/);
  });
});

describe("bytes that are not a request", () => {
  const garbage: [what: string, text: string][] = [
    ["another protocol", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"],
    ["no version", "GET /v1/models\r\n\r\n"],
    ["two lengths", post("/v1/chat/completions", "{}", ["Content-Length: 2", "Content-Length: 3"])],
    ["a length and pieces", post("/v1/chat/completions", "{}", ["Content-Length: 2", "Transfer-Encoding: chunked"])],
    ["endless headers", `GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(100_000)}\r\n\r\n`],
    ["an invalid host", "GET /v1/models HTTP/1.1\r\nHost: a b\r\n\r\n"],
    ["an upgrade", "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"],
    ["a proxy's request", "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n"],
    ["an address of two slashes", "GET //example.org/v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["a star", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ];
  test.each(garbage)("is answered with an error, or not at all: %s", async (_what, text) => {
    const serving = await served(echoAgent());
    const wire = open(serving, text);
    wire.socket.end();
    expect(await wire.closed).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    await isAnswering(serving);
  });
});
