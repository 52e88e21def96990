// Checks of the final answer. What each said is an event, so that a resumed run does not ask it
// again.

import { AgentError, decodeValue, type EncodedValue, type EventOf, type MemoryStep } from "@smolts/protocol";
import type { Action } from "../agent/agent-definition.ts";
import type { MultiStepAgent } from "../multi-step-agent.ts";
import type { PastStep } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { untilAborted } from "../run/until-aborted.ts";
import type { AgentRun } from "../session/agent-run.ts";

/** The context of a final-answer check, besides the answer. */
export interface AnswerCheckContext {
  /** All that is remembered, the step that answers included. */
  readonly steps: readonly MemoryStep[];
  readonly agent: MultiStepAgent;
  /** Not to be awaited: it waits for the check. */
  readonly run: AgentRun;
  readonly signal: AbortSignal;
}

/**
 * Says whether an answer is good. A text is the reason why not; what it throws counts as one.
 * Anything else that it returns, also nothing, ends the run with the error `callback`.
 */
export type FinalAnswerCheck = (
  answer: unknown,
  context: AnswerCheckContext,
) => boolean | string | Promise<boolean | string>;

/** Checks the option. @throws AgentError `invalid-option` */
export function checkAnswerChecks(checks: unknown): readonly FinalAnswerCheck[] {
  if (Array.isArray(checks) && checks.every((check) => typeof check === "function")) return checks;
  throw new AgentError("invalid-option", "finalAnswerChecks is not a list of functions", {
    hint: 'write finalAnswerChecks: [(answer) => typeof answer === "number" || "it must be a number"]',
  });
}

/**
 * The action with its answer, when all checks let it pass; else with the error that the model is
 * shown. @throws AgentError `callback` for a check that says neither
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
    return { name, passed: false, reason: error instanceof Error ? error.message : String(error) };
  }
  if (typeof said === "boolean") return { name, passed: said };
  if (typeof said === "string") return { name, passed: false, reason: said };
  // An object that means "no" would be taken for "yes", and a check that returns nothing would
  // refuse every answer.
  throw new AgentError(
    "callback",
    `the final-answer check "${name}" returned ${kindOf(said)}; expected true, false or a text`,
    {
      hint: "return true for a good answer, and the reason as a text for a bad one",
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

/** In a promise from its first line on: a check need not be async to throw. */
const callCheck = async (run: Run, check: FinalAnswerCheck, answer: unknown): Promise<boolean | string> => {
  const { definition, handle, signal } = run;
  return check(answer, { steps: run.steps(), agent: definition.agent, run: handle, signal });
};

const rejection = ({ name, reason }: CheckResult): AgentError =>
  new AgentError("final-answer-check", `the check "${name}" failed with error: ${reason || "it gave no reason"}`, {
    hint: "mend the answer, and give it again",
  });
