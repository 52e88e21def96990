// Where the time of a run went: models, tools, people, failed code, and the rest. What happens at the same time is counted once; a person's
// wait counts before everything else, a model before a tool.

import { type RunView, type StepView, stepsOf } from "./session-view.ts";

/** What took the time. */
export type TimeKind = "model" | "tool" | "person" | "fault" | "code";

/** A stretch of time. */
export interface TimePart {
  readonly kind: TimeKind;
  readonly startTime: number;
  readonly endTime: number;
}

/** A run's time from its start to its end as parts without gaps, in order. */
export function timeParts(run: RunView): readonly TimePart[] {
  return sweep(intervalsOf(run), run.startTime, run.endTime);
}

/** The length of all parts of each kind, in ms. */
export function timeByKind(parts: readonly TimePart[]): Readonly<Record<TimeKind, number>> {
  const sums = { model: 0, tool: 0, person: 0, fault: 0, code: 0 };
  for (const { kind, startTime, endTime } of parts) sums[kind] += endTime - startTime;
  return sums;
}

const rank: Readonly<Record<TimeKind, number>> = { person: 4, model: 3, tool: 2, fault: 1, code: 0 };

function intervalsOf(run: RunView): readonly TimePart[] {
  const parts: TimePart[] = [];
  for (const item of run.items) {
    if ((item.type === "plan" || item.type === "step") && item.modelTiming)
      parts.push({ kind: "model", ...item.modelTiming });
    else if (item.type === "step" && item.isLive && item.message === null)
      parts.push({ kind: "model", startTime: item.startTime, endTime: run.endTime });
    if (item.type === "step") parts.push(...ofStep(item, run.endTime));
  }
  return parts;
}

function ofStep(step: StepView, now: number): readonly TimePart[] {
  const parts: TimePart[] = [];
  for (const { startTime, endTime, approval, agents } of step.calls) {
    const end = endTime ?? now;
    if (approval) parts.push({ kind: "person", startTime: approval.askedAt, endTime: approval.decidedAt ?? now });
    if (agents.length === 0) parts.push({ kind: "tool", startTime, endTime: end });
    else for (const agent of agents) parts.push(...intervalsOf(agent));
  }
  if (step.error && step.error.code !== "interrupted" && step.modelTiming)
    parts.push({ kind: "fault", startTime: step.modelTiming.endTime, endTime: step.endTime });
  return parts;
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
  const open: Record<TimeKind, number> = { model: 0, tool: 0, person: 0, fault: 0, code: 0 };
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
  let found: TimeKind = "code";
  for (const kind of Object.keys(open) as TimeKind[]) if (open[kind] > 0 && rank[kind] > rank[found]) found = kind;
  return found;
}

/** Each step with the places of its start and end between 0 and 1: the marks of a time bar. */
export function stepMarks(
  run: RunView,
): readonly { readonly number: number; readonly at: number; readonly isFault: boolean }[] {
  const length = Math.max(1, run.endTime - run.startTime);
  return stepsOf(run).map(({ number, startTime, error }) => ({
    number,
    at: (startTime - run.startTime) / length,
    isFault: error !== null && error.code !== "interrupted",
  }));
}
