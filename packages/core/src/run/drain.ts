// Stops a run from starting new calls when one of its calls has waited for a person for some time.
// From then on, new calls wait too, running calls finish, and the run can be suspended. Without
// this, a loop that keeps making calls would prevent the suspension.

/** The state of a run that is about to be suspended. While `isOn` is true, no new calls start. */
export interface Drain {
  readonly isOn: boolean;
  /**
   * Called when a call begins to wait for a person. The grace time starts with the first such call.
   */
  begin(): void;
  /** Called when the run has ended. Stops the timer. */
  end(): void;
}

/** The longest delay of a timer, in ms (25 days). */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Creates a {@link Drain} for a run. The drain turns on when `graceMs` have passed since a call
 * began to wait for a person.
 */
export function drainAfter(graceMs: number): Drain {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isOn = false;
  return {
    get isOn() {
      return isOn;
    },
    begin() {
      timer ??= setTimeout(() => (isOn = true), Math.min(graceMs, maxTimerMs));
    },
    end() {
      if (timer) clearTimeout(timer);
    },
  };
}
