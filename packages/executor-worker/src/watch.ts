/** A watch over a thread or a child process. */
export interface WatchOptions {
  /** Asks for a sign of life. */
  ping(): void;
  /** CPU time that the watched can have used at most, in ms; null where nobody reports it. */
  usedMs(): number | null;
  onHang(): void;
}

const pingPauseMs = 500;
// On a busy machine the watched may not have had its time yet. One that waits for something else
// uses none either, so this ends.
const mostWaits = 5;

/**
 * Looks whether a thread still hears: pings it, and gives up when no answer comes while it could
 * have used its time.
 */
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
    this.#wait(this.#options.usedMs(), 1);
  }

  #wait(usedBeforeMs: number | null, number: number): void {
    this.#set(() => {
      const usedMs = this.#options.usedMs();
      const isStarved = usedMs !== null && usedBeforeMs !== null && usedMs - usedBeforeMs < this.#hangMs;
      if (isStarved && number < mostWaits) this.#wait(usedBeforeMs, number + 1);
      else this.#options.onHang();
    }, this.#hangMs);
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
