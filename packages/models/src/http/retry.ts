import type { AgentError } from "@smolts/protocol";
import type { Retries } from "../adapter-options.ts";
import type { FailureDetails } from "./failure.ts";

/**
 * Returns the wait before the next attempt, in ms, or null if the request must not be repeated.
 *
 * @param attempt - the number of the attempt that failed, 1-based
 */
export function retryDelay(
  { code, details }: AgentError,
  attempt: number,
  { attempts = 3, initialDelayMs = 500, maxDelayMs = 8_000, maxRetryAfterMs = 60_000 }: Retries,
): number | null {
  // The cast is safe: errors with the code that is checked below have these details.
  const failure = details as FailureDetails | undefined;
  if (code !== "generation" || failure === undefined || attempt >= attempts || !mayPass(failure)) return null;
  if (failure.retryAfterMs !== undefined) return failure.retryAfterMs <= maxRetryAfterMs ? failure.retryAfterMs : null;
  const delayMs = Math.min(initialDelayMs * 2 ** (attempt - 1), maxDelayMs);
  // Subtracts a random part of up to half of the wait, so that many callers do not retry at the
  // same moment.
  return Math.round(delayMs * (1 - Math.random() / 2));
}

/**
 * Returns the wait that the response headers ask for, in ms.
 *
 * @param now - the current time, in epoch ms
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

function mayPass({ reason, status = 0 }: FailureDetails): boolean {
  switch (reason) {
    case "unreachable":
    case "timeout":
    case "broke-off":
    case "flawed":
      return true;
    case "status":
    case "stream-error":
      return status === 408 || status === 409 || status === 429 || status >= 500;
    case "no-answer":
      return false;
    default:
      return reason satisfies never;
  }
}
