// Creates the `fetch` function of a client. How a request is sent depends on who chose its address:
// - The program chose the server's own origin. So this address may be local, and the program's
//   headers are sent.
// - The server chose all other addresses, such as the page to sign in. They are fetched with
//   `guardedFetch`, which accepts only public addresses. The program's headers are not sent.

import type { FetchLike } from "@modelcontextprotocol/client";
import { AgentError, isLoopback } from "@smolts/protocol";
import { guardedFetch } from "@smolts/tools/guarded-fetch";
import { type McpHttpServer, serverName } from "./mcp-server.ts";
import { defaultMaxBytes, tooLarge } from "./message-size.ts";

const maxMetadataBytes = 1_000_000;

/** Returns the `fetch` for the client of one server. */
export function serverFetch(server: McpHttpServer): FetchLike {
  const { headers = {}, maxBytes = defaultMaxBytes } = server;
  const own = new URL(server.url);
  return async (given, init = {}) => {
    const url = new URL(given);
    if (url.origin !== own.origin) return await fetchElsewhere(url, init, own);
    const sent = new Headers(init.headers);
    // The program's headers do not replace headers of the transport, such as a token from signing
    // in or the session id.
    for (const [name, value] of Object.entries(headers)) if (!sent.has(name)) sent.set(name, value);
    // Redirects are not followed here. The transport checks the target, and calls this function
    // again.
    const response = await fetch(url, { ...init, headers: sent, redirect: "manual" });
    return bounded(response, maxBytes, serverName(server));
  };
}

async function fetchElsewhere(url: URL, init: RequestInit, own: URL): Promise<Response> {
  const { method = "GET", signal, body } = init;
  // A server on this machine may have its sign-in page on this machine, too, so the local address
  // of that page is allowed.
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
  throw new AgentError("tool-execution", "a request to sign in has a body that is not a string");
}

/**
 * Limits the size of messages in a response: reading the body fails if a message is too large. In
 * an event stream, each event is a message.
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

/** Counts the bytes of each event in a stream. An event ends with an empty line. */
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
