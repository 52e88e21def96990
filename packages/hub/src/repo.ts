import { datasetInfo, listFiles, modelInfo, spaceInfo } from "@huggingface/hub";
import { AgentError, type Fetch, invalidOption, redact, visible } from "@smolts/protocol";
import { type HubAccess, hubFetch, hubUrlOf } from "./hub-fetch.ts";

/** A repository of the Hub. */
export interface HubRepo {
  readonly type: "space" | "model" | "dataset";
  /** The name, as `user/name`. */
  readonly name: string;
}

/** A file in the Hub's list of a repository. */
export interface ListedFile {
  readonly path: string;
  /** The size in bytes. */
  readonly size: number;
  /**
   * The hash that the Hub reports: SHA-256 for a file in LFS, and the hash of git for other files.
   */
  readonly oid: { readonly type: "sha256" | "git"; readonly value: string };
}

/** The largest response of the Hub's API, in bytes. */
const maxAnswerBytes = 20_000_000;
const maxFiles = 1_000;
/** The maximum number of files and folders in a repository. */
const maxEntries = 10_000;
const maxPages = 100;

/**
 * Parses the name of a repository: `user/name` is a Space, `models/user/name` a model and
 * `datasets/user/name` a dataset.
 *
 * @throws AgentError `invalid-option`
 */
export function parseRepo(given: string): HubRepo {
  const [, kind = "spaces", name = ""] = /^(?:(spaces|models|datasets)\/)?([\w.-]+\/[\w.-]+)$/.exec(given) ?? [];
  // Node would look for packages in a folder named node_modules, so that name is refused.
  const isOdd = name.split("/").some((part) => /^(?:\.+|node_modules)$/i.test(part));
  // The regular expression allows only these three types, with an s at the end.
  if (name !== "" && !isOdd) return { type: kind.slice(0, -1) as HubRepo["type"], name };
  throw invalidOption(
    `repo is ${JSON.stringify(visible(given))}; expected "user/name"`,
    'a Space is "user/name", others are "models/user/name" and "datasets/user/name"',
  );
}

/** Returns the name of a repository as users write it. */
export const repoText = ({ type, name }: HubRepo): string => (type === "space" ? name : `${type}s/${name}`);

/** The settings of every call of the library for the Hub's API. */
export interface CallOptions {
  readonly hubUrl: string;
  readonly fetch: Fetch;
  readonly accessToken?: string;
}

/** Creates {@link CallOptions}. */
export const callOptions = (access: HubAccess): CallOptions => ({
  hubUrl: hubUrlOf(access),
  fetch: hubFetch(access, maxAnswerBytes),
  ...(access.token === undefined ? {} : { accessToken: access.token }),
});

/** Returns the commit that a branch, a tag or a commit id names, in hex. */
export async function commitOf(repo: HubRepo, revision: string, access: HubAccess): Promise<string> {
  const options = { ...callOptions(access), name: repo.name, revision };
  const infos: { readonly [Type in HubRepo["type"]]: () => Promise<{ readonly sha?: unknown }> } = {
    space: () => spaceInfo({ ...options, additionalFields: ["sha"] }),
    model: () => modelInfo({ ...options, additionalFields: ["sha"] }),
    dataset: () => datasetInfo({ ...options, additionalFields: ["sha"] }),
  };
  const { sha } = await requestHub(`${repoText(repo)}@${revision}`, infos[repo.type]);
  if (typeof sha === "string" && /^[0-9a-f]{40,64}$/.test(sha)) return sha;
  throw new AgentError("tool-execution", `the Hub does not say which commit ${repoText(repo)}@${revision} is`);
}

/**
 * Lists the files of a repository at a commit.
 *
 * @throws AgentError `tool-execution` for an unsafe path, and for more than 1,000 files
 */
