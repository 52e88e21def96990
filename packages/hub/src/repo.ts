import { datasetInfo, listFiles, modelInfo, spaceInfo } from "@huggingface/hub";
import { AgentError, redact, visible } from "@smolts/protocol";
import { type HubAccess, hubFetch, hubUrlOf } from "./hub-fetch.ts";

/** A repository of the Hub. */
export interface HubRepo {
  readonly type: "space" | "model" | "dataset";
  /** `user/name`. */
  readonly name: string;
}

/** A file that a repository lists. */
export interface ListedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** The hash of its content that the Hub reports: SHA-256 for a file of LFS, else that of git. */
  readonly oid: { readonly type: "sha256" | "git"; readonly value: string };
}

/** The limit for one answer of the Hub's API, in bytes. */
const maxAnswerBytes = 20_000_000;
const maxFiles = 1_000;
/** Files and folders together. */
const maxEntries = 10_000;
const maxPages = 100;

/**
 * Reads how a repository is named: `user/name` is a Space, `models/user/name` and
 * `datasets/user/name` are what they say.
 *
 * @throws AgentError `invalid-option`
 */
export function parseRepo(given: string): HubRepo {
  const [, kind = "spaces", name = ""] = /^(?:(spaces|models|datasets)\/)?([\w.-]+\/[\w.-]+)$/.exec(given) ?? [];
  // A folder of the second name would stand for packages of yours.
  const isOdd = name.split("/").some((part) => /^(?:\.+|node_modules)$/i.test(part));
  if (name !== "" && !isOdd) return { type: kind.slice(0, -1) as HubRepo["type"], name }; // one of the three, without its s
  throw new AgentError("invalid-option", `repo: expected "user/name", got ${JSON.stringify(visible(given))}`, {
    hint: 'a Space is "user/name", others are "models/user/name" and "datasets/user/name"',
  });
}

/** The repository as it is written. */
export const repoText = ({ type, name }: HubRepo): string => (type === "space" ? name : `${type}s/${name}`);

/** The settings that every call of the library gets. */
export interface CallOptions {
  readonly hubUrl: string;
  readonly fetch: typeof fetch;
  readonly accessToken?: string;
}

/** Makes {@link CallOptions}. */
export const callOptions = (access: HubAccess): CallOptions => ({
  hubUrl: hubUrlOf(access),
  fetch: hubFetch(access, maxAnswerBytes),
  ...(access.token === undefined ? {} : { accessToken: access.token }),
});

/** The commit that a branch, a tag or a commit stands for, in hex. */
export async function commitOf(repo: HubRepo, revision: string, access: HubAccess): Promise<string> {
  const options = { ...callOptions(access), name: repo.name, revision };
  const infos: { readonly [Type in HubRepo["type"]]: () => Promise<{ readonly sha?: unknown }> } = {
    space: () => spaceInfo({ ...options, additionalFields: ["sha"] }),
    model: () => modelInfo({ ...options, additionalFields: ["sha"] }),
    dataset: () => datasetInfo({ ...options, additionalFields: ["sha"] }),
  };
  const { sha } = await asking(`${repoText(repo)}@${revision}`, infos[repo.type]);
  if (typeof sha === "string" && /^[0-9a-f]{40,64}$/.test(sha)) return sha;
  throw new AgentError("tool-execution", `the Hub does not say which commit ${repoText(repo)}@${revision} is`);
}

/**
 * Lists the files of a repository at a commit.
 *
 * @throws AgentError `tool-execution` for a path that no honest repository has, and for more than
 *   1,000 files
 */
export async function filesOf(repo: HubRepo, commit: string, access: HubAccess): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  const { fetch, ...options } = callOptions(access);
  let pages = 0;
  const fetchPage: typeof fetch = (input, init) => {
    // A page can be empty, and name a next one for ever.
    if (++pages > maxPages) throw endless(repo, `${maxPages} pages`);
    return fetch(input, init);
  };
  await asking(repoText(repo), async () => {
    let entries = 0;
    for await (const entry of listFiles({
      ...options,
      fetch: fetchPage,
      repo: { type: repo.type, name: repo.name },
      revision: commit,
      recursive: true,
    })) {
      if (++entries > maxEntries) throw endless(repo, `${maxEntries} entries`);
      if (entry.type === "file") files.push(listedFile(entry, repo));
      if (files.length > maxFiles) throw endless(repo, `${maxFiles} files`);
    }
  });
  mustBeApart(files, repo);
  return files;
}

const endless = (repo: HubRepo, limit: string): AgentError =>
  new AgentError("tool-execution", `${repoText(repo)} has more than ${limit}`);

