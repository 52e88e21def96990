import type { AgentError, JsonValue } from "@smolts/protocol";

/** Callbacks of a pipe. */
export interface PipeEvents {
  /**
   * Called with the runner's standard output, as bytes or as text. The output may be split
   * anywhere.
   */
  onOutput(output: Uint8Array | string): void;
  /** Called with the runner's standard error, which contains diagnostic text. */
  onDiagnosis?(text: string): void;
  /** Called once when the pipe is closed. */
  onEnd(error?: unknown): void;
}

/** An open byte pipe to a runner. */
export interface RunnerPipe {
  /**
   * Writes ASCII text to the runner's standard input. The order of texts is kept. `onEnd` reports
   * errors.
   */
  write(text: string): void;
  /** Closes the pipe, but leaves the runner running. `onEnd` is not called after this. */
  close(): void;
  /**
   * Sets whether the pipe keeps this process alive. At first it does. A pipe without this method
   * always does.
   */
  keepAlive?(isNeeded: boolean): void;
}

/**
 * A sandbox of a service. A runner runs in it.
 *
 * To support another service, implement this interface; see `docs/contributing/add-an-executor.md`.
 */
export interface RemoteSandbox {
  /**
   * Opens a pipe to the runner. It is called again if a pipe was lost. Rejects with an `AgentError`
   * if the sandbox is gone. Any other error is treated as a network error, and the call is
   * repeated.
   */
  connect(events: PipeEvents): Promise<RunnerPipe>;
  /**
   * Ends the sandbox and everything that runs in it. Does not throw, even if the sandbox is already
   * gone.
   */
  kill(): Promise<void>;
  /**
   * The data that `open({ attach })` needs to find this sandbox again. Absent if the service does
   * not support finding sandboxes again.
   */
  readonly attachment?: JsonValue;
  /**
   * Prepares the sandbox for a time without its host, for example by pausing it. Without this
   * method, the runner only waits for `keepMs`.
   */
  release?(): Promise<void>;
  /**
   * Called regularly while a session is open. If the service ends sandboxes after a fixed time,
   * this method can postpone the end.
   */
  extend?(): Promise<void>;
  /**
   * Returns why the sandbox ended. Called when it is unreachable. Returns null if the reason is
   * unknown.
   */
  explain?(): Promise<AgentError | null>;
}
