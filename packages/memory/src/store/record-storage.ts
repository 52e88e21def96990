import type { ListRunsOptions, StoredRun } from "@smolts/protocol";
import type { RecordSum, StoredRecord } from "./record.ts";

/** Lines to write, and the row of the session when they changed it. */
export interface RecordBatch {
  readonly lines: readonly string[];
  /** The number of the first line's event. */
  readonly firstSeq: number;
  readonly row: StoredRun | null;
  /** The runs that begin in these lines. */
  readonly runIds: readonly string[];
}

/** The right to write to one session, until it is released or lost. */
export interface RecordHold {
  readonly epoch: number;
  /** The content of the log when it was taken. */
  readonly records: readonly StoredRecord[];
  /** The sum that the next line continues. */
  readonly sum: string;
  /** Whether the store's key vouches for what was read. */
  readonly isOwn: boolean;
  /**
   * Aborts with a `lease` error when the holder can no longer be sure of its lease. Absent for a
   * storage that learns of it by its writes alone.
   */
  readonly lost?: AbortSignal;
  /** Hands lines to the storage, in order. Calls never overlap. */
  write(batch: RecordBatch): Promise<void>;
  /** Resolves when everything written so far survives a crash. */
  sync(acked: number): Promise<void>;
  /** Throws `lease` when another holder has taken over. */
  confirm(): Promise<void>;
  putBlob(digest: string, bytes: Uint8Array): Promise<void>;
  release(acked: number): Promise<void>;
}

/** The accepted records of a session, read without a lease. */
export interface RecordsRead {
  readonly records: readonly StoredRecord[];
  readonly epoch: number;
  readonly isOwn: boolean;
}

/**
 * Where records are kept: a folder, a database. `recordStore` makes a `RunStore` of it.
 *
 * Contract:
 * - `hold` rejects with `lease` while another holder is alive.
 * - Events that a hold writes after another one was taken are never read.
 * - Lines and blobs that were synced survive a crash.
 */
export interface RecordStorage {
  readonly sumOf: RecordSum;
  hold(sessionId: string, options: { readonly signal?: AbortSignal | undefined }): Promise<RecordHold>;
  /** Null for an unknown session. */
  read(sessionId: string): Promise<RecordsRead | null>;
  /** Changes whenever something was written to the session; null for an unknown session. */
  version(sessionId: string): Promise<string | null>;
  readBlob(sessionId: string, digest: string): Promise<Uint8Array | null>;
  find(runId: string): Promise<string | null>;
  list(options: Required<Pick<ListRunsOptions, "limit">> & ListRunsOptions): Promise<readonly StoredRun[]>;
  /** Called with the session held. */
  remove(sessionId: string): Promise<void>;
}
