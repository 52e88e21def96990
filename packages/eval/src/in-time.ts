import { AgentError } from "@smolts/protocol";

/** How long a task may take to stop when it is asked to, in ms. A later result is ignored. */
const graceMs = 2_000;

/**
 * Does a task with a signal that also aborts after `timeoutMs`. A task that ignores its signal is
 * left behind.
 *
 * @throws TimedOut when the time was over; the reason of `signal` when that aborted
 */
export async function inTime<Result>(
  task: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, signal, what }: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly what: string },
): Promise<Result> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  let grace: ReturnType<typeof setTimeout> | undefined;
  const abandoned = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => {
      grace = setTimeout(() => reject(controller.signal.reason), graceMs);
    });
  });
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => controller.abort(new TimedOut(what, timeoutMs)), Math.min(timeoutMs, maxTimerMs));
  try {
    return await Promise.race([task(controller.signal), abandoned]);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Timers cannot wait longer (25 days). */
const maxTimerMs = 2 ** 31 - 1;

/** Says that the time of {@link inTime} was over. */
export class TimedOut extends AgentError {
  constructor(what: string, timeoutMs: number) {
    super("budget", `${what} did not end within ${timeoutMs} ms`, { hint: "allow more with caseTimeoutMs" });
  }
}
