/** Waits, or throws the signal's reason as soon as it aborts. */
export async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const onTime = (): void => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    const timer = setTimeout(onTime, delayMs);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
