// Sends one request on platforms that cannot resolve names, with the platform's own `fetch` and
// without credentials. This code cannot see the address behind the host name.

import { type Hop, type HopAnswer, isRedirect } from "./guarded-hop.ts";
import { refusal } from "./guarded-url.ts";

/** Sends one request with the platform's `fetch`. */
export async function sendHop(hop: Hop): Promise<HopAnswer> {
  const { url, method, headers, body, signal } = hop;
  const response = await fetch(url, {
    method,
    headers,
    signal,
    redirect: "manual",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    ...(body === undefined ? {} : { body }),
  });
  if (response.type === "opaqueredirect") {
    throw refusal(url, "it redirects, and a browser does not say where to", "use the address that it redirects to");
  }
  const received = new Headers(response.headers);
  if (!isRedirect(response.status, received)) {
    return { status: response.status, headers: received, body: await readBody(response, hop) };
  }
  await response.body?.cancel();
  return { status: response.status, headers: received, body: null };
}

async function readBody({ body }: Response, { url, maxBytes }: Hop): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return null;
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw refusal(url, `it sends more than ${maxBytes} bytes`, "fetch something smaller");
    }
    chunks.push(next.value);
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
