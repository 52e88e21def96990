// Decides how long a guest may take to stop before it is killed. A guest that gets no processor
// time is not killed. Otherwise its variables would be lost only because other programs keep the
// machine busy.

import type { GuestProcess } from "./guest-process.ts";

/** How often the guest is checked, in ms. */
export const graceTickMs = 20;
const graceMs = 300;
/**
 * The time between a stop and the interrupt of the guest, in ms. An interrupt is meant for the
 * program. If it were sent immediately, it could hit the guest's own code while the guest is
 * responding to the stop.
 */
const interruptAfterMs = 100;
/** The maximum time after an abort, in ms. The host kills the whole sandbox soon after this. */
const maxAfterAbortMs = 600;
/**
 * The maximum time, in ms, for a guest that neither computes nor waits. For example, the guest may
 * have suspended itself.
 */
const maxMs = 5_000;

/** Measures the time of a guest between a stop and the moment when it is killed. */
export class StopGrace {
  readonly #guest: GuestProcess;
  readonly #maxMs: number;
  readonly #began = performance.now();
  #checkedAt = performance.now();
  #processorMs: number;
  #usedMs = 0;
  #isInterrupted = false;

  constructor(guest: GuestProcess, isAbort: boolean) {
    this.#guest = guest;
    this.#maxMs = isAbort ? maxAfterAbortMs : maxMs;
    this.#processorMs = guest.processorMs;
  }

  /** Checks the guest, and interrupts or kills it if its time is over. */
  check(): void {
    this.#account();
    if (this.#usedMs >= graceMs || performance.now() - this.#began >= this.#maxMs) return this.#guest.kill();
    if (this.#usedMs < interruptAfterMs || this.#isInterrupted) return;
    this.#isInterrupted = true;
    this.#guest.interrupt();
  }

  /** Counts the processor time that the guest has used, or the time for which it was waiting. */
  #account(): void {
    const [now, processorMs] = [performance.now(), this.#guest.processorMs];
    // The time since the last check may be long because this process had no CPU time. So only a
    // limited time is counted.
    const waitedMs = this.#guest.isWaiting ? Math.min(now - this.#checkedAt, graceTickMs * 2) : 0;
    this.#usedMs += Math.max(processorMs - this.#processorMs, waitedMs);
    this.#checkedAt = now;
    this.#processorMs = processorMs;
  }
}
