// The time that a budget allows. It ends what is going on, whatever that waits for; then the run
// answers from what it has.

import { AgentError, type SerializedError } from "@smolts/protocol";
import { actionsOf } from "./own-steps.ts";
import type { Run } from "./run.ts";
import { onAbort } from "./until-aborted.ts";

/** What {@link withinDuration} gives when the time is over before the task. */
export const outOfTime: unique symbol = Symbol("out of time");

/** Timers cannot wait longer (25 days). */
const maxTimerMs = 2 ** 31 - 1;

/** Does a task of the run with a signal that also aborts when the run's time is over. */
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
 * Ends the step that the time was over in, and records why no other is taken. Gives the number of
 * the step that answers.
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
  new AgentError("budget", `the step was broken off: ${timeText(allowed)}`).toJSON();
