/** Lets one at a time: each waits for those before it. */
export interface Turns {
  /**
   * Resolves when it is the caller's turn; what it gives ends the turn. Throws the signal's reason
   * when that aborts first.
   */
  take(signal: AbortSignal): Promise<() => void>;
}

/** {@link Turns} that nobody has taken yet. */
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

/** The value, or the signal's reason as soon as it aborts. */
export async function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
