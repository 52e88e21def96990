// A package registry on this machine. It serves our tarballs as if they were published, and passes
// all other requests on to the registry of npm's configuration. Package managers use it like the
// real one.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Manifest } from "../workspace.ts";

/** A tarball and its package.json. */
export interface PackedTarball {
  readonly manifest: Manifest;
  readonly tarball: string;
}

/** A running registry. */
export interface Registry extends AsyncDisposable {
  /** The address of the registry. It ends with a slash. */
  readonly url: string;
}

/**
 * Starts the registry. `upstream` is the address of the registry that has all packages except
 * `packed`.
 */
export async function startRegistry(packed: readonly PackedTarball[], upstream: string): Promise<Registry> {
  const ours = new Map(packed.map((item) => [item.manifest.name, item]));
  const fetched = new Map<string, Promise<Answer>>();
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}/`;
    const answering = answer(request, { ours, fetched, upstream, url });
    answering.then(
      (answer) => send(response, answer),
      (error: unknown) => send(response, { status: 502, type: "text/plain", body: Buffer.from(String(error)) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // safe cast: the server listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

interface Sources {
  readonly ours: ReadonlyMap<string, PackedTarball>;
  /** The cached answers of the upstream registry, by path and accepted type. */
  readonly fetched: Map<string, Promise<Answer>>;
  readonly upstream: string;
  readonly url: string;
}

async function answer(request: IncomingMessage, sources: Sources): Promise<Answer> {
  const path = decodeURIComponent(new URL(request.url ?? "/", sources.url).pathname.slice(1));
  const [name = "", file] = path.split("/-/");
  const own = sources.ours.get(name);
  if (own && file !== undefined)
    return { status: 200, type: "application/octet-stream", body: readFileSync(own.tarball) };
  if (own)
    return { status: 200, type: "application/json", body: Buffer.from(JSON.stringify(metadata(own, sources.url))) };
  if (request.method !== "GET") return { status: 404, type: "application/json", body: Buffer.from("{}") };
  return fromUpstream(request, sources);
}

/**
 * Returns the metadata of a package with one version. Its date is far in the past, because some
 * package managers do not install new versions at once.
 */
function metadata({ manifest, tarball }: PackedTarball, url: string): object {
  const { name, version } = manifest;
  const bytes = readFileSync(tarball);
  const dist = {
    tarball: `${url}${name}/-/${name.replace("@smolts/", "")}-${version}.tgz`,
    shasum: createHash("sha1").update(bytes).digest("hex"),
    integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
  };
  const date = "2020-01-01T00:00:00.000Z";
  return {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist } },
    time: { created: date, modified: date, [version]: date },
  };
}

function fromUpstream(request: IncomingMessage, { fetched, upstream, url }: Sources): Promise<Answer> {
  const accept = request.headers.accept ?? "*/*";
  const key = `${accept} ${request.url}`;
  const running =
    fetched.get(key) ?? fetchUpstream(`${upstream}${(request.url ?? "/").slice(1)}`, accept, upstream, url);
  fetched.set(key, running);
  running.catch(() => fetched.delete(key));
  return running;
}

/**
 * Fetches an address, and tries again if the network or the registry fails. Throws if it still
 * fails after several tries. So the failure is not cached, and the package manager may ask again.
 */
async function fetchUpstream(address: string, accept: string, upstream: string, url: string): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await fetchOnce(address, accept, upstream, url);
    } catch (error) {
      if (tries === maxTries) throw error;
      await wait(tries * 1_000);
    }
  }
}

const maxTries = 5;

async function fetchOnce(address: string, accept: string, upstream: string, url: string): Promise<Answer> {
  const response = await fetch(address, { headers: { accept } });
  const { status } = response;
  if (status >= 500 || status === 429) throw new Error(`${address} answered ${status}`);
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  const body = Buffer.from(await response.arrayBuffer());
  if (!type.includes("json")) return { status, type, body };
  // The addresses of tarballs are replaced, so that a package manager uses only this registry.
  return { status, type, body: Buffer.from(body.toString().replaceAll(`"${upstream}`, `"${url}`)) };
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { "content-type": type, "content-length": body.length });
  response.end(body);
}
