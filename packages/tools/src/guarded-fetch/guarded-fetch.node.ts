// A hop in Node: resolve, check every answer, connect to nothing but what was checked, read within
// bounds.

import { lookup } from "node:dns/promises";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { rootCertificates } from "node:tls";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
// By its file: under its name Bun gives something of its own, which has no connections that can be
// held to an address.
import { buildConnector, Client } from "undici/index.js";
import { refusedRange } from "./guarded-address.ts";
import { type Endpoint, type Hop, type HopAnswer, isRedirect, type ResolveName } from "./guarded-hop.ts";
import { addressInUrl, isAllowedOrigin, portOf, refusal } from "./guarded-url.ts";

/** Sends one request to the address that its host name stands for now. */
export async function sendHop(hop: Hop): Promise<HopAnswer> {
  const { url, method, headers, body, signal, authorities } = hop;
  const endpoints = await resolveEndpoints(hop);
  // A client of its own: no pool that another request's name could share, and no proxy of the
  // environment.
  const client = new Client(url.origin, { connect: connectTo(endpoints, authorities), maxHeaderSize: 65_536 });
  try {
    const response = await client.request({
      path: `${url.pathname}${url.search}`,
      // The method is any of a request's; undici checks it.
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
    // Not awaited: the rest of a body may never end, and nobody needs it.
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
  // One bad answer condemns the name: a resolver that mixes private addresses in is not to be
  // trusted with the rest.
  const refused = isTrusted ? undefined : addresses.map(refusedRange).find((range) => range !== undefined);
  if (refused !== undefined) throw refusal(url, `its name leads to an address that is not public (${refused})`);
  const port = portOf(url);
  return addresses.map((address) => (dial && !isTrusted ? dial({ address, port }) : { address, port }));
}

async function addressesOf(url: URL, resolve: ResolveName, signal: AbortSignal): Promise<readonly string[]> {
  const literal = addressInUrl(url);
  if (literal !== undefined) return [literal];
  const addresses = await untilAborted(resolve(url.hostname, { signal }), signal);
  if (addresses.length === 0) throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
  return addresses;
}

const resolveBySystem: ResolveName = async (hostname) => {
  const found = await lookup(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

/** A look-up cannot be stopped; what waits for it can. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * Connects to the first of the endpoints that answers. The host name only serves the certificate's
 * check.
 */
function connectTo(endpoints: readonly Endpoint[], authorities: readonly string[]): buildConnector.connector {
  // The list replaces the platform's, so it has to hold that too.
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
      // A header that no standard object can hold cannot be used by anyone.
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
  const tooMuch = () => refusal(url, `it sends more than ${maxBytes} bytes`, "give the address of something smaller");
  if (Number(headers.get("content-length") ?? 0) > maxBytes) throw tooMuch();
  const chunks: Uint8Array[] = [];
  const decoder = decoderOf(headers, url);
  // Both ends are counted: a small body may unpack to a large one, and an endless one to nothing.
  const counted = countUpTo(maxBytes, tooMuch);
  const collect = collectInto(chunks);
  if (decoder) await pipeline(stream, counted, decoder, counted, collect, { signal });
  else await pipeline(stream, counted, collect, { signal });
  return new Uint8Array(Buffer.concat(chunks));
}

function decoderOf(headers: Headers, url: URL): Transform | undefined {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  // A body that the server cut short at the end is kept, as in browsers.
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
