// Divides the time of a run between models, tools, people, code, failures and the rest. Each moment
// is counted once. If several things happen at the same time, only the first of them in this list
// counts: waiting for a person, a model, a tool, a failure, code.

import type { Timing } from "@smolts/protocol";
import { type CallView, type RunView, type StepView, stepsOf } from "./session-view.ts";

/**
 * The kind of work that used the time. `fault` is the time of failed calls and of failed code, but
 * never the time of a model.
 */
export type TimeKind = "model" | "tool" | "person" | "fault" | "code" | "rest";

/** A stretch of time. */
export interface TimePart {
  readonly kind: TimeKind;
  readonly startTime: number;
  readonly endTime: number;
}

/** Divides the time of a run from its start to its end into parts without gaps, in order. */
export function timeParts(run: RunView): readonly TimePart[] {
  return sweep(intervalsOf(run), run.startTime, run.endTime);
}

/** Adds up the lengths of the parts of each kind, in ms. */
export function timeByKind(parts: readonly TimePart[]): Readonly<Record<TimeKind, number>> {
  const sums = { model: 0, tool: 0, person: 0, fault: 0, code: 0, rest: 0 };
  for (const { kind, startTime, endTime } of parts) sums[kind] += endTime - startTime;
  return sums;
}

const maxParts = 100;
const smallestShare = 0.002;
const kinds: readonly TimeKind[] = ["model", "tool", "code", "fault", "person", "rest"];

/**
 * Returns the parts for a small bar. If there are too many parts, or they are too short, returns
 * one part for each kind instead.
 */
export function barParts(parts: readonly TimePart[]): readonly { readonly kind: TimeKind; readonly length: number }[] {
  const sums = timeByKind(parts);
  const total = kinds.reduce((sum, kind) => sum + sums[kind], 0);
  const shown = parts
    .map(({ kind, startTime, endTime }) => ({ kind, length: endTime - startTime }))
    .filter(({ length }) => length > total * smallestShare);
  const isFaithful = shown.length <= maxParts && shown.reduce((sum, { length }) => sum + length, 0) > total * 0.9;
  if (isFaithful) return shown;
  return kinds.map((kind) => ({ kind, length: sums[kind] })).filter(({ length }) => length > total * smallestShare);
}

const rank: Readonly<Record<TimeKind, number>> = { person: 5, model: 4, tool: 3, fault: 2, code: 1, rest: 0 };

function intervalsOf(run: RunView): readonly TimePart[] {
  const parts: TimePart[] = [];
  for (const item of run.items) {
    if ((item.type === "plan" || item.type === "step") && item.modelTiming)
      parts.push({ kind: "model", ...item.modelTiming });
    else if (item.type === "step" && item.message === null && (item.isLive || isFailedStep(item)))
      parts.push({ kind: "model", startTime: item.startTime, endTime: item.isLive ? run.endTime : item.endTime });
    if (item.type === "step") parts.push(...ofStep(item, run.endTime));
  }
  return parts;
}

function ofStep(step: StepView, now: number): readonly TimePart[] {
  const parts: TimePart[] = [];
  for (const call of step.calls) {
    const { startTime, endTime, approval, agents } = call;
    const end = endTime ?? now;
    if (approval) parts.push({ kind: "person", startTime: approval.askedAt, endTime: approval.decidedAt ?? now });
    if (agents.length === 0) parts.push({ kind: isFailedCall(call) ? "fault" : "tool", startTime, endTime: end });
    else for (const agent of agents) parts.push(...intervalsOf(agent));
  }
  const work = workOf(step, now);
  if (work && isFailedStep(step)) parts.push({ kind: "fault", ...work });
  else if (work && step.code !== null) parts.push({ kind: "code", ...work });
  return parts;
}

/**
 * Returns the time in which the code and the calls of a step ran; null before the model has
 * answered.
 */
export function workOf(step: StepView, now: number): Timing | null {
  if (!step.modelTiming) return null;
  return { startTime: step.modelTiming.endTime, endTime: step.isLive ? now : step.endTime };
}

/** Says whether a step failed. An interrupted step did not fail. */
export function isFailedStep({ error }: StepView): boolean {
  return error !== null && error.code !== "interrupted";
}

/** Says whether a call failed. A call that was denied, refused or cancelled did not fail. */
export function isFailedCall({ outcome }: CallView): boolean {
  return outcome?.type === "error";
}

function sweep(intervals: readonly TimePart[], start: number, end: number): readonly TimePart[] {
  const edges = intervals
    .flatMap(({ kind, startTime, endTime }) => {
      const [from, to] = [Math.max(start, startTime), Math.min(end, endTime)];
      return to > from
        ? [
            { time: from, kind, by: 1 },
            { time: to, kind, by: -1 },
          ]
        : [];
    })
    .sort((left, right) => left.time - right.time);
  const open: Record<TimeKind, number> = { model: 0, tool: 0, person: 0, fault: 0, code: 0, rest: 0 };
  const parts: TimePart[] = [];
  let time = start;
  for (const edge of edges) {
    if (edge.time > time) push(parts, { kind: highest(open), startTime: time, endTime: edge.time });
    time = Math.max(time, edge.time);
    open[edge.kind] += edge.by;
  }
  if (end > time) push(parts, { kind: highest(open), startTime: time, endTime: end });
  return parts;
}

function push(parts: TimePart[], part: TimePart): void {
  const last = parts.at(-1);
  if (last?.kind === part.kind) parts[parts.length - 1] = { ...last, endTime: part.endTime };
  else parts.push(part);
}

function highest(open: Readonly<Record<TimeKind, number>>): TimeKind {
  let found: TimeKind = "rest";
  for (const kind of Object.keys(open) as TimeKind[]) if (open[kind] > 0 && rank[kind] > rank[found]) found = kind;
  return found;
}

/**
 * Returns the marks of the steps on a time bar. `at` is where a step starts: 0 is the left end of
 * the bar, 1 the right end.
 */
export function stepMarks(
  run: RunView,
): readonly { readonly number: number; readonly at: number; readonly isFault: boolean }[] {
  const length = Math.max(1, run.endTime - run.startTime);
  return stepsOf(run).map((step) => ({
    number: step.number,
    at: (step.startTime - run.startTime) / length,
    isFault: isFailedStep(step),
  }));
}
