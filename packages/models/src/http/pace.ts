import { wait } from "@smolts/protocol";

/** Waits until the next request may be sent. */
export type Pace = (signal: AbortSignal) => Promise<void>;

/**
 * Returns a {@link Pace} that spreads requests evenly. The start of each request is at least `60 /
 * requestsPerMinute` seconds after the start of the previous request.
 *
 * @param requestsPerMinute - undefined for no limit
 */
export function createPace(requestsPerMinute: number | undefined): Pace {
  if (requestsPerMinute === undefined || requestsPerMinute === Number.POSITIVE_INFINITY) return async () => {};
  const spacingMs = 60_000 / requestsPerMinute;
  let nextTime = 0;
  return async (signal) => {
    const now = performance.now();
    const time = Math.max(now, nextTime);
    // The time slot is reserved before the wait, so that requests that arrive together get
    // different slots.
    nextTime = time + spacingMs;
    if (time > now) await wait(time - now, signal);
  };
}
