import { untilAborted } from "@smolts/protocol";
import { eventLoopYielder } from "./yield-to-event-loop.ts";

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
