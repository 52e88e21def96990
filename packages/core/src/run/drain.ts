// A branch that polls must not keep a run from being suspended. Some time after the first call
// waits for a person, nothing new begins: what is asked waits, what has begun settles, and then the
// run can rest.

/** Whether a run still begins something new. */
export interface Drain {
  readonly isOn: boolean;
  /** Called when a call begins to wait for a person. */
  begin(): void;
  /** The run is over. */
  end(): void;
}

/** Timers cannot wait longer (25 days). */
const maxTimerMs = 2 ** 31 - 1;

/** Drains a run `graceMs` after a call of it began to wait. */
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
