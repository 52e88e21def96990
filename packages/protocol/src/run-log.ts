import type { DurableBody, DurableEvent, EventStamp, Path } from "./event.ts";
import type { BlobRef } from "./message.ts";

/** Where an appended event belongs. */
export interface EventPlace {
  readonly runId: string;
  readonly path: Path;
  /** Epoch ms. Only for an event that is copied from another log; now when absent. */
  readonly time?: number;
}

/**
 * The append-only log of a session: one writer, any number of runs one after the other.
 *
 * Contract:
 * - `append` sets the event's `seq` and `time` at once, in the order of the calls. It may write
 *   later.
 * - `flush` resolves when everything appended so far is safe, and no other process has taken the
 *   log over. Each effect begins right after a flush. After a write error every method throws
 *   `log`.
 * - `read` yields the events that exist, starting at `fromSeq` (1-based), and ends.
 * - Blobs are kept by digest, once.
 */
export interface RunLog {
  readonly id: string;
  append<Body extends DurableBody>(body: Body, at: EventPlace): EventStamp & Body;
  flush(): Promise<void>;
  read(fromSeq?: number): AsyncIterable<DurableEvent>;
  putBlob(bytes: Uint8Array, mediaType: string): Promise<BlobRef>;
  readBlob(digest: string): Promise<Uint8Array>;
}
