// The calls of one execution that are in flight. Most programs wait for one call at a time, so the newest has a place of its own.

import type { PromiseSlots } from "../operations/promise.ts";

/** The promises of calls in flight, by call index. */
export class PendingCalls {
  #newestIndex = 0;
  #newest: PromiseSlots | null = null;
  /** In the order in which they were made. */
  readonly #older = new Map<number, PromiseSlots>();

  get size(): number {
    return this.#newest === null ? this.#older.size : this.#older.size + 1;
  }

  /** Adds a call that is newer than all before. */
  add(callIndex: number, promise: PromiseSlots): void {
    if (this.#newest !== null) this.#older.set(this.#newestIndex, this.#newest);
    this.#newestIndex = callIndex;
    this.#newest = promise;
  }

  /** Gives the promise of a call, which is in flight no more; undefined when it was not. */
  take(callIndex: number): PromiseSlots | undefined {
    if (this.#newest === null || callIndex !== this.#newestIndex) return this.#takeOlder(callIndex);
    const promise = this.#newest;
    this.#newest = null;
    return promise;
  }

  /** The promises of the calls, in the order in which they were made. */
  promises(): readonly PromiseSlots[] {
    return this.#newest === null ? [...this.#older.values()] : [...this.#older.values(), this.#newest];
  }

  /** The call indexes, ascending. */
  indexes(): readonly number[] {
    return this.#newest === null ? [...this.#older.keys()] : [...this.#older.keys(), this.#newestIndex];
  }

  /** Forgets all calls. */
  clear(): void {
    this.#newest = null;
    this.#older.clear();
  }

  #takeOlder(callIndex: number): PromiseSlots | undefined {
    const promise = this.#older.get(callIndex);
    this.#older.delete(callIndex);
    return promise;
  }
}
