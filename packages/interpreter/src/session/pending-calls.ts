// The calls of one execution that are in flight. Most programs wait for one call at a time, so the
// newest call is kept in fields and the others in a map.

import type { PromiseSlots } from "../operations/promise.ts";

/**
 * Maps the index of each call in flight to the promise of its result. Also counts the bytes that
 * these calls passed to their tools.
 */
export class PendingCalls {
  #newestIndex = 0;
  #newest: PromiseSlots | null = null;
  #newestBytes = 0;
  /** The bytes that all calls in flight passed to their tools. */
  bytes = 0;
  /** All calls but the newest, in the order in which they were made. */
  readonly #older = new Map<number, { readonly promise: PromiseSlots; readonly bytes: number }>();

  get size(): number {
    return this.#newest === null ? this.#older.size : this.#older.size + 1;
  }

  /** Adds a call. It must be newer than all calls added before. */
  add(callIndex: number, promise: PromiseSlots, bytes: number): void {
    if (this.#newest !== null) this.#older.set(this.#newestIndex, { promise: this.#newest, bytes: this.#newestBytes });
    this.#newestBytes = bytes;
    this.bytes += bytes;
    this.#newestIndex = callIndex;
    this.#newest = promise;
  }

  /** Removes a call and returns its promise; undefined if the call is not in flight. */
  take(callIndex: number): PromiseSlots | undefined {
    if (this.#newest === null || callIndex !== this.#newestIndex) return this.#takeOlder(callIndex);
    const promise = this.#newest;
    this.#newest = null;
    this.bytes -= this.#newestBytes;
    return promise;
  }

  /** Returns the indexes of the calls, ascending. */
  indexes(): readonly number[] {
    return this.#newest === null ? [...this.#older.keys()] : [...this.#older.keys(), this.#newestIndex];
  }

  /** Removes all calls. */
  clear(): void {
    this.#newest = null;
    this.bytes = 0;
    this.#older.clear();
  }

  #takeOlder(callIndex: number): PromiseSlots | undefined {
    const older = this.#older.get(callIndex);
    if (!older) return undefined;
    this.#older.delete(callIndex);
    this.bytes -= older.bytes;
    return older.promise;
  }
}
