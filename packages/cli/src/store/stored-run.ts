// One run of a store: found by its id or the beginning of it, read with what waits for a person.

import { isAsking, openRequests, requestOf } from "@smolts/memory";
import { AgentError, type ApprovalRequest, type DurableEvent, type RunStore, type StoredLog } from "@smolts/protocol";

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
  const { runId, sessionId } = await findSession(store, given);
  const log = await store.open(sessionId, { readonly: true });
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  const ofRun = events.filter((event) => event.runId === runId);
  // A later question about a call takes the place of the one before.
  const asked = new Map(ofRun.filter(isAsking).map((event) => [event.callId, requestOf(event)]));
  return { runId, sessionId, log, events, asked: [...asked.values()], pending: openRequests(ofRun) };
}

/**
 * Finds the session of a run without reading it.
 *
 * @throws AgentError `invalid-option` when there is none, or more than one
 */
export async function findSession(store: RunStore, given: string): Promise<Pick<FoundRun, "runId" | "sessionId">> {
  const own = await store.find(given);
  if (own !== null) return { runId: given, sessionId: own };
  const runId = await wholeId(store, given);
  const sessionId = await store.find(runId);
  if (sessionId === null) throw unknownRun(given);
  return { runId, sessionId };
}

async function wholeId(store: RunStore, given: string): Promise<string> {
  // One list and no pages: a session may be deleted at any moment, and no page begins after it.
  const rows = given.length < 4 ? [] : await store.list({ limit: allRows });
  const found = rows.filter(({ runId }) => runId.startsWith(given));
  if (found.length === 1 && found[0]) return found[0].runId;
  if (found.length === 0) throw unknownRun(given);
  throw new AgentError("invalid-option", `${found.length} runs begin with "${given}"`, {
    hint: `write one of them: ${found.map(({ runId }) => runId).join(", ")}`,
  });
}

/** The largest number that every database takes for a limit. */
const allRows = 2_147_483_647;

const unknownRun = (given: string): AgentError =>
  new AgentError("invalid-option", `the store has no run "${given}"`, {
    hint: "smolts runs lists them; four characters of an id are enough",
  });
