import { type DurableEvent, isPathAt, isPathUnder } from "@smolts/protocol";
import { type AskingEvent, noteAsked } from "./asked-people.ts";
import type { RecordedRun } from "./recorded-runs.ts";

/** How the time of a run was spent, in ms. */
export interface RunTime {
  readonly workMs: number;
  /** The time during which a person was asked about a call of this agent or its managed agents. */
  readonly waitMs: number;
  /** The time during which no process ran the agent and no person was asked. */
  readonly stoppedMs: number;
  /** The state at the end of the log, for a run that has not ended. */
  readonly now: "working" | "asking" | "decided";
}

/** Divides the time of a run into working, waiting and stopped, based on the events of its log. */
export function runTime(events: readonly DurableEvent[], { runId, path, startTime, endTime }: RecordedRun): RunTime {
  const spent = { workMs: 0, waitMs: 0, stoppedMs: 0 };
  const asked = new Map<string, AskingEvent>();
  let [before, isSuspended] = [startTime, false];
  for (const event of events) {
    if (event.runId !== runId || event.time < startTime || event.time > endTime) continue;
    const isHere = isPathAt(event.path, path) || isPathUnder(event.path, path);
    // All agents of the run stop and resume together, so such an event of any agent counts.
    const isStopped = isSuspended || event.type === "run-resume";
    spent[asked.size > 0 ? "waitMs" : isStopped ? "stoppedMs" : "workMs"] += Math.max(0, event.time - before);
    before = Math.max(before, event.time);
    if (event.type === "run-suspend") isSuspended = true;
    if (event.type === "run-resume" || event.type === "run-end") isSuspended = false;
    if (isHere) noteAsked(asked, event);
  }
  return { ...spent, now: asked.size > 0 ? "asking" : isSuspended ? "decided" : "working" };
}
