// Serves an agent with a new server on node:http.

import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { AgentError, explainMembers, invalidOption, isLoopback, randomHex, visible } from "@smolts/protocol";
import type { RunningServer, ServeHttpOptions } from "./serve.ts";
import { serveHandler } from "./serve-handler.ts";
import { defaultLimits } from "./serve-options.ts";
import type { Servable } from "./served-agent.ts";

const defaultPort = 8080;
const maxConnections = 4_000;

/** Serves an agent over HTTP. */
export async function serveHttp(served: Servable, options: ServeHttpOptions): Promise<RunningServer> {
  const { host = "127.0.0.1", port = defaultPort, ...handlerOptions } = options;
  const { auth, approvers, onError } = options;
  checkHost(host, auth);
  const key = auth === undefined ? randomHex() : undefined;
  const approvalKey = approvers === undefined ? randomHex() : undefined;
  const { bodyTimeoutMs, stalledMs } = { ...defaultLimits, ...options.limits };
  const handler = serveHandler(served, {
    ...handlerOptions,
    // The handler waits longer than `closeWhenStalled`, so that a stalled connection is closed
    // first. That also aborts the run.
    limits: { ...options.limits, stalledMs: stalledMs + 5_000 },
    onError: onError ?? printFailure,
    auth: auth ?? { key: key ?? randomHex() },
    approvers: approvers ?? { key: approvalKey ?? randomHex() },
  });
  const answer = getRequestListener(async (request) => inPieces(await handler(request)), {
    overrideGlobalObjects: false,
  });
  const server = createServer(
    {
      headersTimeout: bodyTimeoutMs,
      // This limit is longer than the handler's. So the handler answers first, with an error in the
      // format of the client's protocol.
      requestTimeout: bodyTimeoutMs + 5_000,
      // How often Node checks whether requests are late.
      connectionsCheckingInterval: Math.min(bodyTimeoutMs, 5_000),
      // Clients and proxies keep idle connections for a shorter time, so they close them first. If
      // the server closed a connection first, an in-flight request would be lost.
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      closeWhenStalled(response, stalledMs);
      void answer(request, response);
    },
  );
  const newest = newestResponses(server);
  refuseBadRequests(server, newest);
  // Replace the method that `server.close()` calls. Node's own version also closes connections
  // whose last response is still being written.
  server.closeIdleConnections = () => closeIdle(newest);
  server.maxConnections = maxConnections;
  await listen(server, host, port);
  let closing: Promise<void> | null = null;
  const close: RunningServer["close"] = (closeOptions) => {
    closing ??= (async () => {
      const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
      await handler.close(closeOptions);
      await writtenOrLate(newest);
      const closed = [...newest.keys()].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      for (const socket of newest.keys()) socket.destroy();
      await Promise.all([stopped, ...closed]);
    })();
    return closing;
  };
  const name = host.includes(":") ? `[${host}]` : host;
  // The cast is safe: a server that listens on a port has an address of this type.
  const url = `http://${name}:${(server.address() as AddressInfo).port}/v1`;
  const serving: RunningServer = {
    url,
    ...(key === undefined ? {} : { key }),
    ...(approvalKey === undefined ? {} : { approvalKey }),
    close,
    [Symbol.asyncDispose]: () => close(),
  };
  return explainMembers(serving, "a server", {
    methods: [["stop shutdown listen", "write await serving.close()"]],
    values: [["port address baseUrl baseURL host", "write serving.url"]],
  });
}

/** Prints a failure to standard error, with the id that the client knows. */
function printFailure(error: unknown, { id }: { readonly id: string }): void {
  // The cast is safe: the code below checks both fields.
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as Partial<AgentError>;
  const what = typeof message === "string" ? message : String(error);
  process.stderr.write(
    `smolts serve: ${id}: ${typeof code === "string" ? `${code}: ` : ""}${visible(what).replaceAll("\n", " ")}\n`,
  );
}

