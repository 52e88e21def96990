import type { AgentError, JsonValue } from "@smolts/protocol";

/** A pipe's reports. */
export interface PipeEvents {
  /** Bytes of the runner's standard output, or the same as text; cut anywhere. */
  onOutput(output: Uint8Array | string): void;
  /** Free text of the runner's standard error, for diagnosis. */
  onDiagnosis?(text: string): void;
  /** The pipe is closed; called once. */
  onEnd(error?: unknown): void;
}

/** An open byte pipe to a runner. */
export interface RunnerPipe {
  /**
   * Writes ASCII text to the runner's standard input, after what was written before. A failure is
   * reported by `onEnd`.
   */
  write(text: string): void;
  /** Closes the pipe and leaves the runner as it is. `onEnd` is not called after that. */
  close(): void;
  /** Whether the pipe keeps this process alive; true at first. Without it a pipe always does. */
  keepAlive?(isNeeded: boolean): void;
}

/**
 * One sandbox of a service: where a runner runs.
 *
 * This is all that a new executor has to implement; see `docs/contributing/add-an-executor.md`.
 */
export interface RemoteSandbox {
  /**
   * Opens a pipe to the runner. Called again when a pipe was lost. Rejects with an `AgentError`
   * when the sandbox is gone; any other error is taken for one of the network, and it is tried
   * again.
   */
  connect(events: PipeEvents): Promise<RunnerPipe>;
  /** Ends the sandbox and all that runs in it. Does not throw, also when it is gone already. */
  kill(): Promise<void>;
  /** How `open({ attach })` finds this sandbox again; absent where it cannot. */
  readonly attachment?: JsonValue;
  /**
   * Prepares the sandbox for a time without its host, such as by pausing it. Without it the runner
   * just waits for `keepMs`.
   */
  release?(): Promise<void>;
  /**
   * Called from time to time while a session is open, for services that end a sandbox after a set
   * time.
   */
  extend?(): Promise<void>;
  /** Why the sandbox ended, asked once it is unreachable; null if nobody knows. */
  explain?(): Promise<AgentError | null>;
}
