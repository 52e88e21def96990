// How long a guest may take to heed a stop. One that gets no processor is not to blame for it: its variables would be lost because other programs are busy.

import type { GuestProcess } from "./guest-process.ts";

/** How often a guest is looked at. */
export const graceTickMs = 20;
const graceMs = 300;
/** The host ends the whole sandbox soon after this. */
const mostAfterAbortMs = 600;
/** For a guest that neither works nor waits, such as one that has stopped itself. */
const mostMs = 5_000;

/** The time of a guest from a stop to its kill. */
export class StopGrace {
  readonly #guest: GuestProcess;
  readonly #mostMs: number;
  readonly #began = performance.now();
  #lookedAt = performance.now();
  #processorMs: number;
  #usedMs = 0;

  constructor(guest: GuestProcess, isAbort: boolean) {
    this.#guest = guest;
    this.#mostMs = isAbort ? mostAfterAbortMs : mostMs;
    this.#processorMs = guest.processorMs;
  }

  /** Looks at the guest: adds the processor time that it used, or the time in which it wanted none. Returns whether that was too much. */
  isOver(): boolean {
    const [now, processorMs] = [performance.now(), this.#guest.processorMs];
    // This process may have had no processor either.
    const waitedMs = this.#guest.isWaiting ? Math.min(now - this.#lookedAt, graceTickMs * 2) : 0;
    this.#usedMs += Math.max(processorMs - this.#processorMs, waitedMs);
    this.#lookedAt = now;
    this.#processorMs = processorMs;
    return this.#usedMs >= graceMs || now - this.#began >= this.#mostMs;
  }
}
