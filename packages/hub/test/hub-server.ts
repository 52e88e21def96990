// An imitation of the Hub on loopback. It supports the documented calls that the package makes, and
// keeps repositories in memory. Like the Hub, it refuses wrong tokens, unknown repositories and
// unknown revisions.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One commit of a repository. */
export interface HubCommit {
  readonly oid: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The answers that a test can change. */
export interface HubTricks {
  /** Replaces the list of a repository's files. */
  tree?: (entries: readonly object[]) => readonly object[];
  /** Replaces the answer to a download. */
  resolve?: (path: string, response: ServerResponse) => boolean;
  /** Headers that are added to the response with the list of files. */
  treeHeaders?: Readonly<Record<string, string>>;
}

/** A running server. */
export interface HubServer extends AsyncDisposable {
  readonly url: string;
  /** Every request, with its method, path and authorization. */
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly authorization: string | undefined;
  }[];
  readonly tricks: HubTricks;
  /**
   * Commits files to a repository such as `spaces/ada/agent`, and returns the commit. Creates the
   * repository if necessary.
   */
  put(repo: string, files: Readonly<Record<string, string | Uint8Array>>): string;
  /** Returns the newest commit. */
  newest(repo: string): HubCommit | undefined;
  collection(slug: string, items: readonly object[]): void;
}

/** A token that allows everything. */
export const token = "hf_test0000000000000000000000000000";

/** Starts a server on a free port of loopback. */
export async function startHub(): Promise<HubServer> {
  const repos = new Map<string, HubCommit[]>();
  const collections = new Map<string, readonly object[]>();
  const requests: { method: string; path: string; authorization: string | undefined }[] = [];
  const tricks: HubTricks = {};

  const put = (repo: string, files: ReadonlyMap<string, Uint8Array>): string => {
    const commits = repos.get(repo) ?? [];
    const merged = new Map([...(commits.at(-1)?.files ?? []), ...files]);
    const oid = hash("sha1", Buffer.from(`${repo} ${commits.length} ${[...merged.keys()].join()}`));
    commits.push({ oid, files: merged });
    repos.set(repo, commits);
    return oid;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", headers } = request;
    const url = new URL(request.url ?? "/", "http://hub");
    requests.push({ method, path: url.pathname, authorization: headers.authorization });
    const body = await bodyOf(request);
    const isAllowed = headers.authorization === undefined || headers.authorization === `Bearer ${token}`;
    if (!isAllowed) return json(response, 401, { error: "Invalid credentials" });
    if (method === "POST" && headers.authorization === undefined) return json(response, 401, { error: "Unauthorized" });
    const path = decodeURIComponent(url.pathname);

    if (path === "/api/repos/create") {
      const { name, organization, type = "model" } = JSON.parse(body) as { readonly [field: string]: string };
      const repo = `${type}s/${organization}/${name}`;
      if (repos.has(repo)) return json(response, 409, { error: "You already created this repo" });
      put(repo, new Map());
      return json(response, 200, { url: `https://hub/${repo}`, id: `${organization}/${name}` });
    }
    const [, slug] = /^\/api\/collections\/(.+)$/.exec(path) ?? [];
    if (slug !== undefined) {
      const items = collections.get(slug);
      return items ? json(response, 200, { slug, title: slug, items }) : json(response, 404, { error: "not found" });
    }
    const [, repo = "", call, rest = ""] =
      /^\/api\/(\w+\/[^/]+\/[^/]+)\/(revision|tree|preupload|commit)\/(.+)$/.exec(path) ?? [];
    if (call !== undefined) {
      const commits = repos.get(repo);
      const found = commits && commitAt(commits, rest);
      if (!commits || !found) return json(response, 404, { error: "Repository or revision not found" });
      if (call === "revision")
        return json(response, 200, {
          _id: "1",
          id: repo.replace(/^\w+\//, ""),
          sha: found.oid,
          likes: 0,
          lastModified: new Date(0),
        });
      if (call === "tree") {
        const entries = [...found.files].map(([name, bytes]) => entryOf(name, bytes));
        for (const [name, value] of Object.entries(tricks.treeHeaders ?? {})) response.setHeader(name, value);
        return json(response, 200, tricks.tree?.(entries) ?? entries);
      }
      if (call === "preupload") {
        const { files } = JSON.parse(body) as { readonly files: readonly { readonly path: string }[] };
        return json(response, 200, {
          files: files.map((file) => ({ path: file.path, uploadMode: "regular", shouldIgnore: false })),
        });
      }
      const added = body.split("\n").map(
        (line) =>
          JSON.parse(line) as {
            readonly key: string;
            readonly value: { readonly path: string; readonly content: string };
          },
      );
      const files = added.filter(({ key }) => key === "file");
      const oid = put(repo, new Map(files.map(({ value }) => [value.path, Buffer.from(value.content, "base64")])));
      return json(response, 200, {
        success: true,
        commitOid: oid,
        commitUrl: `https://hub/commit/${oid}`,
        hookOutput: "",
      });
    }
    const [, owner = "", revision = "", file = ""] =
      /^\/((?:\w+\/)?[^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (tricks.resolve?.(file, response)) return;
    const commits = repos.get(/^(?:spaces|datasets)\//.test(owner) ? owner : `models/${owner}`);
    const bytes = commits && commitAt(commits, revision)?.files.get(file);
    if (!bytes) return json(response, 404, { error: "Entry not found" });
    response.setHeader("etag", `"${hash("sha1", bytes)}"`);
    response.end(bytes);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => json(response, 500, { error: String(error) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    tricks,
    put: (repo, files) =>
      put(repo, new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]))),
    newest: (repo) => repos.get(repo)?.at(-1),
    collection: (name, items) => void collections.set(name, items),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns a file's entry in the Hub's list of files. */
export const entryOf = (path: string, bytes: Uint8Array): object => ({
  type: "file",
  path,
  size: bytes.byteLength,
  oid: hash("sha1", Buffer.concat([Buffer.from(`blob ${bytes.byteLength}\0`), bytes])),
});

const commitAt = (commits: readonly HubCommit[], revision: string): HubCommit | undefined =>
  revision === "main" || revision === "HEAD" ? commits.at(-1) : commits.find(({ oid }) => oid === revision);

const hash = (algorithm: string, bytes: Uint8Array): string => createHash(algorithm).update(bytes).digest("hex");

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8");
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}
