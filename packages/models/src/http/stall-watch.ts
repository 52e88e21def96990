import { untilAborted } from "@smolts/protocol";
/** Aborts a request when its caller aborts, or when a wait takes too long. */
export interface StallWatch {
  /**
   * The signal for the request. It aborts with the caller's reason or with the time-out's error.
   */
  readonly signal: AbortSignal;
  /**
   * Starts a wait of at most `limitMs` (0 or Infinity: no limit), and ends the previous wait.
   * `late` creates the error for a wait that takes too long.
   */
  start(limitMs: number, late: () => Error): void;
  /**
   * Ends the wait, because the server has answered. The consumer may now take as long as it likes.
   */
  stop(): void;
  /**
   * Returns the result of a task, or throws the signal's reason as soon as the signal aborts. This
   * also works for a `fetch`, a stream or an SDK that ignores its signal.
   */
  race<Result>(task: PromiseLike<Result>): Promise<Result>;
  /** Ends the watch, and aborts the request if it is still open. */
  close(): void;
}

/**
 * The longest delay of a timer, in ms. With a longer delay, runtimes fire the timer immediately.
 */
const maxTimerMs = 2 ** 31 - 1;

/** Creates a {@link StallWatch}. Its signal also aborts when the caller's signal aborts. */
export function createStallWatch(caller: AbortSignal): StallWatch {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(caller.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  if (caller.aborted) onAbort();
  // AbortSignal.any() is not used, because the caller's signal would keep the signal of each
  // request in memory, possibly for a whole session.
  caller.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    start(limitMs, late) {
      stop();
      if (limitMs > 0 && limitMs <= maxTimerMs) timer = setTimeout(() => controller.abort(late()), limitMs);
    },
    stop,
    race: (task) => untilAborted(task, controller.signal),
    close() {
      stop();
      caller.removeEventListener("abort", onAbort);
      controller.abort();
    },
  };
}

/**
 * Yields the items of a source until the watch's signal aborts. If the consumer leaves early, the
 * source is closed without waiting, because the source may hang.
 */
export async function* itemsWithin<Item>(source: AsyncIterable<Item>, watch: StallWatch): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  let isDone = false;
  try {
    while (!isDone) {
      const next = await watch.race(items.next());
      isDone = next.done === true;
      if (!next.done) yield next.value;
    }
  } finally {
    // Nobody reads the source any more, so its errors do not matter.
    if (!isDone) items.return?.().then(undefined, () => {});
  }
}
