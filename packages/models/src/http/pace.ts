import { wait } from "@smolts/protocol";

/** Waits until the next request may go out. */
export type Pace = (signal: AbortSignal) => Promise<void>;

/**
 * Spreads requests evenly: no more than so many a minute, each at least `60 / requestsPerMinute`
 * seconds after the one before.
 *
 * @param requestsPerMinute - undefined for no limit
 */
export function createPace(requestsPerMinute: number | undefined): Pace {
  if (requestsPerMinute === undefined || requestsPerMinute === Number.POSITIVE_INFINITY) return async () => {};
  const spacingMs = 60_000 / requestsPerMinute;
  let nextTime = 0;
  return async (signal) => {
    const now = Date.now();
    const time = Math.max(now, nextTime);
    // Taken before the wait, so that those who come at once queue up.
    nextTime = time + spacingMs;
    if (time > now) await wait(time - now, signal);
  };
}
