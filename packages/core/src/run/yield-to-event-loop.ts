// Lets the event loop run. Code that awaits only promises can block the event loop. Then timers,
// the signal of Ctrl-C and writes to the log have to wait.

// `setImmediate` is declared here because some platforms and type libraries do not have it.
declare const setImmediate: ((callback: () => void) => unknown) | undefined;

/** Lets the event loop run once. */
export function yieldToEventLoop(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resolve) => void setImmediate(resolve));
  return new Promise((resolve) => void setTimeout(resolve, 0));
}

const maxTurnMs = 20;

/** Returns a function that lets the event loop run if it has not run for a while. */
export function eventLoopYielder(): () => Promise<void> {
  let lastTurn = performance.now();
  return async () => {
    if (performance.now() - lastTurn < maxTurnMs) return;
    await yieldToEventLoop();
    lastTurn = performance.now();
  };
}
