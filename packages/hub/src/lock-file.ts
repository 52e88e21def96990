// Keeps the commit and the file hashes of trusted repositories. A branch can move, and an attacker
// can take over a Hub account. A lock file ensures that only the code that was locked runs later.

import { readFile, rename, writeFile } from "node:fs/promises";
import { AgentError, invalidOption, isRecord } from "@smolts/protocol";

/** The entry of one repository in a lock file. */
export interface LockedRepo {
  /** The id of the commit, in hex. */
  readonly revision: string;
  /** The SHA-256 of each file in hex, by path. */
  readonly files: { readonly [path: string]: string };
}

/** The content of a lock file. */
interface LockFile {
  readonly version: 1;
  readonly repos: { readonly [repo: string]: LockedRepo };
}

/**
 * Returns the entry of a repository in a lock file; undefined if there is no entry or no file.
 *
 * @throws AgentError `invalid-option` for a file that is not a lock file
 */
export async function readLock(path: string, key: string): Promise<LockedRepo | undefined> {
  const { repos } = await readAll(path);
  return Object.hasOwn(repos, key) ? repos[key] : undefined;
}

/** Writes the entry of a repository into the lock file, and keeps the other entries. */
export async function writeLock(path: string, key: string, locked: LockedRepo): Promise<void> {
  const { repos } = await readAll(path);
  const sorted = Object.fromEntries(Object.entries({ ...repos, [key]: locked }).sort(([a], [b]) => (a < b ? -1 : 1)));
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}`;
  await writeFile(draft, `${JSON.stringify({ version: 1, repos: sorted } satisfies LockFile, null, 2)}\n`);
  await rename(draft, path);
}

async function readAll(path: string): Promise<LockFile> {
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null;
    throw new AgentError("invalid-option", `the lock file "${path}" cannot be read (${cause.code})`, { cause });
  });
  if (text === null) return { version: 1, repos: {} };
  try {
    const found = JSON.parse(text) as Partial<LockFile>;
    if (found.version === 1 && isRecord(found.repos) && Object.values(found.repos).every(isLockedRepo)) {
      return found as LockFile; // safe cast: the condition above checks it
    }
  } catch {
    // The error below says what is expected.
  }
  throw invalidOption(
    `"${path}" is not a lock file of @smolts/hub`,
    "restore it or name another file; without a lock file, the next load trusts whatever the Hub has",
  );
}

function isLockedRepo(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { revision, files } = value;
  return (
    typeof revision === "string" && isRecord(files) && Object.values(files).every((hash) => typeof hash === "string")
  );
}

/** The hint of the errors below: how to accept a change. */
const acceptHint = "read what changed; then pass { updateLock: true } once";

/**
 * Checks that a repository has not changed since it was locked.
 *
 * @throws AgentError `invalid-option` if it has changed
 */
export function mustBeLocked(repo: string, locked: LockedRepo, now: LockedRepo): void {
  if (locked.revision !== now.revision) {
    const [before, after] = [locked.revision, now.revision].map((revision) => revision.slice(0, 12));
    throw invalidOption(`${repo} is at ${after}, and the lock file says ${before}`, acceptHint);
  }
  const paths = new Set([...Object.keys(locked.files), ...Object.keys(now.files)]);
  for (const path of paths) {
    if (locked.files[path] === now.files[path]) continue;
    const what =
      now.files[path] === undefined ? "is missing" : locked.files[path] === undefined ? "is new" : "has changed";
    throw invalidOption(
      `${repo}: "${path}" ${what} although the revision is the same`,
      "do not run this: the Hub, or the connection to it, cannot be trusted",
    );
  }
}
