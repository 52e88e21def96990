import type { ActionStep } from "@smolts/protocol";
import { untilAborted } from "../run/until-aborted.ts";

/** The reply to a request for a step. */
export interface GatedStep {
  /** Null when the run ended without another step. */
  readonly step: ActionStep | null;
  readonly hasEnded: boolean;
}

/** Lets a run that is stepped by hand through, one step for each `next()`. */
export class StepGate {
  /** Those who asked for a step, in order; while `#isTaken` the first one's is going on. */
  readonly #waiting: ((gated: GatedStep) => void)[] = [];
  #isTaken = false;
  #lastGiven: ActionStep | null = null;
  #wakeLoop: (() => void) | null = null;
  #hasEnded = false;

  /** Asks for one step. */
  next(): Promise<GatedStep> {
    if (this.#hasEnded) return Promise.resolve({ step: null, hasEnded: true });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#wakeLoop?.();
    });
  }

  /**
   * Called by the loop before each step: the newest one is complete, and this one waits for whoever
   * asks for it.
   */
  async pass(newest: ActionStep | null, signal: AbortSignal): Promise<void> {
    if (this.#isTaken) this.#give(newest);
    this.#isTaken = false;
    if (this.#waiting.length === 0) {
      await untilAborted(new Promise<void>((resolve) => (this.#wakeLoop = resolve)), signal);
      this.#wakeLoop = null;
    }
    this.#isTaken = true;
  }

  /** No more steps will come. */
  end(newest: ActionStep | null): void {
    this.#hasEnded = true;
    if (this.#isTaken) this.#give(newest);
    for (const resolve of this.#waiting.splice(0)) resolve({ step: null, hasEnded: true });
  }

  #give(newest: ActionStep | null): void {
    const step = newest === this.#lastGiven ? null : newest;
    this.#lastGiven = newest;
    this.#waiting.shift()?.({ step, hasEnded: this.#hasEnded });
  }
}
