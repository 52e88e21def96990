import { AgentError, untilAborted } from "@smolts/protocol";

/** The place of a run in the queue of its session. */
export interface Turn {
  /**
   * Waits until the earlier runs have ended.
   *
   * @throws AgentError `busy` when another run is active and `queue` is false; the signal's reason
   * when it aborts
   */
  take(options: { readonly queue: boolean; readonly signal: AbortSignal }): Promise<void>;
  /**
   * Called when the run has ended, even if its result is not ready yet. The run no longer counts as
   * active.
   */
  leave(): void;
  /** Sets the promise of the run's result. The next turn begins after it has settled. */
  endsWith(result: Promise<unknown>): void;
}

/** The queue of a session's runs. Only one of them runs at a time. */
export class Turns {
  #open = 0;
  #allEnded: Promise<unknown> = Promise.resolve();

  /** The number of runs that are active or wait. */
  get open(): number {
    return this.#open;
  }

  /** Settles when all runs that are in the queue now have ended. */
  get allEnded(): Promise<unknown> {
    return this.#allEnded;
  }

  /** Adds a run to the queue immediately. */
  next(): Turn {
    const before = this.#open === 0 ? null : this.#allEnded;
    this.#open++;
    return {
      take: async ({ queue, signal }) => {
        if (before && !queue) throw busy();
        if (before) await untilAborted(before, signal);
      },
      leave: () => {
        this.#open--;
      },
      endsWith: (result) => {
        // Drop the results. Otherwise, in a queue that is never empty, each result would keep the
        // previous result in memory.
        this.#allEnded = Promise.all([before, result]).then(() => {});
      },
    };
  }
}

/** Returns the error about something that cannot be done while a run is active. */
export const busy = (): AgentError =>
  new AgentError("busy", "a run of this session is in progress", {
    hint: "await it first, pass { queue: true } to wait for it, or open another session",
  });
