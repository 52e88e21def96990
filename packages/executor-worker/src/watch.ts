/** Callbacks of a {@link Watch} over a thread or a child process. */
export interface WatchOptions {
  /** Sends a message that the thread must answer. */
  ping(): void;
  /** Returns an upper bound for the thread's CPU time, in ms. Null if it is unknown. */
  usedMs(): number | null;
  onHang(): void;
}

const pingPauseMs = 500;
// The watch waits `hangMs` for an answer. If the thread used little CPU time meanwhile, the watch
// waits again, because a busy machine may have given the thread too little time to answer. The
// number of waits is limited, because a thread that hangs while it waits for something else uses no
// CPU time either.
const minWaits = 5;
const minPatienceMs = 10_000;

/**
 * Checks whether a thread still reacts. It sends pings, and gives up if no answer arrives although
 * the thread had time to answer.
 */
export class Watch {
  readonly #hangMs: number;
  readonly #maxWaits: number;
  readonly #options: WatchOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param hangMs - how long an answer may take; with `Infinity`, the watch never gives up */
  constructor(hangMs: number, options: WatchOptions) {
    this.#hangMs = hangMs;
    this.#maxWaits = Math.max(minWaits, Math.ceil(minPatienceMs / hangMs));
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
      if (isStarved && number < this.#maxWaits) this.#wait(usedBeforeMs, number + 1);
      else this.#options.onHang();
    }, this.#hangMs);
  }

  /** Reports that an answer has arrived. */
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
