// The loop of a run. The loop first looks up each action in the past (the events that the log
// already has), and performs the action only if the past does not contain it. A new run has an
// empty past, and a resumed run finds what it already did. So starting and resuming use the same
// code.

import { AgentError, type EncodedValue, type EventOf, type RunStatus, type SerializedError } from "@smolts/protocol";
import type { Action } from "./agent/agent-definition.ts";
import type { RunLimit } from "./prompts/prompts-option.ts";
import { exhaustedLimit, isLastStep, requireUsage } from "./run/budget.ts";
import { cutReason } from "./run/cut-answer.ts";
import { breakOff, outOfTime, withinDuration } from "./run/duration.ts";
import { isShownToModel } from "./run/error-policy.ts";
import { type PastStep, unknownStep } from "./run/past.ts";
import { withLoopHint } from "./run/repeated-failures.ts";
import { newestAction, type Run } from "./run/run.ts";
import { suspended } from "./run/suspension.ts";
import { eventLoopYielder } from "./run/yield-to-event-loop.ts";
import { checkedAnswer } from "./step/answer-checks.ts";
import { askForFinalAnswer, type ModelResponse } from "./step/ask-model.ts";
import { prepareStep } from "./step/before-step.ts";
import { askWithinContext, compactIfDue } from "./step/compaction.ts";
import { forcedAnswer } from "./step/forced-answer.ts";
import { makePlan, planIsDue } from "./step/planning.ts";
import { callActionCallbacks, callAnswerCallbacks, callPlanCallbacks } from "./step/step-callbacks.ts";

/** The result of a run that ended without an abort or a failure. */
export interface RunEnd {
  readonly status: Extract<RunStatus, "success" | "max-steps" | "budget">;
  /** The answer. Absent when a limit was reached and the caller did not want a forced answer. */
  readonly answer?: EncodedValue;
}

/**
 * Continues a run from the end of its log until the run has ended. If this function throws, the
 * error ends the run.
 */
export async function runLoop(run: Run): Promise<RunEnd> {
  const end = await takeSteps(run);
  await callAnswerCallbacks(run, end.answer);
  return end;
}

async function takeSteps(run: Run): Promise<RunEnd> {
  const { maxSteps } = run.start;
  const yieldIfDue = eventLoopYielder();
  for (let stepNumber = 1; stepNumber <= maxSteps; stepNumber++) {
    await yieldIfDue();
    run.signal.throwIfAborted();
    await run.gate?.pass(newestAction(run.steps(), run.id), run.signal);
    if (run.approvals.drain.isOn && run.approvals.pending.size > 0) throw suspended(run);
    const limit = exhaustedLimit(run, stepNumber);
    if (limit) return { status: "budget", ...(await lastAnswer(run, stepNumber, limit)) };
    const answer = await withinDuration(run, (timed) => planAndStep(timed, stepNumber));
    if (answer === outOfTime)
      return { status: "budget", ...(await lastAnswer(run, breakOff(run, stepNumber), "durationMs")) };
    await callActionCallbacks(run, stepNumber);
    if (answer) return { status: "success", answer: answer.value };
  }
  await run.gate?.pass(newestAction(run.steps(), run.id), run.signal);
  const stop = run.past.budgetStop;
  if (stop) return { status: "budget", ...(await lastAnswer(run, stop.stepNumber, stop.limit)) };
  return { status: "max-steps", ...(await lastAnswer(run, maxSteps + 1, "steps")) };
}

async function planAndStep(run: Run, stepNumber: number): Promise<Action["answer"]> {
  await compactIfDue(run, stepNumber);
  if (planIsDue(run, stepNumber)) await makePlan(run, stepNumber);
  await callPlanCallbacks(run, stepNumber);
  return takeStep(run, stepNumber);
}

/** Takes one step: the model is asked, its code or calls run, and the observation is recorded. */
async function takeStep(wholeRun: Run, stepNumber: number): Promise<Action["answer"]> {
  const past = wholeRun.past.steps.get(stepNumber) ?? unknownStep();
  // The model's message is not parsed again if its step has ended, because another version of this
  // package might find code in it that never ran.
  if (past.end && !past.codeStart) return lastAnswerIn(wholeRun, past.end);
  const { run, toolNames } = await prepareStep(wholeRun, stepNumber, past);
  if (!past.started) run.append({ type: "step-start", stepNumber, ...(toolNames ? { tools: toolNames } : {}) });
  const response = past.response ?? (await askWithinContext(run, stepNumber));
  requireUsage(run, response.usage);
  const action = await act(run, stepNumber, response, past);
  if (past.end) return lastAnswerIn(run, past.end);
  const checked = withLoopHint(run, await checkedAnswer(run, stepNumber, action, past));
  const end = withoutEarlyAnswer(run, stepNumber, checked);
  run.append({ type: "step-end", stepNumber, ...end });
  return end.answer;
}

/**
 * Returns the action. If the model answered before it saw the user's newest message, the answer is
 * removed.
 */
function withoutEarlyAnswer(run: Run, stepNumber: number, action: Action): Action {
  if (!action.answer) return action;
  if (run.hasNewMessage() && !isLastStep(run, stepNumber)) return { ...action, answer: null };
  run.stopListening();
  return action;
}

/**
 * Returns the answer of a step. An answer that was forced by a limit does not count if the limit
 * was raised later.
 */
const lastAnswerIn = ({ past }: Run, { stepNumber, answer }: EventOf<"step-end">): Action["answer"] =>
  stepNumber <= past.lastVoidAnswer ? null : answer;

/** Carries out the model's message. Mistakes of the model become part of the observation. */
async function act(run: Run, stepNumber: number, response: ModelResponse, past: PastStep): Promise<Action> {
  try {
    return await run.definition.behaviour.act(run, stepNumber, response, past);
  } catch (error) {
    run.signal.throwIfAborted();
    if (!isShownToModel(error)) throw error;
    return { observation: [], error: error.toJSON(), answer: null };
  }
}

/**
 * Asks the model for an answer when a limit is reached. If the caller turned forced answers off,
 * there is no answer.
 */
async function lastAnswer(run: Run, stepNumber: number, limit: RunLimit): Promise<Pick<RunEnd, "answer">> {
  if (run.start.forceAnswer === false) return {};
  const past = run.past.steps.get(stepNumber) ?? unknownStep();
  if (!past.started) run.append({ type: "step-start", stepNumber });
  run.stopListening();
  const response = past.response ?? (await askForFinalAnswer(run, stepNumber, limit));
  const value = past.end?.answer?.value ?? (await forcedAnswer(run, response));
  if (!past.end)
    run.append({ type: "step-end", stepNumber, observation: [], error: cutError(response), answer: { value } });
  await callActionCallbacks(run, stepNumber);
  return { answer: value };
}

/**
 * Returns the error of a forced answer that was cut off. The answer still counts, and its step
 * shows this error.
 */
function cutError({ finishReason }: ModelResponse): SerializedError | null {
  const reason = cutReason(finishReason);
  return reason === null ? null : new AgentError("generation", `the forced answer was cut: ${reason}`).toJSON();
}
