// Resets a session. Afterwards the session remembers only what its log contains after the last
// `reset` event.

import { AgentError, type DurableEvent, type Path } from "@smolts/protocol";
import type { LogWriter } from "./log-writer.ts";

/** Returns the part of a log that its session remembers. */
export const sinceReset = (events: readonly DurableEvent[]): readonly DurableEvent[] =>
  events.slice(events.findLastIndex(({ type }) => type === "reset") + 1);

/** Returns the ids of the runs that a session no longer remembers. */
export function runsBeforeReset(events: readonly DurableEvent[]): ReadonlySet<string> {
  const before = events.slice(0, events.length - sinceReset(events).length);
  return new Set(before.flatMap(({ type, runId }) => (type === "run-start" ? [runId] : [])));
}

/**
 * Records a reset, if there is anything to forget. If the last run has not ended, its end is
 * recorded first, because no run can continue it after the reset.
 */
export async function recordReset(events: readonly DurableEvent[], path: Path, writer: LogWriter): Promise<void> {
  const remembered = sinceReset(events);
  if (remembered.length === 0) return;
  const last = lastEdge(remembered);
  if (last && last.type !== "run-end") {
    const error = new AgentError("interrupted", "the session was reset").toJSON();
    writer.append({ type: "run-end", status: "aborted", error }, { runId: last.runId, path: last.path });
  }
  writer.append({ type: "reset" }, { runId: crypto.randomUUID(), path });
  await writer.flush();
}

/**
 * Returns the last event that started, suspended, resumed or ended a run. Runs of managed agents
 * are ignored.
 */
export const lastEdge = (events: readonly DurableEvent[]): DurableEvent | undefined =>
  events.findLast(({ type, path }) => path.length === 1 && edges.has(type));

const edges: ReadonlySet<DurableEvent["type"]> = new Set([
  "run-start",
  "run-resume",
  "run-suspend",
  "run-end",
] as const);
