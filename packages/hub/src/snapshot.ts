// Downloads a repository at one commit. All its files are treated as data. None of its code runs
// here.

import { createHash } from "node:crypto";
import type { Dirent } from "node:fs";
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { AgentError, invalidOption, type OptionTable } from "@smolts/protocol";
import { type HubAccess, hubFetch, hubUrlOf } from "./hub-fetch.ts";
import { type LockedRepo, mustBeLocked, readLock, writeLock } from "./lock-file.ts";
import { commitOf, filesOf, type HubRepo, type ListedFile, repoText, requestHub } from "./repo.ts";

/** Options that name the version of a repository, and the places for its files and hashes. */
export interface SnapshotOptions extends HubAccess {
  /** A branch, a tag or a commit. Default: `main`. */
  readonly revision?: string;
  /**
   * The path of a lock file. The first load writes the hash of each file into it. Later loads
   * refuse a repository that differs. Commit the file with your code.
   */
  readonly lock?: string;
  /**
   * Whether to accept the current contents of the repository and write them into the lock file.
   * Default: false.
   */
  readonly updateLock?: boolean;
  /**
   * The folder for the files of repositories. It must be inside your project, so that the files can
   * import its packages. Default: `.smolts/hub`.
   */
  readonly folder?: string;
}

/** The options of all functions that read a repository. */
export const snapshotOptions: OptionTable<SnapshotOptions> = {
  token: "text",
  hubUrl: "text",
  signal: "signal",
  revision: "text",
  lock: "text",
  updateLock: "flag",
  folder: "text",
};

/** A file that was downloaded. */
export interface SnapshotFile {
  readonly path: string;
  readonly size: number;
  /** The SHA-256 of the content, in hex. */
  readonly sha256: string;
}

/** A repository at a commit, in memory. */
export interface Snapshot {
  readonly repo: HubRepo;
  /** The id of the commit, in hex. */
  readonly revision: string;
  /** All files that the Hub lists. */
  readonly listed: readonly ListedFile[];
  /** The content of the downloaded files, by path. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** Files that were not downloaded because they are too large. */
  readonly tooLarge: readonly ListedFile[];
}

/** The largest file that is downloaded, in bytes. Larger files are left out. */
const maxFileBytes = 10_000_000;
/** The largest size of all downloaded files together, in bytes. */
const maxTotalBytes = 50_000_000;
/** The number of downloads at the same time. */
const parallelDownloads = 4;

/**
 * Downloads a repository: all its files if there is a lock file, else only the files that `wants`
 * accepts.
 *
 * @throws AgentError `invalid-option` when the repository differs from the lock file;
 *   `tool-execution` when the Hub cannot be reached or its response is refused
 */
export async function takeSnapshot(
  repo: HubRepo,
  options: SnapshotOptions,
  wants: (path: string) => boolean,
): Promise<Snapshot> {
  const { revision: wanted = "main", lock } = options;
  const revision = await commitOf(repo, wanted, options);
  const listed = await filesOf(repo, revision, options);
  // With a lock, download and lock all files, so that nobody can add a file later.
  const chosen = listed.filter(({ path }) => lock !== undefined || wants(path));
  const tooLarge = chosen.filter(({ size }) => size > maxFileBytes);
  const taken = chosen.filter(({ size }) => size <= maxFileBytes);
  const total = taken.reduce((sum, { size }) => sum + size, 0);
  if (total > maxTotalBytes) {
    throw new AgentError(
      "tool-execution",
      `${repoText(repo)} has ${total} bytes; at most ${maxTotalBytes} are downloaded`,
    );
  }
  const contents = await download(repo, revision, taken, options);
  const snapshot = { repo, revision, listed, contents, tooLarge };
  if (lock !== undefined)
    await compareWithLock(lock, `${repoText(repo)}@${wanted}`, snapshot, options.updateLock === true);
  return snapshot;
}

async function compareWithLock(path: string, key: string, snapshot: Snapshot, isUpdate: boolean): Promise<void> {
  const files = Object.fromEntries(filesIn(snapshot).map(({ path, sha256 }) => [path, sha256]));
  const now: LockedRepo = { revision: snapshot.revision, files };
  const locked = await readLock(path, key);
  if (locked && !isUpdate) return mustBeLocked(key, locked, now);
  await writeLock(path, key, now);
}

/** Returns the downloaded files with their sizes and hashes. */
export const filesIn = ({ contents }: Snapshot): readonly SnapshotFile[] =>
  [...contents].map(([path, bytes]) => ({ path, size: bytes.byteLength, sha256: hashOf("sha256", bytes) }));

