// Tests a server that closes. Observes both ends of its connections.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connect, type Socket } from "node:net";
import { type RunningServer, type ServeHttpOptions, serve } from "@smolts/serve";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { agentOf, code, echoAgent, gate } from "./example-agents.ts";

const key = "ana-0123456789abcdef";
const patiently = { timeout: 60_000 }; // for hangs only

const wires: Wire[] = [];
/** The server's sockets. */
const accepted: Socket[] = [];
const onAccepted = (message: unknown): void => {
  // The cast is safe: Node documents this message of the channel.
  accepted.push((message as { readonly socket: Socket }).socket);
};
let serving: RunningServer | null = null;
beforeEach(() => subscribe("net.server.socket", onAccepted));
afterEach(async () => {
  vi.useRealTimers();
  unsubscribe("net.server.socket", onAccepted);
  for (const { socket } of wires.splice(0)) socket.destroy();
  await serving?.close({ graceMs: 0 });
  serving = null;
  accepted.length = 0;
});

async function served(agent: Parameters<typeof serve>[0], options: ServeHttpOptions = {}): Promise<RunningServer> {
  serving = await serve(agent, { port: 0, auth: { key }, ...options });
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
  let received = "";
  socket.setEncoding("utf8");
  socket.on("data", (piece: string) => {
    received += piece;
  });
  socket.on("error", () => {}); // "close" follows
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(received)));
  if (text !== "") socket.write(text);
  const wire = { socket, received: () => received, closed };
  wires.push(wire);
  return wire;
}

function ask(more: object = {}): string {
  const body = JSON.stringify({ model: "helper", messages: [{ role: "user", content: "Go." }], ...more });
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    "Host: localhost",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

const refusal = /^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n[\s\S]*"server_stopping"/i;
const beBusy = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);

function expectNothingOpen(count: number): void {
  expect(accepted.length).toBe(count);
  expect(accepted.filter(({ closed }) => !closed)).toEqual([]);
}

test("lets a running run end, refuses queued and later runs, and closes idle connections", async () => {
  const [begun, go] = [gate(), gate()];
  const agent = agentOf(async () => {
    begun.open();
    await go.opened;
    return code("finalAnswer('done')");
  });
  let known = 0;
  const auth = (request: Request): string | null => {
    if (!request.headers.has("authorization")) return null;
    known++;
    return "ana";
  };
  const limits = { runs: 1, queueTimeoutMs: 600_000, bodyTimeoutMs: 600_000 };
  const serving = await served(agent, { auth, limits });
  const working = open(serving, ask());
  await begun.opened;
  const waiting = open(serving, ask());
  const later = open(serving, ask().slice(0, -1));
  const idle = open(serving, "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await expect.poll(idle.received, patiently).toMatch(/^HTTP\/1\.1 401 [\s\S]*\}/);
  await expect.poll(() => known, patiently).toBe(3);
  const closing = serving.close({ graceMs: 600_000 });
  // The idle connection closes while the run continues.
  await idle.closed;
  later.socket.write("}");
  await expect.poll(later.received, patiently).toMatch(refusal);
  expect(working.received()).toBe("");
  go.open();
  await closing;
  expectNothingOpen(4);
  expect(await working.closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*"done"/);
  expect(await waiting.closed).toMatch(refusal);
  await Promise.all([serving.close(), serving.close({ graceMs: 0 }), serving[Symbol.asyncDispose]()]);
});

test("answers each run that it aborts with an error: whole answers and streams", async () => {
  const begun = gate();
  let count = 0;
  const agent = agentOf(() => {
    if (++count === 8) begun.open();
    return new Promise(() => {});
  });
  const serving = await served(agent);
  const asked = Array.from({ length: 8 }, (_, index) => open(serving, ask({ stream: index % 2 === 0 })));
  await begun.opened;
  await serving.close({ graceMs: 0 });
  expectNothingOpen(8);
  const texts = await Promise.all(asked.map(({ closed }) => closed));
  expect(texts.map((text) => text.slice(9, 12))).toEqual(["200", "422", "200", "422", "200", "422", "200", "422"]);
  for (const text of texts) expect(text).toMatch(/"error":\{"message":".*the server is stopping/);
});

test("answers the requests that it has read, even if it is busy for a while", async () => {
  const [asked, go] = [gate(), gate()];
  const auth = async (): Promise<string> => {
    asked.open();
    await go.opened;
    // Imitate a slow function, such as one that reads a file.
    await new Promise((resolve) => setImmediate(resolve));
    return "ana";
  };
  const serving = await served(echoAgent(), { auth });
  const wire = open(serving, ask());
  await asked.opened;
  const closing = serving.close();
  setImmediate(() => {
    go.open();
    beBusy();
  });
  await closing;
  expectNothingOpen(1);
  expect(await wire.closed).toMatch(refusal);
});

test("does not cut an answer that is being sent", async () => {
  // More bytes than the operating system buffers at both ends of a connection.
  const length = 2 ** 24;
  const serving = await served(agentOf(() => code(`finalAnswer('x'.repeat(${length}))`)));
  const wire = open(serving);
  const isArriving = new Promise<void>((resolve) => {
    wire.socket.once("data", () => {
      wire.socket.pause();
      resolve();
    });
  });
  wire.socket.write(ask());
  await isArriving;
  const closing = serving.close();
  wire.socket.resume();
  await closing;
  expectNothingOpen(1);
  const text = await wire.closed;
  expect(text.length).toBeGreaterThan(length);
  expect(text.slice(-300)).toMatch(/"usage":\{[\s\S]*\}\}/);
});

test("closes at once when all connections are idle", async () => {
  const serving = await served(echoAgent());
  const idle = Array.from({ length: 8 }, () => open(serving, ask()));
  for (const { received } of idle) await expect.poll(received, patiently).toMatch(/^HTTP\/1\.1 200 [\s\S]*\}$/);
  vi.useFakeTimers({ toFake: ["setTimeout"] }); // no timer fires from here on
  await serving.close();
  expectNothingOpen(8);
  await Promise.all(idle.map(({ closed }) => closed));
});

test("closes connections without a request", async () => {
  const serving = await served(echoAgent());
  const silent = ["", "POST /v1/ch", ask().slice(0, -1)].map((text) => open(serving, text));
  await expect.poll(() => accepted.length, patiently).toBe(3);
  await serving.close();
  expectNothingOpen(3);
  await Promise.all(silent.map(({ closed }) => closed));
});
