import type { ListRunsOptions, StoredRun } from "@smolts/protocol";
import type { RecordSum, StoredRecord } from "./record.ts";

/** Lines to write, and the new row of the session if it has changed. */
export interface RecordBatch {
  /** Empty if only the row has changed. */
  readonly lines: readonly string[];
  /** The `seq` of the event in the first line. */
  readonly firstSeq: number;
  readonly row: StoredRun | null;
  /** The ids of the runs that begin in these lines. */
  readonly runIds: readonly string[];
}

/** The exclusive right to write to one session, until it is released or lost. */
export interface RecordHold {
  readonly epoch: number;
  /** The content of the log at the moment when this holder acquired the session. */
  readonly records: readonly StoredRecord[];
  /** The checksum of the last line. The checksum of the next line is based on it. */
  readonly sum: string;
  /** Whether the records were written with this store's key. */
  readonly isOwn: boolean;
  /**
   * Aborts with a `lease` error when the holder can no longer be sure of its lease. Absent if the
   * storage notices a lost lease only when it writes.
   */
  readonly lost?: AbortSignal;
  /** Passes lines to the storage, in order. Calls never overlap. */
  write(batch: RecordBatch): Promise<void>;
  /**
   * Resolves when everything written so far survives a crash. `acked` is the `seq` of the last of
   * these events.
   */
  sync(acked: number): Promise<void>;
  /** Throws `lease` when another holder has taken over. */
  confirm(): Promise<void>;
  putBlob(digest: string, bytes: Uint8Array): Promise<void>;
  release(acked: number): Promise<void>;
}

/** The valid records of a session, read without a lease. */
export interface RecordsRead {
  readonly records: readonly StoredRecord[];
  readonly epoch: number;
  readonly isOwn: boolean;
}

/**
 * A place that stores records, such as a folder or a database. `recordStore` turns it into a
 * `RunStore`.
 *
 * Contract:
 * - `hold` rejects with `lease` while another holder is alive.
 * - If a holder writes events after another holder has taken the session, those events are never
 *   read.
 * - Lines and blobs that were synced survive a crash.
 */
export interface RecordStorage {
  readonly sumOf: RecordSum;
  hold(sessionId: string, options: { readonly signal?: AbortSignal | undefined }): Promise<RecordHold>;
  /** Returns the records of a session; null for an unknown session. */
  read(sessionId: string): Promise<RecordsRead | null>;
  /** Returns a text that changes with every write to the session; null for an unknown session. */
  version(sessionId: string): Promise<string | null>;
  readBlob(sessionId: string, digest: string): Promise<Uint8Array | null>;
  find(runId: string): Promise<string | null>;
  list(options: Required<Pick<ListRunsOptions, "limit">> & ListRunsOptions): Promise<readonly StoredRun[]>;
  /** Deletes a session. The caller holds the session. */
  remove(sessionId: string): Promise<void>;
  /** Deletes the remains of an interrupted deletion of a session. Changes no other session. */
  removeRest(sessionId: string): Promise<void>;
}
