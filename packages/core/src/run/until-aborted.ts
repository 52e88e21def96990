// Stops waiting when a signal aborts. A model, a tool's validation or a sandbox from elsewhere may
// ignore the signal, but the run must still end.
//
// A run may wait for many calls at once, and platforms warn about many listeners on one signal. So
// each signal gets one listener for all of them.

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `listener` when `signal` aborts. Returns a function that removes the listener. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? startListening(signal);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns the result of `task`, or throws the signal's reason as soon as it aborts. After an abort
 * the result of the task is ignored.
 */
export function untilAborted<Result>(task: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    if (signal.aborted) giveUp();
    const stop = onAbort(signal, giveUp);
    task.then(resolve, reject).then(stop);
  });
}

/**
 * Yields the items of `source` until the signal aborts. If it stops early, it closes the source
 * without waiting, because the source may hang.
 */
export async function* itemsUntilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void> {
  const items = source[Symbol.asyncIterator]();
  let isDone = false;
  try {
    while (!isDone) {
      const next = await untilAborted(items.next(), signal);
      isDone = next.done === true;
      if (!next.done) yield next.value;
    }
  } finally {
    if (!isDone) void close(items);
  }
}

/** Closes a source whose items are no longer needed. It does not matter whether that succeeds. */
async function close(items: AsyncIterator<unknown>): Promise<void> {
  try {
    await items.return?.();
  } catch {
    // Iterators that are not generators may throw here.
  }
}

function startListening(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(signal, listeners);
  const callAll = (): void => {
    for (const listener of listeners) listener();
  };
  signal.addEventListener("abort", callAll, { once: true });
  return listeners;
}