/**
 * Marks a stream as chunked. Without this header, the adapter delays the response headers to see
 * whether the body ends immediately.
 */
function inPieces(response: Response): Response {
  if (response.headers.get("content-type") === "text/event-stream")
    response.headers.set("transfer-encoding", "chunked");
  return response;
}

/**
 * Closes the connection of a client that reads nothing. Otherwise its response would stay in
 * memory. While a run produces nothing, its connection stays open, because no data waits to be
 * sent.
 */
function closeWhenStalled(response: ServerResponse, stalledMs: number): void {
  const { socket } = response;
  response.setTimeout(stalledMs, () => {
    if (socket && socket.writableLength > 0) socket.destroy();
    else socket?.setTimeout(stalledMs);
  });
}

/** The open connections, each with its newest response; null before its first response. */
type NewestResponses = ReadonlyMap<Duplex, ServerResponse | null>;

function newestResponses(server: Server): NewestResponses {
  const newest = new Map<Duplex, ServerResponse | null>();
  server.on("connection", (socket) => {
    newest.set(socket, null);
    socket.once("close", () => newest.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    if (newest.has(socket)) newest.set(socket, response);
  });
  return newest;
}

/**
 * Answers requests that Node's HTTP parser refuses. It does this as Node does by default, except
 * for late requests. After a busy period, Node can report a request as late although the rest of it
 * has arrived. So this function first lets Node read that data.
 */
function refuseBadRequests(server: Server, newest: NewestResponses): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const before = newest.get(socket);
    const wasComplete = before?.req.complete;
    if (error.code !== "ERR_HTTP_REQUEST_TIMEOUT") return refuse(socket, before, error);
    setImmediate(() => {
      const now = newest.get(socket);
      // If the request has arrived in the meantime, do not refuse it: the handler has its own time
      // limit.
      const hasArrived = now !== before || now?.req.complete !== wasComplete;
      if (!hasArrived) refuse(socket, now, error);
    });
  });
}

/**
 * Answers with an error status and closes the connection. If a response has begun, only closes the
 * connection.
 */
function refuse(socket: Duplex, response: ServerResponse | null | undefined, error: NodeJS.ErrnoException): void {
  const hasBegun = response?.headersSent && !response.writableFinished;
  const status = refusals[error.code ?? ""] ?? "400 Bad Request";
  if (socket.writable && !hasBegun) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  socket.destroy(error);
}

const refusals: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
};

/**
 * Closes the connections that wait for their next request. A connection waits if its newest
 * response has been written: the responses before it were written earlier, because responses are
 * written in the order of their requests.
 */
function closeIdle(newest: NewestResponses): void {
  for (const [socket, response] of newest) if (response?.writableFinished && response.req.complete) socket.destroy();
}

const lastTurns = 100;

/**
 * Waits until the last responses are written, because a stream ends a little after its run. Counts
 * turns of the event loop instead of time: even in a busy process, Node reads what has arrived and
 * writes what is ready in each turn.
 */
async function writtenOrLate(newest: NewestResponses): Promise<void> {
  for (let turn = 0; turn < lastTurns; turn++) {
    closeIdle(newest);
    if ([...newest.keys()].every(({ destroyed }) => destroyed)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function checkHost(host: string, auth: ServeHttpOptions["auth"]): void {
  if (isLoopback(host) || (auth !== undefined && auth !== "none")) return;
  throw invalidOption(
    `host is "${host}", which other machines can reach, and there is no auth`,
    'pass auth: { key: "..." }, or leave host out',
  );
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program uses it" : error.message;
      const hint = "pass another port, or 0 for any free port";
      reject(new AgentError("invalid-option", `port ${port} cannot be used: ${why}`, { cause: error, hint }));
    });
    // The queue for new connections is as long as the maximum number of open connections. If the
    // queue is too short, the system resets connections.
    server.listen({ port, host, backlog: maxConnections }, resolve);
  });
}
