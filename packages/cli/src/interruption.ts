/** Ends the current run early, for example after Ctrl-C, and records the exit code. */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #exitNow: (exitCode: number) => void;
  #isRunning = false;
  #exitCode: number | null = null;

  /** @param exitNow - ends the process immediately */
  constructor(exitNow: (exitCode: number) => void) {
    this.#exitNow = exitNow;
  }

  /** Aborts when the run must end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles when the run must end. */
  get aborted(): Promise<void> {
    return new Promise((resolve) => {
      if (this.signal.aborted) return resolve();
      this.signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /** The exit code of the first interruption; null if there was none. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  /** Call this when a run begins. From then on, an interruption ends the run cleanly. */
  beginRun(): void {
    this.#isRunning = true;
  }

  /**
   * Handles Ctrl-C or SIGTERM. The first interruption ends the run. A second interruption, or an
   * interruption without a run, ends the process immediately.
   */
  interrupt(reason: string, exitCode: number): void {
    if (!this.#isRunning || this.#exitCode !== null) this.#exitNow(exitCode);
    else this.#abort(reason, exitCode);
  }

  /**
   * Handles a closed output. Every later write calls this method again, but only the first call
   * aborts the run.
   */
  closeOutput(exitCode: number): void {
    if (!this.#isRunning) this.#exitNow(exitCode);
    else if (this.#exitCode === null) this.#abort("the output was closed", exitCode);
  }

  #abort(reason: string, exitCode: number): void {
    this.#exitCode = exitCode;
    this.#controller.abort(reason);
  }
}
