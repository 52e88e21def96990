// Checks final answers. The result of each check is recorded as an event, so that a resumed run
// does not repeat the check.

import {
  AgentError,
  decodeValue,
  type EncodedValue,
  type EventOf,
  invalidOption,
  type MemoryStep,
  thrownText,
  untilAborted,
} from "@smolts/protocol";
import type { Action } from "../agent/agent-definition.ts";
import type { MultiStepAgent } from "../multi-step-agent.ts";
import type { PastStep } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import type { AgentRun } from "../session/agent-run.ts";

/** The context of a check of a final answer. */
export interface AnswerCheckContext {
  /** All steps in the agent's memory, including the step that answers. */
  readonly steps: readonly MemoryStep[];
  readonly agent: MultiStepAgent;
  /** The handle of the run. Do not await it, because the run waits for the check. */
  readonly run: AgentRun;
  readonly signal: AbortSignal;
}

/**
 * Checks an answer. Return true if the answer is good. If it is not, return false, or return or
 * throw the reason. If the check returns any other value, or nothing, the run ends with the error
 * `callback`.
 */
export type FinalAnswerCheck = (
  answer: unknown,
  context: AnswerCheckContext,
) => boolean | string | Promise<boolean | string>;

/** Checks the option `finalAnswerChecks`. @throws AgentError `invalid-option` */
export function checkAnswerChecks(checks: unknown): readonly FinalAnswerCheck[] {
  // In smolagents the agent is a third argument.
  const isCheck = (check: unknown): boolean => typeof check === "function" && check.length < 3;
  if (Array.isArray(checks) && checks.every(isCheck)) return checks;
  throw invalidOption(
    "finalAnswerChecks is not a list of functions of an answer and a context",
    'write finalAnswerChecks: [(answer, { agent }) => typeof answer === "number" || "it must be a number"]',
  );
}

/**
 * Returns the action with its answer if all checks accept it, otherwise with the error for the
 * model.
 *
 * @throws AgentError `callback` for a check that returns an unexpected value
 */
export async function checkedAnswer(run: Run, stepNumber: number, action: Action, past: PastStep): Promise<Action> {
  if (!action.answer || past.end) return action;
  for (const [index, check] of run.definition.finalAnswerChecks.entries()) {
    const result =
      past.checks[index] ??
      run.append({ type: "check-result", stepNumber, ...(await resultOf(run, check, action.answer.value)) });
    if (!result.passed) return { ...action, answer: null, error: rejection(result).toJSON() };
  }
  return action;
}

type CheckResult = Pick<EventOf<"check-result">, "name" | "passed" | "reason">;

async function resultOf(run: Run, check: FinalAnswerCheck, answer: EncodedValue): Promise<CheckResult> {
  const name = check.name || "check";
  let said: unknown;
  try {
    said = await untilAborted(callCheck(run, check, decodeValue(answer)), run.signal);
  } catch (error) {
    run.signal.throwIfAborted();
    return { name, passed: false, reason: thrownText(error) };
  }
  if (typeof said === "boolean") return { name, passed: said };
  if (typeof said === "string") return { name, passed: false, reason: said };
  // Other values are errors. Otherwise an object that means "no" would count as "yes", and a check
  // that returns nothing would refuse every answer.
  throw new AgentError(
    "callback",
    `the final-answer check "${name}" returned ${kindOf(said)}; expected true, false or a string`,
    {
      hint: "return true for a good answer, and the reason as a string for a bad one",
    },
  );
}

const kindOf = (value: unknown): string =>
  value === undefined
    ? "nothing"
    : value === null
      ? "null"
      : Array.isArray(value)
        ? "a list"
        : `a value of type ${typeof value}`;

/**
 * Calls a check inside an async function, so that an error of a synchronous check is a rejection
 * too.
 */
const callCheck = async (run: Run, check: FinalAnswerCheck, answer: unknown): Promise<boolean | string> => {
  const { definition, handle, signal } = run;
  return check(answer, { steps: run.steps(), agent: definition.agent, run: handle, signal });
};

const rejection = ({ name, reason }: CheckResult): AgentError =>
  new AgentError("final-answer-check", `the check "${name}" failed with error: ${reason || "it gave no reason"}`, {
    hint: "correct the answer, and pass it again",
  });
