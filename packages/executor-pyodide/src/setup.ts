import type { SharedMemory } from "@smolts/executor-remote/worker";

/** The first message to a worker. */
export interface Setup extends SharedMemory {
  readonly type: "setup";
  /** The URL of Pyodide's files. Default: the files of the npm package. */
  readonly indexUrl?: string;
  /** Packages of Pyodide's distribution that are loaded from `indexUrl`, such as `numpy`. */
  readonly packages: readonly string[];
  /** The pure-Python wheels to install. */
  readonly wheels: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly memoryBytes: number;
}
