/** Aborts a request together with its caller, or when what it waits for takes too long. */
export interface StallWatch {
  /** For the request: aborts with the caller's reason, or with the error of a time-out. */
  readonly signal: AbortSignal;
  /** Starts to wait, for at most `limitMs` (0 or Infinity: for ever); `late` makes the error. Replaces the wait before. */
  start(limitMs: number, late: () => Error): void;
  /** Stops waiting: the server has spoken, and how long the reader takes is nobody's business. */
  stop(): void;
  /** Ends the watch and closes what the request still holds open. */
  close(): void;
}

/** Beyond it, a timer goes off at once. */
const longestTimerMs = 2 ** 31 - 1;

/** A {@link StallWatch} below the caller's signal. */
export function createStallWatch(caller: AbortSignal): StallWatch {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(caller.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  if (caller.aborted) onAbort();
  // Not AbortSignal.any(): a caller's signal that lives for a whole session would keep every request's.
  caller.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    start(limitMs, late) {
      stop();
      if (limitMs > 0 && limitMs <= longestTimerMs) timer = setTimeout(() => controller.abort(late()), limitMs);
    },
    stop,
    close() {
      stop();
      caller.removeEventListener("abort", onAbort);
      controller.abort();
    },
  };
}
