/** A watch over a thread or a child process. */
export interface WatchOptions {
  /** Asks for a sign of life. */
  ping(): void;
  onHang(): void;
}

const pingPauseMs = 500;

/** Looks whether a thread still hears: pings it, and gives up when no answer comes in time. */
export class Watch {
  readonly #hangMs: number;
  readonly #options: WatchOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param hangMs - how long an answer may take; `Infinity` never gives up */
  constructor(hangMs: number, options: WatchOptions) {
    this.#hangMs = hangMs;
    this.#options = options;
  }

  start(): void {
    if (this.#hangMs === Number.POSITIVE_INFINITY) return;
    this.#options.ping();
    this.#set(() => this.#options.onHang(), this.#hangMs);
  }

  /** An answer came. */
  answered(): void {
    if (this.#timer !== undefined) this.#set(() => this.start(), pingPauseMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #set(act: () => void, delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, delayMs);
  }
}
