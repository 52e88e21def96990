import { type ActionStep, untilAborted } from "@smolts/protocol";

/** The result of a request for one step. */
export interface GatedStep {
  /** The completed step; null when the run ended without another step. */
  readonly step: ActionStep | null;
  readonly hasEnded: boolean;
}

/** Lets a manual run take one step for each call of `next()`. */
export class StepGate {
  /**
   * The callers that wait for a step, in order. While `#isTaken` is true, the first one's step is
   * running.
   */
  readonly #waiting: ((gated: GatedStep) => void)[] = [];
  #isTaken = false;
  #lastGiven: ActionStep | null = null;
  #wakeLoop: (() => void) | null = null;
  #hasEnded = false;

  /** Requests one step. */
  next(): Promise<GatedStep> {
    if (this.#hasEnded) return Promise.resolve({ step: null, hasEnded: true });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#wakeLoop?.();
    });
  }

  /**
   * Called by the loop before each step. It returns the newest completed step to the caller that
   * requested it, and waits until a caller requests the next one.
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

  /** Called when there are no more steps. */
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
