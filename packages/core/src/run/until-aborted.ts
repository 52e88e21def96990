// Stops waiting when a signal aborts. A model, a tool's validation or a third-party sandbox may
// ignore the signal, but the run must still end.
//
// A run may wait for many calls at once, and platforms warn about many listeners on one signal. So
// all calls that wait for the same signal share one listener.

import { eventLoopYielder } from "./yield-to-event-loop.ts";

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `listener` when `signal` aborts. Returns a function that removes the listener. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? startListening(signal);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns the result of `task`, or throws the signal's reason as soon as the signal aborts. After
 * an abort the result of the task is ignored.
 */
export function untilAborted<Result>(task: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    if (signal.aborted) giveUp();
    const stop = onAbort(signal, giveUp);
    task.then(resolve, reject).then(stop);
  });
}

/** How long a source may take to end after its last item, in ms. */
const endGraceMs = 1_000;

/**
 * Yields the items of `source` until the signal aborts. If it stops early, it closes the source
 * without waiting, because the source may hang.
 *
 * A source may do more work after its last item, for example store what it has sent. It has a short
 * time for that work, and is closed afterwards. Between the items, this function lets the event
 * loop run from time to time, because a source may always have the next item ready.
 */
export async function* itemsUntilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
  isLast: (item: Item) => boolean,
): AsyncGenerator<Item, void> {
  const items = source[Symbol.asyncIterator]();
  const yieldIfDue = eventLoopYielder();
  const grace = new Grace(endGraceMs);
  let isDone = false;
  try {
    while (!isDone) {
      const next = await untilAborted(grace.orEnd(items.next()), signal);
      if (next === null) return;
      isDone = next.done === true;
      if (next.done) continue;
      yield next.value;
      await yieldIfDue();
      signal.throwIfAborted();
      if (isLast(next.value)) grace.begin();
    }
  } finally {
    grace.close();
    if (!isDone) void close(items);
  }
}

/** A time limit that starts when `begin` is called. */
class Grace {
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #end: Promise<null> | null = null;
  #isOver = false;

  constructor(ms: number) {
    this.#ms = ms;
  }

  begin(): void {
    this.#end ??= new Promise((resolve) => {
      this.#timer = setTimeout(() => {
        this.#isOver = true;
        resolve(null);
      }, this.#ms);
    });
  }

  /** Returns the result of the task, or null if the time ends first. */
  orEnd<Result>(task: Promise<Result>): Promise<Result | null> {
    if (this.#end === null) return task;
    return this.#isOver ? this.#end : Promise.race([task, this.#end]);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/** Closes a source whose items are no longer needed. Errors of closing are ignored. */
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
