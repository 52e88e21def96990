import type { SharedMemory } from "@smolts/executor-remote/worker";

/** First message to a worker. */
export interface Setup extends SharedMemory {
  readonly type: "setup";
  /** Where the files of Pyodide are; those of the npm package when absent. */
  readonly indexUrl?: string;
  /** Packages of Pyodide's own distribution to load from there, such as `numpy`. */
  readonly packages: readonly string[];
  /** The bytes of pure wheels. */
  readonly wheels: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly memoryBytes: number;
}
