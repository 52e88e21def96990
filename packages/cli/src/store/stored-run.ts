// One run of a store: found by its id or the beginning of it, read with what waits for a person.

import {
  AgentError,
  type ApprovalRequest,
  type DurableEvent,
  decodeValue,
  type EventOf,
  type RunStore,
  type StoredLog,
  type StoredRun,
} from "@smolts/protocol";

/** A run as it is stored. */
export interface FoundRun {
  readonly runId: string;
  readonly sessionId: string;
  readonly log: StoredLog;
  /** The events of the whole session. */
  readonly events: readonly DurableEvent[];
  /** What people were asked, the newest question of each call. */
  readonly asked: readonly ApprovalRequest[];
  /** What waits for a person. */
  readonly pending: readonly ApprovalRequest[];
}

/**
 * Finds a run by its id, or by the beginning of it.
 *
 * @throws AgentError `invalid-option` when there is none, or more than one
 */
export async function findRun(store: RunStore, given: string): Promise<FoundRun> {
  const runId = (await store.find(given)) === null ? await wholeId(store, given) : given;
  const sessionId = await store.find(runId);
  if (sessionId === null) throw unknownRun(given);
  const log = await store.open(sessionId, { readonly: true });
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return { runId, sessionId, log, events, ...requestsIn(events, runId) };
}

async function wholeId(store: RunStore, given: string): Promise<string> {
  const found = given.length < 4 ? [] : (await rowsOf(store)).filter(({ runId }) => runId.startsWith(given));
  if (found.length === 1 && found[0]) return found[0].runId;
  if (found.length === 0) throw unknownRun(given);
  throw new AgentError("invalid-option", `${found.length} runs begin with "${given}"`, {
    hint: `write one of them: ${found.map(({ runId }) => runId).join(", ")}`,
  });
}

async function rowsOf(store: RunStore): Promise<readonly StoredRun[]> {
  const rows: StoredRun[] = [];
  for (let page = await store.list({ limit: 500 }); page.length > 0; ) {
    rows.push(...page);
    const last = page.at(-1);
    page = last && page.length === 500 ? await store.list({ limit: 500, after: last.sessionId }) : [];
  }
  return rows;
}

const unknownRun = (given: string): AgentError =>
  new AgentError("invalid-option", `the store has no run "${given}"`, {
    hint: "smolts runs lists them; four characters of an id are enough",
  });

type Asking = EventOf<"approval-request"> | EventOf<"doubt-request">;

function requestsIn(events: readonly DurableEvent[], runId: string): Pick<FoundRun, "asked" | "pending"> {
  const asked = new Map<string, Asking>();
  const decided = new Set<string>();
  for (const event of events) {
    if (event.runId !== runId) continue;
    switch (event.type) {
      case "approval-request":
      case "doubt-request":
        asked.set(event.callId, event);
        decided.delete(event.callId);
        break;
      case "approval-response":
      case "doubt-response":
      case "tool-result":
        decided.add(event.callId);
        break;
      case "run-end":
        if (event.path.length === 1) for (const callId of asked.keys()) decided.add(callId);
        break;
    }
  }
  const open = [...asked.values()].filter(({ callId }) => !decided.has(callId));
  return { asked: [...asked.values()].map(requestOf), pending: open.map(requestOf) };
}

function requestOf(event: Asking): ApprovalRequest {
  const { callId, runId, path, name, input, digest, problem } = event;
  return {
    ...(event.type === "doubt-request" ? { kind: "doubt" as const } : {}),
    id: callId,
    runId,
    path,
    name,
    input: decodeValue(input),
    digest,
    each: event.type === "approval-request" && event.each,
    ...(event.type === "approval-request" && event.expiresAt !== undefined && { expiresAt: event.expiresAt }),
    ...(problem === undefined ? {} : { problem }),
  };
}
