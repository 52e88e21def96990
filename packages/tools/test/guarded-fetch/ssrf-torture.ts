// Runs every case against servers and a name server of our own on loopback. A forbidden address
// counts as reached when the guard is about to connect to it, or when the server that plays the
// private network is asked anything.

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Endpoint, type GuardedFetchOptions, guardedFetch } from "@smolts/tools/guarded-fetch";
import { startLoopbackDns } from "./loopback-dns.ts";
import { forbiddenCases, forbiddenForms, publicUrls } from "./ssrf-cases.ts";

/** Its outcome. */
export interface SsrfFigures {
  /** Forbidden URLs, each tried in three ways. */
  readonly cases: number;
  /** Tries that reached what they must not, by description. */
  readonly through: readonly string[];
  /** Public URLs tried. */
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
    // As latin1: that is how a header holds bytes.
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

/** Each forbidden URL as it stands, behind a redirect, and as what a name comes to mean. */
function* forbiddenTries(): Generator<readonly [title: string, url: string]> {
  const start = (to: string): string => `http://start.example/?redirect-to=${encodeURIComponent(to)}`;
  for (const url of forbiddenUrls) {
    yield [`direct ${url}`, url];
    // Scheme-relative and path-only forms name the front page itself when they are in a redirect.
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
 * The names' addresses: `rebinding` ones are public when first asked for and forbidden from then
 * on.
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
    // Each look-up asks twice: for A and for AAAA.
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

/** Does them all, some at a time. */
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

// It listens on a port, so its address is not a path.
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
