// Runs every case against HTTP servers and a DNS server on loopback. A forbidden address counts as
// reached if the guard is about to connect to it, or if the server that imitates the private
// network gets a request.

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Endpoint, type GuardedFetchOptions, guardedFetch } from "@smolts/tools/guarded-fetch";
import { startLoopbackDns } from "./loopback-dns.ts";
import { forbiddenCases, forbiddenForms, publicUrls } from "./ssrf-cases.ts";

/** The results of all tries. */
export interface SsrfFigures {
  /** The number of tries. Each forbidden URL is tried in three ways. */
  readonly cases: number;
  /** Descriptions of the tries that reached a forbidden address. */
  readonly through: readonly string[];
  /** The number of public URLs that were tried. */
  readonly publicForms: number;
  /** Public URLs that were refused or failed, with the reason. */
  readonly falseRefusals: readonly string[];
}

const publicAddress = "93.184.216.34";

/** Tries all cases. */
export async function runSsrfTorture(): Promise<SsrfFigures> {
  let reached = 0;
  const secret = await listen((_request, response) => {
    reached++;
    response.end("secret");
  });
  const front = await listen((request, response) => {
    const to = new URL(request.url ?? "/", "http://front").searchParams.get("redirect-to");
    if (to === null) return response.end("public page");
    // Node encodes header text as latin1. This conversion sends the UTF-8 bytes of the text
    // unchanged.
    return response.writeHead(302, { location: Buffer.from(to).toString("latin1") }).end();
  });
  const dns = await startLoopbackDns(createAnswers());
  const allowedDials = new Set<string>();
  const options: GuardedFetchOptions = {
    resolve: dns.resolve,
    timeoutMs: 60_000,
    dial: ({ address }: Endpoint): Endpoint => {
      if (allowedDials.has(address)) return { address: "127.0.0.1", port: portOf(front) };
      reached++;
      return { address: "127.0.0.1", port: portOf(secret) };
    },
  };
  try {
    allowedDials.add(publicAddress);
    const through: string[] = [];
    await inParallel(forbiddenTries(), async ([title, url]) => {
      const text = await textOf(guardedFetch(url, options));
      if (!text.startsWith("Error: ")) through.push(title);
    });
    if (reached > 0) through.push(`${reached} connections to what must not be reached`);
    return {
      cases: forbiddenUrls.length,
      through,
      publicForms: publicUrls.length,
      falseRefusals: await tryPublic(options, front),
    };
  } finally {
    await dns[Symbol.asyncDispose]();
    for (const server of [secret, front]) server.close().closeAllConnections();
  }
}

const forbiddenUrls: readonly string[] = [...forbiddenCases.map(({ url }) => url), ...forbiddenForms];

/**
 * Yields each forbidden URL directly, behind a redirect, and as the address to which a name
 * resolves.
 */
function* forbiddenTries(): Generator<readonly [title: string, url: string]> {
  const start = (to: string): string => `http://start.example/?redirect-to=${encodeURIComponent(to)}`;
  for (const url of forbiddenUrls) {
    yield [`direct ${url}`, url];
    // Skip a URL without scheme and host: as a redirect, it would lead back to the front server.
    if (!/^\/(?!\/)/.test(url)) yield [`redirect ${url}`, start(url)];
  }
  for (const [index, { address }] of forbiddenCases.entries()) {
    yield [`name of ${address}`, `http://case-${index}.private.example/`];
    yield [`mixed answers with ${address}`, `http://case-${index}.mixed.example/`];
    const name = `http://case-${index}.rebinding.example/`;
    yield [`rebinding to ${address}`, `${name}?redirect-to=${encodeURIComponent(name)}`];
  }
}

/**
 * Answers DNS queries. A `rebinding` name has a public address at first, and a forbidden one later.
 */
function createAnswers(): (name: string) => readonly string[] {
  const asked = new Map<string, number>();
  return (name) => {
    const [, index, kind] = /^case-(\d+)\.(private|mixed|rebinding)\.example$/.exec(name) ?? [];
    const address = forbiddenCases[Number(index)]?.address;
    if (kind === undefined || address === undefined) return [publicAddress];
    const times = (asked.get(name) ?? 0) + 1;
    asked.set(name, times);
    if (kind === "mixed") return [publicAddress, address];
    // Each lookup sends two queries, for A and for AAAA, so the first two get the public address.
    return kind === "rebinding" && times <= 2 ? [publicAddress] : [address];
  };
}

async function tryPublic(options: GuardedFetchOptions, front: Server): Promise<readonly string[]> {
  const dial = (): Endpoint => ({ address: "127.0.0.1", port: portOf(front) });
  const refused: string[] = [];
  await inParallel(publicUrls, async (url) => {
    const text = await textOf(guardedFetch(url, { ...options, dial }));
    if (text !== "public page") refused.push(`${url}: ${text}`);
  });
  return refused;
}

const textOf = (response: Promise<Response>): Promise<string> =>
  response.then(
    (received) => received.text(),
    (error: Error) => `Error: ${error.message}`,
  );

/** Processes all items, a few at a time. */
async function inParallel<Item>(items: Iterable<Item>, act: (item: Item) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await act(next.value);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

// The cast is safe: the server listens on a port.
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
