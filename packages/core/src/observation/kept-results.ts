// Gives names to results of earlier calls, because calls in JSON have no variables. Later calls can
// use these names for an image, a sound or a file, and for a result that was too long to be shown
// in full. The names depend only on the recorded steps, so a resumed run has the same ones.

import { decodeValue, type EncodedValue, encodeValue, type MediaPart, type ToolCallRecord } from "@smolts/protocol";
import { isStored } from "../media/media.ts";
import type { Run } from "../run/run.ts";
import type { Variables } from "../tool-calls/variable-references.ts";
import { finalAnswerName } from "../tools/final-answer.ts";

/**
 * Returns the media that the calls of a run have created so far. The keys are the names that the
 * model was shown.
 */
export function mediaVariables(run: Run): Variables {
  const calls = run.steps().flatMap((step) => (step.type === "action" ? step.toolCalls : []));
  return Object.fromEntries(mediaIn(calls).map(({ name, part }) => [nameFor(run, name), encodeValue(part)]));
}

/** Returns the names of the media that one call of the current step made. */
export function mediaNames(run: Run, callId: string): readonly string[] {
  const calls = run.steps().flatMap((step) => (step.type === "action" ? step.toolCalls : []));
  return mediaIn(calls)
    .filter((made) => made.callId === callId)
    .map(({ name }) => nameFor(run, name));
}

/**
 * Returns the results of all calls so far. A name contains the number of the step and of the call.
 * Each run of a session starts again with step 1, so names repeat. A repeated name means the newest
 * result.
 */
export function resultVariables(run: Run): Variables {
  const results: Record<string, EncodedValue> = {};
  for (const step of run.steps()) {
    if (step.type !== "action" || step.code !== null) continue;
    for (const [index, { outcome }] of step.toolCalls.entries())
      if (outcome?.type === "ok") results[resultName(step.stepNumber, index + 1)] = outcome.value;
  }
  return results;
}

/** Returns the name of a call's result. */
export const resultName = (stepNumber: number, callIndex: number): string => `result${stepNumber}_${callIndex}`;

interface MadeMedia {
  readonly name: string;
  readonly part: MediaPart;
  readonly callId: string;
}

/**
 * Returns the media of all calls. They are numbered separately for images, sounds and files, in the
 * order of the calls.
 */
function mediaIn(calls: readonly ToolCallRecord[]): readonly MadeMedia[] {
  const counts = { image: 0, audio: 0, file: 0 };
  return calls.flatMap(({ callId, name: caller, outcome }) =>
    outcome?.type === "ok" && caller !== finalAnswerName
      ? partsOf(outcome.value).map((part) => ({ name: `${part.type}${++counts[part.type]}`, part, callId }))
      : [],
  );
}

/**
 * Returns the media in a result, which is the media itself or a list of media. Other results are
 * not decoded.
 */
function partsOf(value: EncodedValue): readonly MediaPart[] {
  if (typeof value !== "object" || value === null) return [];
  const decoded = decodeValue(value);
  return (Array.isArray(decoded) ? decoded : [decoded]).filter(isStored);
}

/** Returns the name, with a prefix if the run already has a variable of that name. */
const nameFor = ({ start: { variables } }: Run, name: string): string =>
  Object.hasOwn(variables, name) ? `made_${name}` : name;
