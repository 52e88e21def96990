// The program's clock and its timers. The clock stands still while code runs. When a host result
// arrives, the clock moves to the time in that result. When only timers are left, the clock moves
// to the time of the next timer. Timers take no real time, and everything that a program sees
// depends only on its deliveries.

import type { TimerRequest } from "../surroundings.ts";

interface Timer extends TimerRequest {
  readonly id: number;
  /** When the timer is due, in epoch ms. */
  readonly dueAt: number;
}

/**
 * A clock with its timers, in the order in which they are due. The clock moves only when one of its
 * methods is called.
 */
export class GuestClock {
  #now = 0;
  #lastId = 0;
  /** The waiting timers, sorted by `dueAt`, then by id. */
  #timers: Timer[] = [];

  /** The time of the clock, in epoch ms. */
  get now(): number {
    return this.#now;
  }

  /** The number of timers that wait. */
  get size(): number {
    return this.#timers.length;
  }

  /** Returns the guest functions that the timers call. */
  callbacks(): readonly unknown[] {
    return this.#timers.map(({ calls }) => calls);
  }

  /** Whether a waiting timer runs only once. */
  get hasSingleTimer(): boolean {
    return this.#timers.some(({ repeats }) => !repeats);
  }

  /**
   * Moves the clock forward for a new block, and removes all timers. The clock may already be
   * beyond `time`, because timers of earlier blocks moved it.
   */
  start(time: number): void {
    this.moveTo(time);
    this.#timers = [];
  }

  /** Moves the clock forward to this time. The clock never goes back. */
  moveTo(time: number): void {
    if (time > this.#now) this.#now = time;
  }

  /** Starts a timer and returns its number. */
  add(request: TimerRequest): number {
    return this.#insert(++this.#lastId, request);
  }

  /** Removes a timer. */
  remove(id: number): void {
    this.#timers = this.#timers.filter((timer) => timer.id !== id);
  }

  /** Removes all timers. */
  clear(): void {
    this.#timers = [];
  }

  /**
   * Moves the clock to the first timer, removes the timer and returns it. A repeating timer starts
   * again.
   *
   * @param until - epoch ms; a timer that is due later does not start
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
