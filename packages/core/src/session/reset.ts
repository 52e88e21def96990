// A session that was reset remembers what its log holds after the last `reset` event.

import { AgentError, type DurableEvent, type Path } from "@smolts/protocol";
import type { LogWriter } from "./log-writer.ts";

/** The part of a log that its session remembers. */
export const sinceReset = (events: readonly DurableEvent[]): readonly DurableEvent[] =>
  events.slice(events.findLastIndex(({ type }) => type === "reset") + 1);

/** The ids of the runs that a session does not remember. */
export function runsBeforeReset(events: readonly DurableEvent[]): ReadonlySet<string> {
  const before = events.slice(0, events.length - sinceReset(events).length);
  return new Set(before.flatMap(({ type, runId }) => (type === "run-start" ? [runId] : [])));
}

/**
 * Records that a session begins again, if there is anything to forget. A run that has not ended
 * ends with it, since nobody could continue it.
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

/** Where the newest run of a log was begun, suspended, continued or ended last. */
export const lastEdge = (events: readonly DurableEvent[]): DurableEvent | undefined =>
  events.findLast(({ type, path }) => path.length === 1 && edges.has(type));

const edges: ReadonlySet<DurableEvent["type"]> = new Set([
  "run-start",
  "run-resume",
  "run-suspend",
  "run-end",
] as const);
