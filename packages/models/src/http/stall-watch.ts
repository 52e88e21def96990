/** Aborts a request together with its caller, or when what it waits for takes too long. */
export interface StallWatch {
  /** For the request: aborts with the caller's reason, or with the error of a time-out. */
  readonly signal: AbortSignal;
  /**
   * Starts to wait, for at most `limitMs` (0 or Infinity: for ever); `late` makes the error.
   * Replaces the wait before.
   */
  start(limitMs: number, late: () => Error): void;
  /** Stops waiting: the server has answered, and the reader may take as long as it likes. */
  stop(): void;
  /**
   * The result of a task, or the signal's reason as soon as it aborts. Not every `fetch`, stream or
   * SDK heeds its signal.
   */
  race<Result>(task: PromiseLike<Result>): Promise<Result>;
  /** Ends the watch and closes what the request still holds open. */
  close(): void;
}

/** The host fires a timer with a longer delay at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Makes a {@link StallWatch}, whose signal also aborts when the caller's does. */
export function createStallWatch(caller: AbortSignal): StallWatch {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(caller.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  if (caller.aborted) onAbort();
  // Not AbortSignal.any(): a caller's signal that lives for a whole session would keep every
  // request's.
  caller.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    start(limitMs, late) {
      stop();
      if (limitMs > 0 && limitMs <= longestTimerMs) timer = setTimeout(() => controller.abort(late()), limitMs);
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
 * The items of a source until the watch's signal aborts. A source that is left early is notified;
 * nothing waits for it, since it may hang.
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
    // How a source ends that nobody reads any more does not matter.
    if (!isDone) items.return?.().then(undefined, () => {});
  }
}

/** The result of a task, or the signal's reason as soon as it aborts. */
export function untilAborted<Result>(task: PromiseLike<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
    const settle =
      <Value>(take: (value: Value) => void) =>
      (value: Value): void => {
        signal.removeEventListener("abort", giveUp);
        take(value);
      };
    task.then(settle(resolve), settle(reject));
  });
}
