/**
 * Waits for a time. A delay of 0 or less ends immediately.
 *
 * @param delayMs - in ms
 * @throws the signal's reason, as soon as it aborts
 * @example
 * ```ts
 * import { wait } from "@smolts/protocol";
 *
 * await wait(10, AbortSignal.timeout(1_000));
 * ```
 */
export async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (delayMs <= 0) return;
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
