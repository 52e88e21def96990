// Stops waiting when a signal aborts. A model, a tool or a sandbox may ignore its signal, but the
// caller must still end.
//
// A caller may wait for many tasks at once, and platforms warn about many listeners on one signal.
// So all waits for the same signal share one listener.

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a listener when a signal aborts. Returns a function that removes the listener. If the
 * signal has aborted before, the listener is not called.
 *
 * @example
 * ```ts
 * import { onAbort } from "@smolts/protocol";
 *
 * const controller = new AbortController();
 * const stop = onAbort(controller.signal, () => console.log("aborted"));
 * stop();
 * ```
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? startListening(signal);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns the result of a task, or throws the signal's reason as soon as the signal aborts. The
 * task is not stopped. After an abort, its result is ignored.
 *
 * @throws the signal's reason, or the error of the task
 * @example
 * ```ts
 * import { untilAborted } from "@smolts/protocol";
 *
 * const text = await untilAborted(Promise.resolve("done"), AbortSignal.timeout(1_000));
 * ```
 */
export function untilAborted<Result>(task: PromiseLike<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    if (signal.aborted) giveUp();
    const stop = onAbort(signal, giveUp);
    task.then(resolve, reject).then(stop);
  });
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
