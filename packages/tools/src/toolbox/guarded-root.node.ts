// Restricts file tools to one folder. Each part of a path is opened without following links. A file
// is opened first and checked afterwards, so that it cannot be replaced between the check and its
// use. On Linux, each part is opened relative to the folder that was opened before it.

import { constants, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, realpath, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join, parse, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { AgentError, invalidOption } from "@smolts/protocol";
import type { FolderEntry } from "./folder-entry.ts";

/** A folder that was checked and may be used by file tools. */
export interface GuardedRoot {
  /** The real path of the folder. */
  readonly path: string;
  /** Whether the folder belongs to the system, so that each use needs approval. */
  readonly isOfSystem: boolean;
}

/**
 * Checks a folder that a model will get access to.
 *
 * @param protect - further paths that the folder must not contain, such as the path of a run store
 * @throws AgentError `invalid-option` if it is not a folder, or if it is or contains a home folder,
 *   the program's own code, a repository or its configuration
 */
export function createGuardedRoot(folder: string, protect: readonly string[] = []): GuardedRoot {
  const path = realPathOf(folder);
  if (!statSync(path).isDirectory()) throw invalidRoot(folder, "it is not a folder");
  if (path === parse(path).root) throw invalidRoot(folder, "it is the whole file system");
  const configuration = readdirSync(path).find((name) => isConfiguration(name));
  if (configuration !== undefined) throw invalidRoot(folder, `it contains "${configuration}"`);
  const code = [process.argv[1] ?? "", fileURLToPath(import.meta.url), homedir()];
  const held = [...code, ...protect].find((other) => other !== "" && isInside(path, realPathIfAny(other)));
  if (held !== undefined) throw invalidRoot(folder, `it contains "${held}"`);
  const holder = protect.find((other) => isInside(realPathIfAny(other), path)) ?? storeAround(path);
  if (holder !== undefined) throw invalidRoot(folder, `it is in "${holder}"`);
  return { path, isOfSystem: isOfSystem(path) };
}

/**
 * The file that marks the folder of a run store. The tools refuse such a folder, because whoever
 * can write a log could forge approvals in it.
 */
const storeMark = ".smolts-store";

/** Returns the run store that contains the folder, or the folder itself if it is a run store. */
function storeAround(path: string): string | undefined {
  if (isStore(path)) return path;
  const above = dirname(path);
  return above === path ? undefined : storeAround(above);
}

const systemFolders: readonly string[] =
  process.platform === "win32"
    ? ["SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramData"].flatMap((name) => process.env[name] ?? [])
    : [
        ...["/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr"],
        ...["cache", "db", "lib", "log", "mail", "root", "run", "spool"].map((name) => `/var/${name}`),
        ...["/Library", "/System"],
      ];

/** Folders inside system folders in which users and their programs may keep files. */
const usersFolders: readonly string[] = [...["/run/user", "/usr/local", "/usr/src"], realPathIfAny(tmpdir())];

const isOfSystem = (path: string): boolean =>
  systemFolders.some((folder) => isInside(realPathIfAny(folder), path) || isInside(folder, path)) &&
  !usersFolders.some((folder) => isInside(folder, path));

/** Opens a regular file inside the root for reading. */
export async function openForReading(root: GuardedRoot, path: string): Promise<FileHandle> {
  const { folder, name } = await openParent(root, path, { create: false });
  try {
    // Open without blocking, because opening a pipe would wait for a writer.
    return await openChecked(root, join(pathOfHandle(folder), name), constants.O_RDONLY | nonBlocking, path);
  } finally {
    await folder.handle?.close();
  }
}

/** Opens a regular file inside the root for writing from its start. Missing folders are created. */
export async function openForWriting(root: GuardedRoot, path: string): Promise<FileHandle> {
  const { folder, name } = await openParent(root, path, { create: true });
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | nonBlocking;
    return await openChecked(root, join(pathOfHandle(folder), name), flags, path);
  } finally {
    await folder.handle?.close();
  }
}

/** Lists a folder inside the root and its subfolders, without hidden entries and links. */
export async function listBelow(root: GuardedRoot, path: string, maxEntries: number): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  const start = partsOf(path);
  const visit = async (parts: readonly string[]): Promise<void> => {
    const folder = await openFolder(root, parts, { create: false, shown: path });
    try {
      const found = await readdir(pathOfHandle(folder), { withFileTypes: true });
      for (const entry of found.sort((left, right) => (left.name < right.name ? -1 : 1))) {
        if (entries.length >= maxEntries) return;
        if (entry.name.startsWith(".")) continue;
        const below = [...parts, entry.name];
        if (entry.isFile()) {
          const { size } = await stat(join(pathOfHandle(folder), entry.name));
          entries.push({ path: below.join("/"), type: "file", size });
        } else if (entry.isDirectory() && !isStore(join(pathOfHandle(folder), entry.name))) {
          entries.push({ path: below.join("/"), type: "folder" });
          await visit(below);
        }
      }
    } finally {
      await folder.handle?.close();
    }
  };
  await visit(start);
  return entries;
}

// Flags for opening files, or 0 on Windows, which lacks them. There, the check of the opened file
// is the only protection.
const noFollow = constants.O_NOFOLLOW ?? 0;
const onlyFolder = constants.O_DIRECTORY ?? 0;
const nonBlocking = constants.O_NONBLOCK ?? 0;
const hasHandlePaths = process.platform === "linux" && existsSync("/proc/self/fd");

