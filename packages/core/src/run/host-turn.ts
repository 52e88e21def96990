// Promises alone never let the event loop have its turn. Timers, the signal of Ctrl-C and the
// writing of a log wait for it.

// Not in every library that this package is compiled against, and not on every platform.
declare const setImmediate: ((callback: () => void) => unknown) | undefined;

/** Lets the event loop have a turn. */
export function hostTurn(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resolve) => void setImmediate(resolve));
  return new Promise((resolve) => void setTimeout(resolve, 0));
}

const longestTurnMs = 20;

/** Lets the event loop have a turn whenever the caller has had it for long. */
export function givingWay(): () => Promise<void> {
  let lastTurn = performance.now();
  return async () => {
    if (performance.now() - lastTurn < longestTurnMs) return;
    await hostTurn();
    lastTurn = performance.now();
  };
}
