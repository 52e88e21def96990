// The one way by which a client of an MCP server fetches. The program vouches for the server's own
// origin: it may be local, and gets its headers. Every other address was chosen by the server, such
// as where to sign in, and goes through the guard: public addresses, no header of the program's.

import type { FetchLike } from "@modelcontextprotocol/client";
import { AgentError, isLoopback } from "@smolts/protocol";
import { guardedFetch } from "@smolts/tools/guarded-fetch";
import { type McpHttpServer, serverName } from "./mcp-server.ts";

const maxMetadataBytes = 1_000_000;

/** The `fetch` of one server's client. */
export function serverFetch(server: McpHttpServer): FetchLike {
  const { headers = {}, maxBytes = 10_000_000 } = server;
  const own = new URL(server.url);
  return async (given, init = {}) => {
    const url = new URL(given);
    if (url.origin !== own.origin) return await fetchElsewhere(url, init, own);
    const sent = new Headers(init.headers);
    // Headers of the transport win: a token that was signed in for, and the session.
    for (const [name, value] of Object.entries(headers)) if (!sent.has(name)) sent.set(name, value);
    // No redirect is followed here: the transport looks at where it leads, and comes back.
    const response = await fetch(url, { ...init, headers: sent, redirect: "manual" });
    return bounded(response, maxBytes, serverName(server));
  };
}

async function fetchElsewhere(url: URL, init: RequestInit, own: URL): Promise<Response> {
  const { method = "GET", signal, body } = init;
  // A server on this machine signs in on this machine.
  const isLocal = isLoopback(own.hostname) && isLoopback(url.hostname);
  return await guardedFetch(url, {
    method,
    headers: Object.fromEntries(new Headers(init.headers)),
    withCredentials: true,
    maxBytes: maxMetadataBytes,
    ...(body === undefined || body === null ? {} : { body: textOf(body) }),
    ...(signal ? { signal } : {}),
    ...(isLocal ? { allowedOrigins: [url.origin] } : {}),
  });
}

function textOf(body: NonNullable<RequestInit["body"]>): string {
  if (typeof body === "string" || body instanceof URLSearchParams) return String(body);
  throw new AgentError("tool-execution", "a request to sign in has a body that is not a text");
}

/**
 * The response with a body that fails when a message of it is too large. Of a stream of events,
 * each is a message.
 */
function bounded(response: Response, maxBytes: number, server: string): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
  const limit = isStream ? countEvents(maxBytes, server) : countBytes(maxBytes, server);
  const body = response.body.pipeThrough(limit);
  const { status, statusText, headers } = response;
  return Object.defineProperty(new Response(body, { status, statusText, headers }), "url", { value: response.url });
}

function countBytes(maxBytes: number, server: string): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(server, maxBytes);
      controller.enqueue(chunk);
    },
  });
}

/** An event ends with an empty line. */
function countEvents(maxBytes: number, server: string): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let isLineStart = false;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        bytes++;
        if (byte === 10 && isLineStart) bytes = 0;
        if (byte !== 13) isLineStart = byte === 10;
        if (bytes > maxBytes) throw tooLarge(server, maxBytes);
      }
      controller.enqueue(chunk);
    },
  });
}

const tooLarge = (server: string, maxBytes: number): AgentError =>
  new AgentError("tool-execution", `the MCP server "${server}" sent a message of more than ${maxBytes} bytes`, {
    hint: "ask it for less, or raise maxBytes of the server",
  });