/** A folder that was opened. Windows cannot open folders, so there `handle` is undefined. */
interface OpenedFolder {
  readonly handle: FileHandle | undefined;
  readonly path: string;
}

const pathOfHandle = ({ handle, path }: OpenedFolder): string =>
  handle && hasHandlePaths ? `/proc/self/fd/${handle.fd}` : path;

function partsOf(path: string): readonly string[] {
  const parts = path.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
  if (path.includes("\0") || /^(?:[\\/]|[a-z]:)/i.test(path))
    throw refusedPath(path, "it is not relative to the folder");
  if (parts.includes("..")) throw refusedPath(path, "it leads out of the folder");
  const hidden = parts.find((part) => part.startsWith("."));
  if (hidden !== undefined) throw refusedPath(path, `"${hidden}" is hidden`);
  return parts;
}

async function openParent(
  root: GuardedRoot,
  path: string,
  { create }: { readonly create: boolean },
): Promise<{ readonly folder: OpenedFolder; readonly name: string }> {
  const parts = partsOf(path);
  const name = parts.at(-1);
  if (name === undefined) throw refusedPath(path, "it does not name a file");
  return { folder: await openFolder(root, parts.slice(0, -1), { create, shown: path }), name };
}

async function openFolder(
  root: GuardedRoot,
  parts: readonly string[],
  { create, shown }: { readonly create: boolean; readonly shown: string },
): Promise<OpenedFolder> {
  let folder = await openOneFolder(root.path, root.path, shown);
  for (const part of parts) {
    const above = folder;
    const handlePath = join(pathOfHandle(above), part);
    try {
      if (create) await mkdir(handlePath).catch(ignoreExisting);
      folder = await openOneFolder(handlePath, join(above.path, part), shown);
    } finally {
      await above.handle?.close();
    }
  }
  return folder;
}

async function openOneFolder(handlePath: string, path: string, shown: string): Promise<OpenedFolder> {
  const folder = { handle: onlyFolder === 0 ? undefined : await openFolderHandle(handlePath, shown), path };
  if (!isStore(pathOfHandle(folder))) return folder;
  await folder.handle?.close();
  throw refusedPath(shown, "it is in a run store");
}

const openFolderHandle = (handlePath: string, shown: string): Promise<FileHandle> =>
  open(handlePath, constants.O_RDONLY | onlyFolder | noFollow).catch((error: unknown) => {
    throw failedOpen(shown, error);
  });

/**
 * Says whether a folder is a run store. This is checked at every use, because a store may be
 * created after the tool.
 */
const isStore = (folder: string): boolean => existsSync(join(folder, storeMark));

/** Opens a file without following links, and then checks the opened file. */
async function openChecked(root: GuardedRoot, handlePath: string, flags: number, shown: string): Promise<FileHandle> {
  const handle = await open(handlePath, flags | noFollow, 0o600).catch((error: unknown) => {
    throw failedOpen(shown, error);
  });
  try {
    await checkOpened(root, handle, handlePath, shown);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function checkOpened(root: GuardedRoot, handle: FileHandle, handlePath: string, shown: string): Promise<void> {
  const opened = await handle.stat();
  if (!opened.isFile()) throw refusedPath(shown, "it is not a regular file");
  // The file also has another path, which may be outside of the root, so the file is refused.
  if (opened.nlink > 1) throw refusedPath(shown, "it has a second hard link");
  const real = await realpath(handlePath);
  const there = await stat(real);
  const isSame = there.ino === opened.ino && there.dev === opened.dev;
  if (!isSame || !isInside(root.path, real)) throw refusedPath(shown, "it leads out of the folder");
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

function failedOpen(path: string, error: unknown): AgentError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file",
    ENOTDIR: "a part of it is not a folder, or a link",
    ELOOP: "it is a link",
    EISDIR: "it is a folder",
    EACCES: "it may not be opened",
    ENXIO: "it is not a regular file",
  };
  return new AgentError("tool-execution", `cannot open "${path}": ${reasons[code] ?? code}`, {
    cause: error,
    hint: code === "ENOENT" ? "list the files to see what there is" : undefined,
  });
}

const refusedPath = (path: string, reason: string): AgentError =>
  new AgentError("tool-execution", `refused the path "${path.slice(0, 200)}": ${reason}`, {
    hint: 'pass a path relative to the folder, such as "reports/may.csv"',
  });

const invalidRoot = (root: string, reason: string): AgentError =>
  invalidOption(
    `"${root}" cannot be given to a model: ${reason}`,
    "make a folder with only the files that the agent works on",
  );

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new AgentError("invalid-option", `there is no folder "${path}"`, { cause: error, hint: "create it first" });
  }
}

/**
 * Returns the real path of a file that may not exist yet. The existing part of the path is
 * resolved.
 */
function realPathIfAny(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  return dirname(whole) === whole ? whole : join(realPathIfAny(dirname(whole)), parse(whole).base);
}

const isInside = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep);

/** Says whether the folder of a file with this name is a project or contains secrets. */
const isConfiguration = (name: string): boolean =>
  /^(?:\.git|\.env(?:\..*)?|\.ssh|\.npmrc|\.smolts|node_modules|package\.json|agent\.json)$/.test(name);
