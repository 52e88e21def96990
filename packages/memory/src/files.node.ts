import { invalidOption, type OptionTable, type RunStore, readOptions } from "@smolts/protocol";
import { type FileStoreOptions, fileStorage } from "./store/file-storage.node.ts";
import { recordStore } from "./store/record-store.ts";

export type { FileStoreOptions } from "./store/file-storage.node.ts";

/**
 * Creates a store that keeps runs in a folder, as JSON lines that a person can read.
 *
 * A run survives the end of its process: flushed events are on the disk, and another process can
 * resume the run. One process writes to a session at a time. Only the owner of the files may read
 * them. They are not encrypted, so whoever can read the disk can read the runs.
 *
 * @param folder - created when it is missing; keep it where an agent's tools cannot write
 * @throws AgentError `invalid-option` for a key that is too short; `open` rejects with `log` when
 *   the folder cannot be used
 * @example
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { fileStore } from "@smolts/memory/files";
 *
 * const store = fileStore(await mkdtemp(join(tmpdir(), "runs-")), { key: "a secret of at least sixteen characters" });
 * const log = await store.open("my-session");
 * log.append({ type: "note", name: "example/hello", data: 1 }, { runId: "r", path: ["agent"] });
 * await log[Symbol.asyncDispose]();
 * for (const { sessionId, status, task } of await store.list()) console.log(sessionId, status, task);
 * ```
 */
export function fileStore(folder: string, options: FileStoreOptions = {}): RunStore {
  if (typeof folder !== "string" || folder === "") {
    throw invalidOption(`fileStore() got ${typeof folder}; expected the path of a folder`, 'write fileStore("./runs")');
  }
  return recordStore(fileStorage(folder, readOptions(options, "fileStore()", fileStoreOptions)));
}

const fileStoreOptions: OptionTable<FileStoreOptions> = { key: "text | object", leaseMs: "number", host: "text" };
