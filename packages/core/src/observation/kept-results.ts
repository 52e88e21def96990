// Calls in JSON have no variables. So what earlier calls made can be named in later ones: an image,
// a sound or a file, and a result that was too long to be shown whole. All of it follows from the
// record of the steps, so that a resumed run has the same names.

import { decodeValue, type EncodedValue, encodeValue, type MediaPart, type ToolCallRecord } from "@smolts/protocol";
import { isStored } from "../media/media.ts";
import type { Run } from "../run/run.ts";
import type { Variables } from "../tool-calls/variable-references.ts";
import { finalAnswerName } from "../tools/final-answer.ts";

/** The media that a run's calls made so far, by the names that the model was given. */
export function mediaVariables(run: Run): Variables {
  const calls = run.steps().flatMap((step) => (step.type === "action" ? step.toolCalls : []));
  return Object.fromEntries(mediaIn(calls).map(({ name, part }) => [nameFor(run, name), encodeValue(part)]));
}

/** The names of the media that one call of the going step made. */
export function mediaNames(run: Run, callId: string): readonly string[] {
  const calls = run.steps().flatMap((step) => (step.type === "action" ? step.toolCalls : []));
  return mediaIn(calls)
    .filter((made) => made.callId === callId)
    .map(({ name }) => nameFor(run, name));
}

/**
 * The results of all calls so far, by step and number. A session's later runs begin with step 1
 * again: the newest one counts.
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

/** The name of a call's result. */
export const resultName = (stepNumber: number, callIndex: number): string => `result${stepNumber}_${callIndex}`;

interface MadeMedia {
  readonly name: string;
  readonly part: MediaPart;
  readonly callId: string;
}

/** Numbered by kind, in the order of the calls. */
function mediaIn(calls: readonly ToolCallRecord[]): readonly MadeMedia[] {
  const counts = { image: 0, audio: 0, file: 0 };
  return calls.flatMap(({ callId, name: caller, outcome }) =>
    outcome?.type === "ok" && caller !== finalAnswerName
      ? partsOf(outcome.value).map((part) => ({ name: `${part.type}${++counts[part.type]}`, part, callId }))
      : [],
  );
}

/**
 * Media in a result: the value itself, or the items of a list. Most results are not looked into.
 */
function partsOf(value: EncodedValue): readonly MediaPart[] {
  if (typeof value !== "object" || value === null) return [];
  const decoded = decodeValue(value);
  return (Array.isArray(decoded) ? decoded : [decoded]).filter(isStored);
}

/** A variable that the run was given keeps its name. */
const nameFor = ({ start: { variables } }: Run, name: string): string =>
  Object.hasOwn(variables, name) ? `made_${name}` : name;
