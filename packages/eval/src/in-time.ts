import { AgentError } from "@smolts/protocol";

/** How long a task may continue after its signal aborts, in ms. A later result is ignored. */
const graceMs = 2_000;

/**
 * Runs a task with a signal that also aborts after `timeoutMs`. If the task ignores its signal,
 * this function stops waiting for it.
 *
 * @throws TimedOut after `timeoutMs`; the reason of `signal` if that aborted
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

/** The longest time that a timer can wait, in ms (25 days). */
const maxTimerMs = 2 ** 31 - 1;

/** The error for a task of {@link inTime} that took too long. */
export class TimedOut extends AgentError {
  constructor(what: string, timeoutMs: number) {
    super("budget", `${what} did not end within ${timeoutMs} ms`, { hint: "allow more with caseTimeoutMs" });
  }
}
