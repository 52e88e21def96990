import { type DurableBody, type DurableEvent, randomHex } from "@smolts/protocol";

/** An event of another log, ready to be appended to this log. */
export interface ImportedEvent {
  readonly body: DurableBody;
  readonly at: Pick<DurableEvent, "runId" | "path" | "time">;
}

/**
 * Makes a log from an untrusted source safe to continue. Returns copies of its events with new run
 * ids, and without anything that grants permissions.
 *
 * It leaves out:
 * - approvals for later calls
 * - the command line that started the run
 * - the reference to the run's sandbox
 * - calls without an outcome: a run that has not ended is cut after its last complete step
 *
 * Denied calls stay denied.
 *
 * @example
 * ```ts
 * import { importedEvents } from "@smolts/memory";
 *
 * console.log(importedEvents([])); // []
 * ```
 */
export function importedEvents(events: readonly DurableEvent[]): readonly ImportedEvent[] {
  const runIds = new Map<string, string>();
  const lineages = new Map<string, string>();
  return settledPart(events)
    .filter((event) => event.type !== "note" || event.name !== "smolts/command")
    .map(({ runId, path, time, seq: _, ...body }) => ({
      // The cast is safe: the other properties of an event are its body.
      body: withoutRights(body as DurableBody, lineages),
      at: { runId: replacementFor(runIds, runId, () => crypto.randomUUID()), path, time },
    }));
}

/**
 * Returns the events up to the end of the last run, or up to the last complete step of a run that
 * has not ended.
 */
function settledPart(events: readonly DurableEvent[]): readonly DurableEvent[] {
  const isOfRoot = ({ path }: DurableEvent): boolean => path.length === 1;
  const lastStart = events.findLastIndex((event) => isOfRoot(event) && event.type === "run-start");
  const ofLast = events.slice(lastStart).filter(isOfRoot);
  const lastEdge = ofLast.findLast(({ type }) => type === "run-end" || type === "run-resume" || type === "run-start");
  if (lastEdge?.type === "run-end") return events;
  const stepEnd = events.findLastIndex(
    (event, index) => index > lastStart && isOfRoot(event) && event.type === "step-end",
  );
  return events.slice(0, Math.max(stepEnd, lastStart) + 1);
}

function withoutRights(body: DurableBody, lineages: Map<string, string>): DurableBody {
  switch (body.type) {
    case "run-start":
      return { ...body, lineage: replacementFor(lineages, body.lineage, randomHex) };
    case "fork":
      return { ...body, copied: 0, lineage: replacementFor(lineages, body.lineage, randomHex) };
    case "approval-response":
      return body.decision.type === "always" ? { ...body, decision: { type: "approve" } } : body;
    case "code-start": {
      const { sandbox: _, ...rest } = body;
      return rest;
    }
    default:
      return body;
  }
}

function replacementFor(known: Map<string, string>, old: string, make: () => string): string {
  const made = known.get(old) ?? make();
  known.set(old, made);
  return made;
}