function listedFile(
  { path, size, oid, lfs }: { path: string; size: number; oid?: string; lfs?: { oid: string; size: number } },
  repo: HubRepo,
): ListedFile {
  const bytes = lfs?.size ?? size;
  const isListed = typeof path === "string" && Number.isSafeInteger(bytes) && bytes >= 0;
  if (!isListed) throw unsafe(String(path), repo, `has no size: ${JSON.stringify(bytes)}`);
  mustBeSafe(path, repo);
  return { path, size: bytes, oid: { type: lfs ? "sha256" : "git", value: String(lfs?.oid ?? oid ?? "") } };
}

/**
 * Some file systems do not tell capitals apart, and the second of two twins would replace the
 * first: a file, or a folder.
 */
function mustBeApart(files: readonly ListedFile[], repo: HubRepo): void {
  const folders = new Map<string, string>();
  for (const { path } of files) {
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      const folder = path.slice(0, end);
      if ((folders.get(folded(folder)) ?? folder) !== folder) throw unsafe(folder, repo, "is listed twice");
      folders.set(folded(folder), folder);
    }
  }
  const seen = new Set<string>(folders.keys());
  for (const { path } of files) {
    if (seen.has(folded(path))) throw unsafe(path, repo, "is listed twice");
    seen.add(folded(path));
  }
}

/** Both, since some letters have one form as a capital and another one as a small letter. */
const folded = (path: string): string => path.toUpperCase().toLowerCase();

/** The Spaces of a collection, by name, and what else it holds. */
export async function itemsOf(
  slug: string,
  access: HubAccess,
): Promise<readonly { readonly type: string; readonly id: string }[]> {
  if (!/^[\w.-]+\/[\w.-]+$/.test(slug)) {
    throw new AgentError(
      "invalid-option",
      `collection: expected "user/title-hash", got ${JSON.stringify(visible(slug))}`,
      {
        hint: "copy the end of the collection's address",
      },
    );
  }
  // The library has no function for it.
  const headers = access.token === undefined ? {} : { authorization: `Bearer ${access.token}` };
  const { items } = await asking(`the collection ${slug}`, async () => {
    const response = await hubFetch(access, maxAnswerBytes)(`${hubUrlOf(access)}/api/collections/${slug}`, { headers });
    if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { statusCode: response.status });
    return (await response.json()) as { readonly items?: unknown };
  });
  if (!Array.isArray(items)) throw new AgentError("tool-execution", `the collection ${slug}: the Hub lists no items`);
  return (items as readonly { readonly type?: unknown; readonly id?: unknown }[]).map(({ type, id }) => ({
    type: String(type),
    id: String(id),
  }));
}

/** Does something with the Hub. What it answers is put into an error of ours, without the token. */
export async function asking<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    if (AgentError.is(cause)) throw cause;
    const { statusCode: status, message } = cause as { readonly statusCode?: number; readonly message?: string }; // the library's errors have both
    throw new AgentError(
      "tool-execution",
      `${what}: the Hub answered: ${visible(redact(message ?? String(cause))).slice(0, 300)}`,
      {
        cause,
        ...(status === 401 || status === 403 || status === 404
          ? { hint: "check the name; a private repository needs { token }, and to write the token needs that right" }
          : {}),
      },
    );
  }
}

const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** @throws AgentError for a path that leaves its folder, or is another one elsewhere */
export function mustBeSafe(path: string, repo: HubRepo): void {
  if (path.length === 0 || path.length > 500) throw unsafe(path, repo, "is empty or too long");
  if (visible(path) !== path || path.normalize("NFC") !== path)
    throw unsafe(path, repo, "has characters that nobody sees");
  if (/[\\:*?"<>|]/.test(path)) throw unsafe(path, repo, "has a character that means something else on some systems");
  for (const segment of path.split("/")) {
    if (/^\.{0,2}$/.test(segment)) throw unsafe(path, repo, "may lead out of its folder");
    if (new TextEncoder().encode(segment).length > 200) throw unsafe(path, repo, "is empty or too long");
    if (/[. ]$/.test(segment) || deviceName.test(segment)) throw unsafe(path, repo, "is another file on some systems");
    if (/^(?:\.git|node_modules)$/i.test(segment)) throw unsafe(path, repo, "would stand for something of yours");
  }
}

const unsafe = (path: string, repo: HubRepo, why: string): AgentError =>
  new AgentError(
    "tool-execution",
    `${repoText(repo)} is refused: the path ${JSON.stringify(visible(path)).slice(0, 200)} ${why}`,
    {
      hint: "nothing of it was written; tell its owner",
    },
  );
