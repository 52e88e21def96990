// Finds a run in a store by its id or the beginning of its id, and reads the questions that wait
// for people.

import { isAsking, openRequests, requestOf } from "@smolts/memory";
import {
  type AgentError,
  type ApprovalRequest,
  type DurableEvent,
  invalidOption,
  type RunStore,
  type StoredLog,
} from "@smolts/protocol";

/** A run of a store. */
export interface FoundRun {
  readonly runId: string;
  readonly sessionId: string;
  readonly log: StoredLog;
  /** The events of the whole session. */
  readonly events: readonly DurableEvent[];
  /** The questions to people. For each call, only the newest question is included. */
  readonly asked: readonly ApprovalRequest[];
  /** The questions that wait for a person. */
  readonly pending: readonly ApprovalRequest[];
}

/**
 * Finds a run by its id or the beginning of its id.
 *
 * @throws AgentError `invalid-option` when there is none, or more than one
 */
export async function findRun(store: RunStore, given: string): Promise<FoundRun> {
  const { runId, sessionId } = await findSession(store, given);
  const log = await store.open(sessionId, { readonly: true });
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  const ofRun = events.filter((event) => event.runId === runId);
  // A later question about a call replaces the earlier one.
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
  // Read all runs in one list, and not page by page. A page begins after the last session of the
  // previous page, and that session may be deleted in the meantime.
  const rows = given.length < 4 ? [] : await store.list({ limit: allRows });
  const found = rows.filter(({ runId }) => runId.startsWith(given));
  if (found.length === 1 && found[0]) return found[0].runId;
  if (found.length === 0) throw unknownRun(given);
  throw invalidOption(
    `${found.length} runs begin with "${given}"`,
    `write one of them: ${found.map(({ runId }) => runId).join(", ")}`,
  );
}

/** The largest limit that every database accepts. */
const allRows = 2_147_483_647;

const unknownRun = (given: string): AgentError =>
  invalidOption(`the store has no run "${given}"`, "smolts runs lists them; four characters of an id are enough");
