import { AgentError } from "@smolts/protocol";
import { untilAborted } from "../run/until-aborted.ts";

/** The place of a run in the line of its session. */
export interface Turn {
  /**
   * Waits until the runs before it have ended.
   *
   * @throws AgentError `busy` when it is not to wait; the signal's reason
   */
  take(options: { readonly queue: boolean; readonly signal: AbortSignal }): Promise<void>;
  /** The run is over, as far as others are concerned. Its own result may still be on its way. */
  leave(): void;
  /** Settles with the run's result: the next turn begins after it. */
  endsWith(result: Promise<unknown>): void;
}

/** The runs of a session, one at a time. */
export class Turns {
  #open = 0;
  #allEnded: Promise<unknown> = Promise.resolve();

  /** How many runs are going on or wait. */
  get open(): number {
    return this.#open;
  }

  /** Settles when the last run begun so far has ended. */
  get allEnded(): Promise<unknown> {
    return this.#allEnded;
  }

  /** Gets in line, at once. */
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
        this.#allEnded = Promise.all([before, result]);
      },
    };
  }
}

/** The error of what cannot be done beside a run. */
export const busy = (): AgentError =>
  new AgentError("busy", "a run of this session is going on", {
    hint: "await it first, pass { queue: true } to wait for it, or open a session of its own",
  });
