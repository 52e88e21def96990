// Serves MCP with a new server on node:http.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { AgentError, invalidOption, isLoopback, randomHex } from "@smolts/protocol";
import { mcpHandler } from "./mcp-handler.ts";
import type { RunningMcpServer, ServeHttpOptions } from "./serve-mcp.ts";
import type { Servable } from "./served.ts";

const path = "/mcp";
const maxConnections = 1_000;
const slowestRequestMs = 30_000;

/** Starts an HTTP server that offers an agent, tools or code mode over streamable HTTP. */
export async function serveHttp(served: Servable, options: ServeHttpOptions): Promise<RunningMcpServer> {
  const { host: _, port = 0, transport: __, ...handlerOptions } = options;
  const { host = "127.0.0.1" } = options;
  checkHost(host, options);
  const key = options.auth === undefined ? randomHex() : null;
  const handler = mcpHandler(served, { ...handlerOptions, auth: options.auth ?? { key: key ?? randomHex() } });
  const listener = getRequestListener(
    (request: Request) =>
      new URL(request.url).pathname === path ? handler(request) : new Response(null, { status: 404 }),
    { overrideGlobalObjects: false },
  );
  const server = createServer({ requestTimeout: slowestRequestMs, headersTimeout: slowestRequestMs }, listener);
  server.maxConnections = maxConnections;
  await listen(server, host, port);
  let onClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      onClosed();
    })();
    return closing;
  };
  const name = host.includes(":") ? `[${host}]` : host;
  // The cast is safe: a server that listens on a port has an address of this type.
  const url = `http://${name}:${(server.address() as AddressInfo).port}${path}`;
  return { url, ...(key === null ? {} : { key }), closed, close, [Symbol.asyncDispose]: close };
}

function checkHost(host: string, { auth, hosts }: ServeHttpOptions): void {
  if (isLoopback(host)) return;
  if (auth === undefined || auth === "none" || hosts === undefined) {
    throw invalidOption(
      `host is "${host}", which other machines can reach`,
      'pass auth: { key: "..." } and hosts: ["mcp.example.com"], or leave host out',
    );
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "another program uses it" : error.message;
      reject(new AgentError("invalid-option", `port ${port} cannot be used: ${why}`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}
