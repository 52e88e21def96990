import { existsSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type AgentError, invalidOption } from "@smolts/protocol";

/** The file that marks the folder of a run store. */
const storeMark = ".smolts-store";

/**
 * The maximum number of folders that are searched. In a larger tree, a store at a deeper level is
 * not found.
 */
const maxFolders = 5_000;

/**
 * Refuses folders that contain a run store or are inside one, because code that can write to a log
 * could forge approvals in it. If the daemon runs on another machine, a folder may be missing here.
 * Such a folder contains no store of this machine.
 *
 * @throws AgentError `invalid-option`
 */
export async function refuseStores(sources: readonly string[]): Promise<void> {
  for (const source of sources) {
    const path = await realpath(source).catch(() => null);
    const store = path === null ? null : (storeAround(path) ?? (await storeBelow(path)));
    if (store !== null) throw holdsStore(source, store);
  }
}

function storeAround(path: string): string | null {
  if (existsSync(join(path, storeMark))) return path;
  const above = dirname(path);
  return above === path ? null : storeAround(above);
}

/** Searches a folder for a run store, level by level. */
async function storeBelow(root: string): Promise<string | null> {
  const folders = [root];
  for (let at = 0; at < folders.length && at < maxFolders; at++) {
    const folder = folders[at] ?? root;
    // An error means that the entry is a file, or a folder that this process cannot read.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (entries.some(({ name }) => name === storeMark)) return folder;
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name !== "node_modules") folders.push(join(folder, entry.name));
    }
  }
  return null;
}

const holdsStore = (source: string, store: string): AgentError =>
  invalidOption(
    `the mount "${source}" gives access to the run store in "${store}"`,
    "keep the store where code cannot see it: mount another folder, or move the store",
  );
