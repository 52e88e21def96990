import type { DurableEvent, EventOf, MemoryStep, Path } from "@smolts/protocol";
import { foldSteps } from "./fold-steps.ts";

/** One run of one agent. A log may contain several agents, and several runs of each. */
export interface RecordedRun {
  readonly runId: string;
  readonly path: Path;
  /** The event that starts the run; null when the log begins after this event. */
  readonly start: EventOf<"run-start"> | null;
  /** The event that ends the run; null while the run has not ended. */
  readonly end: EventOf<"run-end"> | null;
  readonly steps: readonly MemoryStep[];
  /** Epoch ms. */
  readonly startTime: number;
  /** The time of the run's last event, in epoch ms. */
  readonly endTime: number;
}

/**
 * Returns the runs of a log in the order in which they began. The work of a managed agent counts as
 * a separate run.
 */
export function recordedRuns(events: readonly DurableEvent[]): readonly RecordedRun[] {
  const groups = new Map<string, DurableEvent[]>();
  for (const event of events) {
    if (event.type === "reset") continue; // a reset belongs to no run
    const key = JSON.stringify([event.runId, event.path]);
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return [...groups.values()].map(recordedRun);
}

/** Says whether the agent of `run` works for the agent of `above`, and started during that run. */
export function isBelow(run: RecordedRun, above: RecordedRun): boolean {
  const isDeeper = run.path.length > above.path.length && above.path.every((name, index) => name === run.path[index]);
  return isDeeper && run.startTime >= above.startTime && run.startTime <= above.endTime;
}

function recordedRun(events: readonly DurableEvent[]): RecordedRun {
  const [first, last] = [events[0]!, events.at(-1)!]; // every group has at least one event
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
