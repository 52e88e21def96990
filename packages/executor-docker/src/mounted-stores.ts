import { existsSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AgentError } from "@smolts/protocol";

/** The file that a store of runs puts into its folder. */
const storeMark = ".smolts-store";

/** So many folders are looked into. A store that lies deeper in a larger tree is not found. */
const maxFolders = 5_000;

/**
 * Refuses folders that hold a store of runs, or lie in one: code that can write a log could write
 * decisions of people into it. A folder that is not on this machine, as with a daemon elsewhere,
 * holds none of its stores.
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

/** The nearest folders first. */
async function storeBelow(root: string): Promise<string | null> {
  const folders = [root];
  for (let at = 0; at < folders.length && at < maxFolders; at++) {
    const folder = folders[at] ?? root;
    // A file, or a folder that this process may not read.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (entries.some(({ name }) => name === storeMark)) return folder;
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name !== "node_modules") folders.push(join(folder, entry.name));
    }
  }
  return null;
}

const holdsStore = (source: string, store: string): AgentError =>
  new AgentError("invalid-option", `the mount "${source}" reaches the store of runs in "${store}"`, {
    hint: "keep the store outside of what code can see: mount another folder, or move the store",
  });
