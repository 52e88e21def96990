// Gives a model a different hint when it keeps failing in the same way. A hint that did not help
// twice will not help the third time.

import { type ActionStep, AgentError } from "@smolts/protocol";
import type { Action } from "../agent/agent-definition.ts";
import { actionsOf } from "./own-steps.ts";
import type { Run } from "./run.ts";

/** The number of identical failures after which the model gets a different hint. */
const loopLength = 3;

/**
 * Adds another hint to an action that has failed for the third time or more. Returns any other
 * action unchanged.
 */
export function withLoopHint(run: Run, action: Action): Action {
  const current = run.steps().at(-1);
  if (current?.type !== "action" || !hasFailed({ ...current, error: action.error })) return action;
  const count = 1 + failuresInARow(run, current);
  if (count < loopLength) return action;
  const failure = action.error ?? new AgentError("tool-execution", "the same calls failed as before").toJSON();
  return { ...action, error: { ...failure, hint: loopHint(count) } };
}

/**
 * Counts how many of the newest steps failed in a row with the same action as `next`. The step
 * `next` itself is not counted. Without `next`, counts the newest step and the steps with its
 * action.
 */
export function failuresInARow(run: Run, next?: ActionStep): number {
  const ended = actionsOf(run).filter((step) => step !== next);
  const newest = next ?? ended.at(-1);
  if (!newest) return 0;
  const other = ended.findLastIndex((step) => !hasFailed(step) || actionText(step) !== actionText(newest));
  return ended.length - 1 - other;
}

/** Says whether a step has failed: by its own error, or because all of its calls have failed. */
const hasFailed = ({ error, toolCalls }: ActionStep): boolean =>
  error !== null || (toolCalls.length > 0 && toolCalls.every(({ outcome }) => outcome?.type !== "ok"));

/**
 * Returns a step's code or calls as a text for comparisons. Other text in the message does not
 * count.
 */
const actionText = ({ code, toolCalls, modelOutput }: ActionStep): string =>
  code ?? JSON.stringify(toolCalls.length > 0 ? toolCalls.map(({ name, args }) => [name, args]) : modelOutput?.content);

const loopHint = (count: number): string =>
  `This very action has now failed ${count} times. Sending it again will fail again. Try something else: another tool, other arguments, a smaller first step that shows you what is wrong; or, if there is none, give the answer you have and say what is missing.`;
