// How long a guest may take to heed a stop. One that gets no processor is not to blame for it: its
// variables would be lost because other programs are busy.

import type { GuestProcess } from "./guest-process.ts";

/** How often a guest is looked at. */
export const graceTickMs = 20;
const graceMs = 300;
/** An interrupt is for programs: in the guest's own code it could cut off the answer to a stop. */
const interruptAfterMs = 100;
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
  #isInterrupted = false;

  constructor(guest: GuestProcess, isAbort: boolean) {
    this.#guest = guest;
    this.#mostMs = isAbort ? mostAfterAbortMs : mostMs;
    this.#processorMs = guest.processorMs;
  }

  /** Looks at the guest, and interrupts it or kills it when that is due. */
  look(): void {
    this.#account();
    if (this.#usedMs >= graceMs || performance.now() - this.#began >= this.#mostMs) return this.#guest.kill();
    if (this.#usedMs < interruptAfterMs || this.#isInterrupted) return;
    this.#isInterrupted = true;
    this.#guest.interrupt();
  }

  /** Adds the processor time that the guest used, or the time in which it wanted none. */
  #account(): void {
    const [now, processorMs] = [performance.now(), this.#guest.processorMs];
    // This process may have had no processor either.
    const waitedMs = this.#guest.isWaiting ? Math.min(now - this.#lookedAt, graceTickMs * 2) : 0;
    this.#usedMs += Math.max(processorMs - this.#processorMs, waitedMs);
    this.#lookedAt = now;
    this.#processorMs = processorMs;
  }
}
