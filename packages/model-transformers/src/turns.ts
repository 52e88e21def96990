import { untilAborted } from "@smolts/protocol";
/** A queue that admits one caller at a time, in the order of calls. */
export interface Turns {
  /**
   * Resolves when it is the caller's turn, with a function that ends the turn. If the signal aborts
   * first, throws its reason.
   */
  take(signal: AbortSignal): Promise<() => void>;
}

/** Creates an empty queue of {@link Turns}. */
export function createTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    async take(signal) {
      const before = last;
      let end = (): void => {};
      const own = new Promise<void>((resolve) => {
        end = resolve;
      });
      last = before.then(() => own);
      try {
        await untilAborted(before, signal);
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
  };
}
