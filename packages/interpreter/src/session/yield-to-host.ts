// Giving way to the host's event loop in the middle of long work, by the quickest means that the platform has.

// Not in every library that this package is compiled against, and not on every platform.
declare const setImmediate: ((callback: () => void) => unknown) | undefined;

/** Resolves after the host's event loop had its turn: timers, abort signals, other work. */
export function yieldToHost(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resolve) => void setImmediate(resolve));
  return new Promise((resolve) => void setTimeout(resolve, 0));
}
