import { AgentError, type DurableEvent, type EventOf, type StoredRun, textOf } from "@smolts/protocol";

/**
 * Returns the row of a session after one more event. Returns the same object when nothing has
 * changed.
 */
export function rowAfter(row: StoredRun | null, event: DurableEvent, sessionId: string): StoredRun | null {
  if (event.path.length !== 1) return row;
  switch (event.type) {
    case "run-start":
      return rowOf(event, sessionId, row?.startTime ?? event.time);
    case "run-resume":
      return row && { ...row, status: "open", updateTime: event.time };
    case "run-suspend":
      return row && { ...row, status: "suspended", updateTime: event.time };
    case "run-end":
      return row && { ...row, status: event.status, updateTime: event.time };
    default:
      return row;
  }
}

const rowOf = (start: EventOf<"run-start">, sessionId: string, startTime: number): StoredRun => ({
  sessionId,
  runId: start.runId,
  agent: start.path[0] ?? "",
  model: start.model,
  status: "open",
  task: textOf(start.task).slice(0, 200),
  startTime,
  updateTime: start.time,
});

/** Returns the error for a session that a store does not have. */
export const unknownSessionError = (id: string): AgentError =>
  new AgentError("log", `the store has no session "${id}"`, { hint: "store.list() lists the sessions" });
