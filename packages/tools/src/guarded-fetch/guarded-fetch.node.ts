// Sends one request in Node. Resolves the host name, checks all its addresses, connects only to a
// checked address, and reads a limited amount.

import { lookup } from "node:dns/promises";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { rootCertificates } from "node:tls";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { untilAborted } from "@smolts/protocol";
// Import the file by its path. If the code imported `undici`, Bun would load its own version, which
// cannot connect to an address that this file chooses.
import { buildConnector, Client } from "undici/index.js";
import { refusedRange } from "./guarded-address.ts";
import { type Endpoint, type Hop, type HopAnswer, isRedirect, type ResolveName } from "./guarded-hop.ts";
import { addressInUrl, isAllowedOrigin, portOf, refusal } from "./guarded-url.ts";

/** Sends one request. Resolves the host name, and connects only to an address that was checked. */
export async function sendHop(hop: Hop): Promise<HopAnswer> {
  const { url, method, headers, body, signal, authorities } = hop;
  const endpoints = await resolveEndpoints(hop);
  // Create a client for each request. So the request never uses a connection that was opened for
  // another name, and it ignores proxies from the environment.
  const client = new Client(url.origin, { connect: connectTo(endpoints, authorities), maxHeaderSize: 65_536 });
  try {
    const response = await client.request({
      path: `${url.pathname}${url.search}`,
      // The type lists only known methods; undici checks the value.
      method: method as "GET",
      headers: { "accept-encoding": "gzip, br", "user-agent": "smolts", ...headers },
      body: body ?? null,
      signal,
    });
    const received = toHeaders(response.headers);
    const skipsBody = isRedirect(response.statusCode, received);
    const bytes = skipsBody ? null : await readBody(response.body, received, hop);
    return { status: response.statusCode, headers: received, body: bytes };
  } finally {
    // Not awaited: the rest of the body may never end, and it is not needed.
    client.destroy().catch(() => {});
  }
}

async function resolveEndpoints({
  url,
  policy,
  resolve = resolveBySystem,
  dial,
  signal,
}: Hop): Promise<readonly Endpoint[]> {
  const addresses = await addressesOf(url, resolve, signal);
  const isTrusted = isAllowedOrigin(url, policy);
  // If one address of a name is refused, the whole name is refused. A name that leads to a private
  // address is not trusted, even if its other addresses are public.
  const refused = isTrusted ? undefined : addresses.map(refusedRange).find((range) => range !== undefined);
  if (refused !== undefined) throw refusal(url, `its name resolves to an address that is not public (${refused})`);
  const port = portOf(url);
  return addresses.map((address) => (dial && !isTrusted ? dial({ address, port }) : { address, port }));
}

async function addressesOf(url: URL, resolve: ResolveName, signal: AbortSignal): Promise<readonly string[]> {
  const literal = addressInUrl(url);
  if (literal !== undefined) return [literal];
  // A look-up of a name cannot be cancelled.
  const addresses = await untilAborted(resolve(url.hostname, { signal }), signal);
  if (addresses.length === 0) throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
  return addresses;
}

const resolveBySystem: ResolveName = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

/**
 * Connects to the first endpoint that answers. The host name is used only to check the certificate.
 */
function connectTo(endpoints: readonly Endpoint[], authorities: readonly string[]): buildConnector.connector {
  // The option `ca` replaces the platform's list, so the platform's certificates must be added.
  const trusted = authorities.length === 0 ? {} : { ca: [...rootCertificates, ...authorities] };
  const connect = buildConnector({ timeout: 10_000, ...trusted });
  return (options, callback) => {
    const attempt = (index: number): void => {
      const endpoint = endpoints[index];
      if (!endpoint) return callback(new Error("no address answers"), null);
      connect({ ...options, hostname: endpoint.address, port: String(endpoint.port) }, (...outcome) => {
        const [error] = outcome;
        if (error && index + 1 < endpoints.length) return attempt(index + 1);
        callback(...outcome);
      });
    };
    attempt(0);
  };
}

function toHeaders(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received)) {
    for (const value of [values ?? []].flat()) {
      // Drops values that the standard `Headers` object refuses, because no caller could read them.
      if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) headers.append(name, value);
    }
  }
  return headers;
}

async function readBody(
  stream: Readable,
  headers: Headers,
  { url, signal, maxBytes }: Hop,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooMuch = () => refusal(url, `it sends more than ${maxBytes} bytes`, "fetch something smaller");
  if (Number(headers.get("content-length") ?? 0) > maxBytes) throw tooMuch();
  const chunks: Uint8Array[] = [];
  const decoder = decoderOf(headers, url);
  // Count the bytes both before and after decompression. A small body may decompress to a large
  // one, and an endless body may decompress to nothing.
  const counted = countUpTo(maxBytes, tooMuch);
  const collect = collectInto(chunks);
  if (decoder) await pipeline(stream, counted, decoder, counted, collect, { signal });
  else await pipeline(stream, counted, collect, { signal });
  return new Uint8Array(Buffer.concat(chunks));
}

function decoderOf(headers: Headers, url: URL): Transform | undefined {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  // With `Z_SYNC_FLUSH`, a truncated body is decompressed up to its end, as in browsers.
  const options = { finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip(options);
    case "deflate":
      return createInflate(options);
    case "br":
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw refusal(url, `its content encoding is "${encoding.slice(0, 40)}"`, "give another address");
  }
}

function countUpTo(maxBytes: number, tooMuch: () => Error) {
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooMuch();
      yield chunk;
    }
  };
}

function collectInto(chunks: Uint8Array[]) {
  return async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) chunks.push(chunk);
  };
}
