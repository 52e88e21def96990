// Waiting that an abort ends. A model, a tool's validation or a sandbox of somebody else's may heed
// no signal; a run must end all the same.
//
// A run may wait for any number of calls at once, and platforms warn of many listeners on one
// signal, so each signal gets one listener for all of them.

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `listener` when `signal` aborts; returns a function that stops that. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? startListening(signal);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * What `task` gives, or the signal's reason thrown as soon as it aborts; then nobody hears what
 * becomes of the task.
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
 * The items of `source` until the signal aborts. A source that is left early is closed without
 * waiting: it may be stuck.
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
    if (!isDone) items.return?.().catch(() => {}); // nobody is interested in it any more
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
