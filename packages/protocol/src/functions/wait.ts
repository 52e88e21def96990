import { untilAborted } from "./until-aborted.ts";

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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, delayMs);
  });
  try {
    await untilAborted(time, signal);
  } finally {
    clearTimeout(timer);
  }
}
