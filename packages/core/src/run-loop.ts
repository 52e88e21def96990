// The loop of a run. A fresh run has an empty past; a resumed one finds what it already did there. So starting and resuming are the same code:
// each act is looked up in the past first and performed only when it is not there.

import type { EncodedValue, RunStatus } from "@smolts/protocol";
import { textOf } from "@smolts/protocol";
import type { Action } from "./agent-definition.ts";
import { askForFinalAnswer, askModel, type ModelResponse } from "./ask-model.ts";
import { isShownToModel } from "./error-policy.ts";
import { type PastStep, unknownStep } from "./past.ts";
import { makePlan, planIsDue } from "./planning.ts";
import type { Run } from "./run.ts";
import { withoutThoughts } from "./without-thoughts.ts";

/** How a run ended that was neither aborted nor failed. */
export interface RunEnd {
  readonly status: Extract<RunStatus, "success" | "max-steps">;
  /** Absent when the steps ran out and no answer was to be forced. */
  readonly answer?: EncodedValue;
}

/** Drives a run from where its log stands to an answer. What it throws ends the run. */
export async function runLoop(run: Run): Promise<RunEnd> {
  const { maxSteps, forceAnswer = true } = run.start;
  for (let stepNumber = 1; stepNumber <= maxSteps; stepNumber++) {
    run.signal.throwIfAborted();
    if (planIsDue(run, stepNumber)) await makePlan(run, stepNumber);
    const answer = await takeStep(run, stepNumber);
    if (answer) return { status: "success", answer: answer.value };
  }
  if (!forceAnswer) return { status: "max-steps" };
  return { status: "max-steps", answer: await lastAnswer(run, maxSteps + 1) };
}

/** One think-act-observe round. */
async function takeStep(run: Run, stepNumber: number): Promise<Action["answer"]> {
  const past = run.past.steps.get(stepNumber) ?? unknownStep();
  if (!past.started) run.append({ type: "step-start", stepNumber });
  // What was read in a finished step is not read again: another version might find code there that never ran.
  if (past.end && !past.codeStart) return past.end.answer;
  const response = past.response ?? (await askModel(run, stepNumber));
  const action = await act(run, stepNumber, response, past);
  if (past.end) return past.end.answer;
  run.append({ type: "step-end", stepNumber, ...action });
  return action.answer;
}

/** Does what the model asked for; what it got wrong becomes part of what it is shown. */
async function act(run: Run, stepNumber: number, response: ModelResponse, past: PastStep): Promise<Action> {
  try {
    return await run.definition.behaviour.act(run, stepNumber, response, past);
  } catch (error) {
    run.signal.throwIfAborted();
    if (!isShownToModel(error)) throw error;
    return { observation: [], error: error.toJSON(), answer: null };
  }
}

/** The steps are used up: the model answers from what it has. */
async function lastAnswer(run: Run, stepNumber: number): Promise<EncodedValue> {
  const past = run.past.steps.get(stepNumber) ?? unknownStep();
  if (!past.started) run.append({ type: "step-start", stepNumber });
  const response = past.response ?? (await askForFinalAnswer(run, stepNumber));
  const value = withoutThoughts(textOf(response.message)).trim();
  if (!past.end) run.append({ type: "step-end", stepNumber, observation: [], error: null, answer: { value } });
  return value;
}
