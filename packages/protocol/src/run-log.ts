import type { DurableBody, DurableEvent, EventStamp, Path } from "./event.ts";
import type { BlobRef } from "./message.ts";

/** The run and the agent that an appended event belongs to. */
export interface EventPlace {
  readonly runId: string;
  readonly path: Path;
  /**
   * The time of the event in epoch ms; the current time if absent. Set only for an event that is
   * copied from another log.
   */
  readonly time?: number;
}

/**
 * The append-only log of a session: it has one writer, and holds any number of runs, one after the
 * other.
 *
 * Contract:
 * - `append` sets the event's `seq` and `time` immediately, in the order of the calls. It may write
 *   later.
 * - `flush` resolves when everything appended so far has been stored, and no other process has
 *   taken over the log. The run flushes before each tool call that has an effect. After a write
 *   error every method throws `log`.
 * - `read` yields the events that exist, starting at `fromSeq` (1-based), and ends.
 * - Each blob is stored once, under its digest.
 */
export interface RunLog {
  /** The id of the session. */
  readonly id: string;
  /** Adds an event, and returns it with its number and its time. */
  append<Body extends DurableBody>(body: Body, at: EventPlace): EventStamp & Body;
  /** Waits until every event so far has been stored. */
  flush(): Promise<void>;
  /** Yields the events that exist, starting at `fromSeq` (1-based, default 1). */
  read(fromSeq?: number): AsyncIterable<DurableEvent>;
  /** Stores the bytes of an image, a sound or a file. */
  putBlob(bytes: Uint8Array, mediaType: string): Promise<BlobRef>;
  /** Returns the bytes that were stored under a digest. */
  readBlob(digest: string): Promise<Uint8Array>;
}
