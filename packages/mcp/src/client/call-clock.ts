// Limits the time of a call. The clock runs while the server works. Each progress report resets the
// clock. The clock is paused while a person is asked.

/** The time limit of one call. `signal` aborts when the time is over. */
export class CallClock implements Disposable {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  #leftMs: number;
  #startedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauses = 0;

  /**
   * @param timeoutMs - the maximum time between two progress reports
   * @param maxTotalMs - the maximum time of the call, even if progress is reported
   */
  constructor(timeoutMs: number, maxTotalMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#leftMs = maxTotalMs;
    this.#start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the time limit again, because the server has reported progress. */
  restart(): void {
    if (this.#pauses > 0) return;
    this.#stop();
    this.#start();
  }

  pause(): void {
    this.#pauses++;
    this.#stop();
  }

  resume(): void {
    this.#pauses--;
    if (this.#pauses === 0) this.#start();
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#pauses = Number.POSITIVE_INFINITY;
  }

  #start(): void {
    this.#startedAt = performance.now();
    const waitMs = Math.max(0, Math.min(this.#timeoutMs, this.#leftMs, 2 ** 31 - 1));
    this.#timer = setTimeout(() => this.#controller.abort(), waitMs);
  }

  #stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#startedAt;
  }
}
