// A model that fails in the same way again and again is told so in other words than the first time:
// what did not help once does not help the third time.

import { type ActionStep, AgentError } from "@smolts/protocol";
import type { Action } from "../agent/agent-definition.ts";
import { actionsOf } from "./own-steps.ts";
import type { Run } from "./run.ts";

/** So many times the same is not an accident. */
const loopLength = 3;

/**
 * The action as it is recorded: with another hint when it has failed for the third time or more.
 */
export function withLoopHint(run: Run, action: Action): Action {
  const going = run.steps().at(-1);
  if (going?.type !== "action" || !hasFailed({ ...going, error: action.error })) return action;
  const count = 1 + failuresInARow(run, going);
  if (count < loopLength) return action;
  const failure = action.error ?? new AgentError("tool-execution", "the same calls failed as before").toJSON();
  return { ...action, error: { ...failure, hint: loopHint(count) } };
}

/** How often the newest action, or one like `next`, has failed at the end of the run so far. */
export function failuresInARow(run: Run, next?: ActionStep): number {
  const ended = actionsOf(run).filter((step) => step !== next);
  const newest = next ?? ended.at(-1);
  if (!newest) return 0;
  const other = ended.findLastIndex((step) => !hasFailed(step) || deedOf(step) !== deedOf(newest));
  return ended.length - 1 - other;
}

/** A step that did nothing wrong itself has failed when all of its calls have. */
const hasFailed = ({ error, toolCalls }: ActionStep): boolean =>
  error !== null || (toolCalls.length > 0 && toolCalls.every(({ outcome }) => outcome?.type !== "ok"));

/** A step's actions, in a form to compare; the text beside them does not count. */
const deedOf = ({ code, toolCalls, modelOutput }: ActionStep): string =>
  code ?? JSON.stringify(toolCalls.length > 0 ? toolCalls.map(({ name, args }) => [name, args]) : modelOutput?.content);

const loopHint = (count: number): string =>
  `This very action has now failed ${count} times. Sending it again will fail again. Take another way: another tool, other arguments, a smaller first step that shows you what is wrong; or, if there is none, give the answer you have and say what is missing.`;
