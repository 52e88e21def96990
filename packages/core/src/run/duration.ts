// Ends a step when the time in the budget is over, even if the step waits for something. The run
// then asks the model for an answer.

import { AgentError, onAbort, type SerializedError } from "@smolts/protocol";
import { actionsOf } from "./own-steps.ts";
import type { Run } from "./run.ts";

/** The result of {@link withinDuration} when the time is over before the task has ended. */
export const outOfTime: unique symbol = Symbol("out of time");

/** The longest delay of a timer, in ms (25 days). */
const maxTimerMs = 2 ** 31 - 1;

/** Runs a task with a signal that also aborts when the run's time is over. */
export async function withinDuration<Result>(
  run: Run,
  task: (run: Run) => Promise<Result>,
): Promise<Result | typeof outOfTime> {
  const allowed = run.start.budget?.durationMs;
  if (allowed === undefined) return task(run);
  const controller = new AbortController();
  const timeIsOver = new AgentError("budget", timeText(allowed));
  const remainingMs = Math.min(Math.max(allowed - run.activeMs(), 0), maxTimerMs);
  const timer = setTimeout(() => controller.abort(timeIsOver), remainingMs);
  const stopFollowing = onAbort(run.signal, () => controller.abort(run.signal.reason));
  try {
    return await task({ ...run, signal: controller.signal });
  } catch (error) {
    if (controller.signal.reason !== timeIsOver || run.signal.aborted) throw error;
    return outOfTime;
  } finally {
    clearTimeout(timer);
    stopFollowing();
  }
}

/**
 * Ends the step that was running when the time was over, and records that the budget stopped the
 * run. Returns the number of the step in which the model gives its answer.
 */
export function breakOff(run: Run, stepNumber: number): number {
  const allowed = run.start.budget?.durationMs ?? 0;
  const isBegun = actionsOf(run).at(-1)?.stepNumber === stepNumber;
  if (isBegun) run.append({ type: "step-end", stepNumber, observation: [], error: brokenOff(allowed), answer: null });
  const next = isBegun ? stepNumber + 1 : stepNumber;
  run.append({ type: "budget-stop", stepNumber: next, limit: "durationMs", allowed, used: run.activeMs() });
  return next;
}

const timeText = (allowed: number): string => `the time for this run is over: ${allowed} ms were allowed`;

const brokenOff = (allowed: number): SerializedError =>
  new AgentError("budget", `the step was interrupted: ${timeText(allowed)}`).toJSON();