export async function filesOf(repo: HubRepo, commit: string, access: HubAccess): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  const { fetch, ...options } = callOptions(access);
  let pages = 0;
  const fetchPage: Fetch = (input, init) => {
    // Limit the number of pages, because empty pages could name a next page forever.
    if (++pages > maxPages) throw endless(repo, `${maxPages} pages`);
    return fetch(input, init);
  };
  await requestHub(repoText(repo), async () => {
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
  mustNotCollide(files, repo);
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
 * Refuses paths that differ only in upper and lower case. Some file systems treat them as one file
 * or folder, and the second would replace the first.
 */
function mustNotCollide(files: readonly ListedFile[], repo: HubRepo): void {
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

/**
 * Returns a path for comparisons that ignore case. Both conversions are needed: some letters are
 * equal only in upper case, others only in lower case.
 */
const folded = (path: string): string => path.toUpperCase().toLowerCase();

/** Returns the items of a collection: the Spaces with their names, and everything else. */
export async function itemsOf(
  slug: string,
  access: HubAccess,
): Promise<readonly { readonly type: string; readonly id: string }[]> {
  if (!/^[\w.-]+\/[\w.-]+$/.test(slug)) {
    throw invalidOption(
      `collection is ${JSON.stringify(visible(slug))}; expected "user/title-hash"`,
      "copy the end of the collection's address",
    );
  }
  // The library has no function for collections.
  const headers = access.token === undefined ? {} : { authorization: `Bearer ${access.token}` };
  const { items } = await requestHub(`the collection ${slug}`, async () => {
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

/**
 * Runs a request to the Hub. If it fails, throws an AgentError with the Hub's answer or the
 * network's error, without the token.
 */
export async function requestHub<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    if (AgentError.is(cause)) throw cause;
    throw requestError(what, cause);
  }
}

function requestError(what: string, cause: unknown): AgentError {
  // The cast is safe, because every field is optional. An error of the library has a status. An
  // error of `fetch` has the network's error as its cause.
  const { statusCode: status, message, cause: network } = cause as RequestFailure;
  if (status === undefined && network?.code !== undefined) {
    const hint = "check the network, and the option hubUrl if you set it";
    return new AgentError("tool-execution", `${what}: the Hub cannot be reached: ${network.code}`, { cause, hint });
  }
  const text = `${what}: the Hub answered: ${visible(redact(message ?? String(cause))).slice(0, 300)}`;
  if (status !== 401 && status !== 403 && status !== 404) return new AgentError("tool-execution", text, { cause });
  const hint =
    "check the name; a private repository needs { token }, and an upload needs a token with write permission";
  return new AgentError("tool-execution", text, { cause, hint });
}

/** The known facts about a failed request. */
interface RequestFailure {
  readonly statusCode?: number;
  readonly message?: string;
  readonly cause?: { readonly code?: string };
}

const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Checks that a path stays in its folder and means the same file on every system.
 *
 * @throws AgentError `tool-execution` for an unsafe path
 */
export function mustBeSafe(path: string, repo: HubRepo): void {
  if (path.length === 0 || path.length > 500) throw unsafe(path, repo, "is empty or too long");
  if (visible(path) !== path || path.normalize("NFC") !== path) throw unsafe(path, repo, "has invisible characters");
  if (/[\\:*?"<>|]/.test(path)) throw unsafe(path, repo, "has a character with a special meaning on some systems");
  for (const segment of path.split("/")) {
    if (/^\.{0,2}$/.test(segment)) throw unsafe(path, repo, "may lead out of its folder");
    if (new TextEncoder().encode(segment).length > 200) throw unsafe(path, repo, "is empty or too long");
    if (/[. ]$/.test(segment) || deviceName.test(segment))
      throw unsafe(path, repo, "names a different file on some systems");
    if (/^(?:\.git|node_modules)$/i.test(segment)) throw unsafe(path, repo, "would replace a folder of your own");
  }
}

const unsafe = (path: string, repo: HubRepo, why: string): AgentError =>
  new AgentError(
    "tool-execution",
    `${repoText(repo)} is refused: the path ${JSON.stringify(visible(path)).slice(0, 200)} ${why}`,
    {
      hint: "no file of the repository was written; tell its owner",
    },
  );
