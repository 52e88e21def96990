import type { DecisionInput } from "./approval.ts";
import type { DurableEvent, RunStatus } from "./event.ts";
import type { RunLog } from "./run-log.ts";

/**
 * The status of the newest run of a stored session. `open` means that the run has begun and not
 * ended: a process still drives it, or that process has died.
 */
export type StoredRunStatus = RunStatus | "open";

/** One row in a list of stored sessions. It describes the newest run of the session. */
export interface StoredRun {
  readonly sessionId: string;
  readonly runId: string;
  /** The name of the agent that runs the task; managed agents are not listed. */
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
 * A position in a stored log. A crash can undo the last events that were not flushed. The next
 * process that holds the log then writes other events with the same `seq` and a higher `epoch`.
 */
export interface EventCursor {
  /** The number of the process that wrote the event; see {@link StoredLog.epoch}. */
  readonly epoch: number;
  readonly seq: number;
}

/**
 * An event of a stored log, with the number of the process that wrote it (see {@link EventCursor}).
 */
export type StoredEvent = DurableEvent & Pick<EventCursor, "epoch">;

/** Options of {@link RunStore.list}: which stored sessions to list. */
export interface ListRunsOptions {
  /** Only sessions whose newest run has this status. */
  readonly status?: StoredRunStatus;
  /** The maximum number of rows to return. Default: 50. */
  readonly limit?: number;
  /** The `sessionId` of the last row of the previous page. */
  readonly after?: string;
}

/** Options of {@link RunStore.open}. */
export interface OpenLogOptions {
  /**
   * Opens the log only for reading. This takes no lease, and works while another process writes.
   * Default: false.
   */
  readonly readonly?: boolean;
  /** Aborts the wait for the lease. */
  readonly signal?: AbortSignal;
}

/** The log of a stored session that is open in this process. */
export interface StoredLog extends RunLog, AsyncDisposable {
  /**
   * The number of this holder of the log, from 1: each process that takes the lease gets the next
   * number. A read-only log has the number of its newest holder, or 0 when the log is empty.
   */
  readonly epoch: number;
  /**
   * Whether the log was written with this store's key. A log with another key can be read and
   * replayed, but not resumed.
   */
  readonly isOwn: boolean;
  /** Aborts with a `lease` error when another process has taken over the log. */
  readonly lost: AbortSignal;
  /**
   * Checks that this process still holds the lease, and resolves if it does.
   *
   * @throws AgentError `lease` when it does not
   */
  confirm(): Promise<void>;
}

/**
 * Stores the logs of sessions, so that they outlive the process.
 *
 * Contract:
 * - One writer for each log: `open` takes a lease, and rejects with `lease` while another holder is
 *   alive. A holder whose process died is replaced.
 * - Events that a holder writes after it lost its lease are never read.
 * - `open` with an unknown id starts an empty log; with `readonly` it rejects with `log`.
 * - Flushed events survive a crash. A damaged log is refused with `log-corrupt`, `log-truncated` or
 *   `log-version`.
 * - Disposing a log flushes it and returns its lease. Disposing twice is harmless.
 *
 * `storeContract` of `@smolts/testing` tests this contract.
 */
export interface RunStore {
  open(sessionId: string, options?: OpenLogOptions): Promise<StoredLog>;
  /** Returns the id of the session that contains a run; null for an unknown run. */
  find(runId: string): Promise<string | null>;
  /**
   * Lists sessions, newest first.
   *
   * @throws AgentError `log` when the session `after` no longer exists; start again with the first
   * page
   */
  list(options?: ListRunsOptions): Promise<readonly StoredRun[]>;
  /**
   * Deletes a session and its blobs. Returns false when there is no such session.
   *
   * @throws AgentError `lease` while a process holds the session
   */
  delete(sessionId: string): Promise<boolean>;
  /**
   * Yields the events of a session, and then new events as any process writes them, until `signal`
   * aborts or the session is deleted. If the session does not exist yet, the iteration waits. If a
   * crash undid an event that was already yielded, the next event replaces the undone event: it has
   * the same `seq` and a higher `epoch`.
   *
   * @param from - the `seq` to begin with (1-based), or the cursor of the last event that you have
   */
  follow(
    sessionId: string,
    from: number | EventCursor,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<StoredEvent>;
  /**
   * Records what a person decided about a call of a suspended run. If the person edited the input,
   * it is validated only when the run is resumed, so this works without the agent. Recording the
   * same decision again changes nothing.
   *
   * @throws AgentError `stale-decision` when there is no such request, or another decision was
   * recorded for it; `invalid-option` when the input is not a decision, or an `always` names a
   * field that the call does not have; `lease` while a process drives the run
   */
  decide(runId: string, decision: DecisionInput): Promise<void>;
}
