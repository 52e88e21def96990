/** Why a run is to end before its time, and with which exit code. */
export class Interruption {
  readonly #controller = new AbortController();
  readonly #exitNow: (exitCode: number) => void;
  #isRunning = false;
  #exitCode: number | null = null;

  /** `exitNow` ends the process at once. */
  constructor(exitNow: (exitCode: number) => void) {
    this.#exitNow = exitNow;
  }

  /** Aborts when the run is to end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** That of the first interruption; null as long as there is none. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  /** From here on there is a run, which gets the time to end cleanly. */
  beginRun(): void {
    this.#isRunning = true;
  }

  /**
   * Somebody wants out: the first time the run is ended, the second time, or when there is none,
   * the process.
   */
  interrupt(reason: string, exitCode: number): void {
    if (!this.#isRunning || this.#exitCode !== null) this.#exitNow(exitCode);
    else this.#abort(reason, exitCode);
  }

  /** The reader of the output has gone. Each write reports it again. */
  closeOutput(exitCode: number): void {
    if (!this.#isRunning) this.#exitNow(exitCode);
    else if (this.#exitCode === null) this.#abort("nobody reads the output", exitCode);
  }

  #abort(reason: string, exitCode: number): void {
    this.#exitCode = exitCode;
    this.#controller.abort(reason);
  }
}
