import type { DurableEvent, EventOf, MemoryStep, Path } from "@smolts/protocol";
import { foldSteps } from "./fold-steps.ts";

/** One run of one agent, out of a log that may hold several of both. */
export interface RecordedRun {
  readonly runId: string;
  readonly path: Path;
  /** Null in a part of a log. */
  readonly start: EventOf<"run-start"> | null;
  /** Null while the run is going on. */
  readonly end: EventOf<"run-end"> | null;
  readonly steps: readonly MemoryStep[];
  /** Epoch ms. */
  readonly startTime: number;
  /** Epoch ms of its last event. */
  readonly endTime: number;
}

/**
 * The runs of a log, in the order of their beginning; those of managed agents are runs of their
 * own.
 */
export function recordedRuns(events: readonly DurableEvent[]): readonly RecordedRun[] {
  const groups = new Map<string, DurableEvent[]>();
  for (const event of events) {
    if (event.type === "reset") continue; // it belongs to no run
    const key = JSON.stringify([event.runId, event.path]);
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return [...groups.values()].map(recordedRun);
}

/** Whether a run was begun by an agent below another, while that one was going on. */
export function isBelow(run: RecordedRun, above: RecordedRun): boolean {
  const isDeeper = run.path.length > above.path.length && above.path.every((name, index) => name === run.path[index]);
  return isDeeper && run.startTime >= above.startTime && run.startTime <= above.endTime;
}

function recordedRun(events: readonly DurableEvent[]): RecordedRun {
  const [first, last] = [events[0]!, events.at(-1)!]; // a group has an event
  return {
    runId: first.runId,
    path: first.path,
    start: events.find((event) => event.type === "run-start") ?? null,
    end: events.findLast((event) => event.type === "run-end") ?? null,
    steps: foldSteps(events, { path: first.path }),
    startTime: first.time,
    endTime: last.time,
  };
}
