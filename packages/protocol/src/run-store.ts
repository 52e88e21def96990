import type { GivenDecision } from "./approval.ts";
import type { DurableEvent, RunStatus } from "./event.ts";
import type { RunLog } from "./run-log.ts";

/**
 * How the newest run of a stored session stands. `open`: it has begun and not ended, so a process
 * drives it or has died.
 */
export type StoredRunStatus = RunStatus | "open";

/** One row of a list of stored sessions: what it says about the newest run of the session. */
export interface StoredRun {
  readonly sessionId: string;
  readonly runId: string;
  /** The name of the outermost agent. */
  readonly agent: string;
  /** The model's id, `provider/model`. */
  readonly model: string;
  readonly status: StoredRunStatus;
  /** The text of the task, cut after 200 characters. */
  readonly task: string;
  /** When the session began, in epoch ms. */
  readonly startTime: number;
  /** When the status last changed, in epoch ms. */
  readonly updateTime: number;
}

/**
 * A place in a stored log. A crash can take back the last events that were not flushed; the next
 * holder then writes others with the same `seq` and a higher `epoch`.
 */
export interface EventCursor {
  /** The holder that wrote the event, as in {@link StoredLog.epoch}. */
  readonly epoch: number;
  readonly seq: number;
}

/** An event of a stored log, with the number of the holder that wrote it. */
export type StoredEvent = DurableEvent & Pick<EventCursor, "epoch">;

/** Which stored sessions to list. */
export interface ListRunsOptions {
  /** Only sessions whose newest run has this status. */
  readonly status?: StoredRunStatus;
  /** At most so many rows; 50 when absent. */
  readonly limit?: number;
  /** The `sessionId` of the last row of the page before. */
  readonly after?: string;
}

/** How a session is opened. */
export interface OpenLogOptions {
  /** Only read: takes no lease, and works while another process writes. False when absent. */
  readonly readonly?: boolean;
  /** Ends the wait for a lease. */
  readonly signal?: AbortSignal;
}

/** The log of a stored session, open in this process. */
export interface StoredLog extends RunLog, AsyncDisposable {
  /**
   * Counts the holders of this log from 1. A read-only log has the epoch of its newest holder, 0
   * when it is empty.
   */
  readonly epoch: number;
  /**
   * Whether this store's key vouches for the log. A foreign log can be read and replayed, not
   * resumed.
   */
  readonly isOwn: boolean;
  /** Aborts with a `lease` error when another process has taken over. */
  readonly lost: AbortSignal;
  /**
   * Resolves when this process still holds the lease.
   *
   * @throws AgentError `lease` when it does not
   */
  confirm(): Promise<void>;
}

/**
 * Keeps the logs of sessions beyond the life of a process.
 *
 * Contract:
 * - One writer for each log: `open` takes a lease, and rejects with `lease` while another holder is
 *   alive. A holder that died is replaced.
 * - Events that a holder writes after it lost its lease are never read.
 * - `open` of an unknown id begins an empty log; with `readonly` it rejects with `log`.
 * - Everything that was flushed is there after a crash. A damaged log is refused with
 *   `log-corrupt`, `log-truncated` or `log-version`.
 * - Disposing a log flushes it and returns its lease. Disposing twice is harmless.
 *
 * `storeContract` of `@smolts/testing` has all of it as tests.
 */
export interface RunStore {
  open(sessionId: string, options?: OpenLogOptions): Promise<StoredLog>;
  /** The session that holds a run; null for an unknown run. */
  find(runId: string): Promise<string | null>;
  /**
   * Newest sessions first, by the time they began.
   *
   * @throws AgentError `log` when there is no session `after` any more: begin with the first page
   */
  list(options?: ListRunsOptions): Promise<readonly StoredRun[]>;
  /**
   * Deletes a session with its blobs; false when there is none.
   *
   * @throws AgentError `lease` while a process holds it
   */
  delete(sessionId: string): Promise<boolean>;
  /**
   * The events of a session, then new ones as they are written by any process, until `signal`
   * aborts or the session is deleted. It waits for a session that is not there yet. When a crash
   * took back an event that was yielded, the event that replaces it comes next: with a `seq` that
   * was there before, and a higher `epoch`.
   *
   * @param from - the `seq` to begin with (1-based), or the cursor of the last event that was seen
   */
  follow(
    sessionId: string,
    from: number | EventCursor,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<StoredEvent>;
  /**
   * Records what a person decided about a call of a suspended run. It needs no agent: an edit is
   * validated when the run is resumed. The same decision again is accepted and changes nothing.
   *
   * @throws AgentError `stale-decision` when nobody asks for it, or it was decided otherwise;
   *   `invalid-option` when it is not a decision, or a standing consent names a field that the call
   *   does not have; `lease` while a process drives the run
   */
  decide(runId: string, decision: GivenDecision): Promise<void>;
}