async function download(
  repo: HubRepo,
  revision: string,
  files: readonly ListedFile[],
  access: HubAccess,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  const queue = files[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const file of { [Symbol.iterator]: () => queue }) {
      contents.set(file.path, await downloadOne(repo, revision, file, access));
    }
  };
  await Promise.all(Array.from({ length: parallelDownloads }, work));
  // Downloads end in any order; return the files in the order of the list.
  return new Map(files.map(({ path }) => [path, contents.get(path) ?? new Uint8Array()]));
}

async function downloadOne(
  repo: HubRepo,
  revision: string,
  { path, size, oid }: ListedFile,
  access: HubAccess,
): Promise<Uint8Array> {
  const kind = repo.type === "model" ? "" : `${repo.type}s/`;
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const url = `${hubUrlOf(access)}/${kind}${repo.name}/resolve/${revision}/${encoded}`;
  const headers = access.token === undefined ? {} : { authorization: `Bearer ${access.token}` };
  const bytes = await requestHub(`${repoText(repo)}: "${path}"`, async () => {
    const response = await hubFetch(access, size)(url, { headers });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  });
  if (bytes.byteLength === size && isContent(bytes, oid)) return bytes;
  throw new AgentError("tool-execution", `${repoText(repo)}: "${path}" is not the file that the Hub lists`, {
    hint: "try again; if the error persists, do not use it",
  });
}

function isContent(bytes: Uint8Array, { type, value }: ListedFile["oid"]): boolean {
  if (type === "sha256") return hashOf("sha256", bytes) === value.replace(/^sha256:/, "");
  const blob = Buffer.concat([Buffer.from(`blob ${bytes.byteLength}\0`), bytes]);
  return hashOf(value.length === 64 ? "sha256" : "sha1", blob) === value;
}

const hashOf = (algorithm: "sha1" | "sha256", bytes: Uint8Array): string =>
  createHash(algorithm).update(bytes).digest("hex");

/**
 * Writes a snapshot into its own folder, and returns that folder. If the folder exists, only
 * its missing files are written.
 *
 * @throws AgentError `invalid-option` when its files were changed, or cannot be written
 */
export async function writeSnapshot(snapshot: Snapshot, base: string = ".smolts/hub"): Promise<string> {
  const { repo, revision, contents } = snapshot;
  const folder = resolve(base, `${repo.type}s`, repo.name, revision);
  const draft = `${folder}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    await writeFiles(draft, contents);
    if (!(await isRenamed(draft, folder))) {
      await mustContainOnly(snapshot, folder);
      await addMissingFiles(folder, draft, contents);
    }
  } catch (cause) {
    if (AgentError.is(cause)) throw cause;
    const { code = String(cause) } = cause as NodeJS.ErrnoException; // safe cast: errors of the file system have a code
    throw new AgentError("invalid-option", `${repoText(repo)} cannot be written to "${folder}" (${code})`, {
      cause,
      hint: "pass a { folder } with free space and write permission",
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

async function writeFiles(folder: string, contents: Snapshot["contents"]): Promise<void> {
  for (const [path, bytes] of contents) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes, { flag: "wx" });
  }
}

const isRenamed = (draft: string, folder: string): Promise<boolean> =>
  rename(draft, folder).then(
    () => true,
    () => false,
  );

/**
 * Checks that the folder contains only files of the repository, and no links. Otherwise the
 * repository's code could import files that were never checked.
 */
async function mustContainOnly({ listed, tooLarge }: Snapshot, folder: string): Promise<void> {
  const known = new Set(listed.filter((file) => !tooLarge.includes(file)).map(({ path }) => path));
  const isLink = (await lstat(folder)).isSymbolicLink();
  const entries = isLink ? [] : await readdir(folder, { recursive: true, withFileTypes: true });
  const pathOf = (entry: Dirent): string => join(entry.parentPath, entry.name);
  const isKnown = (entry: Dirent): boolean =>
    entry.isDirectory() || (entry.isFile() && known.has(relative(folder, pathOf(entry)).split(sep).join("/")));
  const odd = entries.find((entry) => !isKnown(entry));
  if (!isLink && odd === undefined) return;
  throw invalidOption(
    `"${odd ? pathOf(odd) : folder}" does not come from the Hub`,
    "delete the folder to download it again; keep your own files elsewhere",
  );
}

/** Adds the missing files to a folder of an earlier load. That load may have needed fewer files. */
async function addMissingFiles(folder: string, draft: string, contents: Snapshot["contents"]): Promise<void> {
  for (const [path, bytes] of contents) {
    const kept = await readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (kept === null) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await rename(join(draft, path), join(folder, path));
    } else if (!kept.equals(bytes)) {
      throw invalidOption(
        `"${join(folder, path)}" differs from the file on the Hub`,
        "delete the folder to download it again; keep your own changes elsewhere",
      );
    }
  }
}
