// The program's clock and its timers. The clock stands still while code runs; it moves when a host
// result arrives (to the time that the result carries) and when nothing is left to do but to wait
// for a timer (to the time of that timer). So no timer really waits, and what a program sees is a
// function of its deliveries.

import type { TimerRequest } from "../surroundings.ts";

interface Timer extends TimerRequest {
  readonly id: number;
  /** Epoch ms. */
  readonly dueAt: number;
}

/** A clock that is moved, with timers in the order in which they are due. */
export class GuestClock {
  #now = 0;
  #lastId = 0;
  /** Sorted by `dueAt`, then by id. */
  #timers: Timer[] = [];

  /** Epoch ms. */
  get now(): number {
    return this.#now;
  }

  /** Timers that wait. */
  get size(): number {
    return this.#timers.length;
  }

  /** The functions of the program that the timers call. */
  callbacks(): readonly unknown[] {
    return this.#timers.map(({ calls }) => calls);
  }

  /** Whether there is a timer that does not start again by itself. */
  get hasSingleTimer(): boolean {
    return this.#timers.some(({ repeats }) => !repeats);
  }

  /**
   * Moves the clock on for a new block, and forgets all timers. Timers of the block before may have
   * moved it beyond `time`.
   */
  start(time: number): void {
    this.moveTo(time);
    this.#timers = [];
  }

  /** Moves the clock on; it never goes back. */
  moveTo(time: number): void {
    if (time > this.#now) this.#now = time;
  }

  /** Starts a timer. */
  add(request: TimerRequest): number {
    return this.#insert(++this.#lastId, request);
  }

  /** Forgets a timer. */
  remove(id: number): void {
    this.#timers = this.#timers.filter((timer) => timer.id !== id);
  }

  /** Forgets all timers. */
  clear(): void {
    this.#timers = [];
  }

  /**
   * Moves the clock to the first timer, removes it (a repeating one starts again) and returns it.
   *
   * @param until - epoch ms; a timer that is due later is left alone
   */
  takeFirst(until: number = Number.POSITIVE_INFINITY): TimerRequest | undefined {
    const first = this.#timers[0];
    if (!first || first.dueAt > until) return undefined;
    this.#timers.shift();
    this.moveTo(first.dueAt);
    if (first.repeats) this.#insert(first.id, first);
    return first;
  }

  #insert(id: number, { delayMs, repeats, calls, run }: TimerRequest): number {
    const dueAt = this.#now + Math.max(delayMs, repeats ? 1 : 0);
    const before = this.#timers.findLastIndex((timer) => timer.dueAt <= dueAt);
    this.#timers.splice(before + 1, 0, { id, delayMs, repeats, calls, run, dueAt });
    return id;
  }
}
