import {
  AgentError,
  type DurableEvent,
  type EventCursor,
  type RunStore,
  type StoredEvent,
  type StoredLog,
  wait,
} from "@smolts/protocol";
import { missingBlob, mustMatchDigest } from "../blob-digest.ts";
import { explainStore } from "./explain-store.ts";
import { heldLog } from "./held-log.ts";
import type { RecordStorage } from "./record-storage.ts";
import { unknownSessionError } from "./run-row.ts";
import { storedDecision } from "./stored-decision.ts";

/** How long `follow` waits before it looks for new events again, in ms. */
const followIntervalMs = 200;

/**
 * Creates a store of runs that uses any storage of records, such as a folder or a database.
 *
 * @example
 * ```ts
 * import { recordStore, type RecordStorage } from "@smolts/memory/storing";
 *
 * const storeOver = (storage: RecordStorage) => recordStore(storage);
 * console.log(typeof storeOver); // function
 * ```
 */
export function recordStore(storage: RecordStorage): RunStore {
  const openHeld = async (sessionId: string, signal?: AbortSignal): Promise<StoredLog> => {
    const hold = await storage.hold(sessionId, { signal });
    if (hold.isOwn) return heldLog(sessionId, hold, storage);
    await hold.release(hold.records.length);
    throw foreign(sessionId);
  };

  return explainStore({
    async open(sessionId, { readonly = false, signal } = {}) {
      return readonly ? openReadonly(storage, sessionId) : openHeld(sessionId, signal);
    },
    find: (runId) => sessionOf(storage, runId),
    list: (options = {}) => storage.list({ limit: 50, ...options }),
    async delete(sessionId) {
      if ((await storage.version(sessionId)) === null) {
        await storage.removeRest(sessionId);
        return false;
      }
      const hold = await storage.hold(sessionId, {});
      try {
        await storage.remove(sessionId);
      } finally {
        await hold.release(hold.records.length);
      }
      return true;
    },
    follow: (sessionId, from, { signal }) => followed(storage, sessionId, from, signal),
    async decide(runId, decision) {
      const sessionId = await sessionOf(storage, runId);
      if (sessionId === null) throw unknownRun(runId);
      await using log = await openHeld(sessionId);
      const decided = storedDecision(await eventsOf(log), runId, decision);
      if (!decided) return;
      log.append(decided.response, decided.at);
      await log.flush();
    },
  });
}

/**
 * Returns the id of a run's session; null if no session has the run. If the process of the run died
 * too early, the storage cannot find the run by its id. In that case, the run's id is tried as a
 * session's id: a session that was created for a single run has the run's id.
 */
async function sessionOf(storage: RecordStorage, runId: string): Promise<string | null> {
  const found = await storage.find(runId);
  if (found !== null) return found;
  const read = await storage.read(runId);
  return read?.records.some(({ event }) => event.runId === runId) ? runId : null;
}

async function openReadonly(storage: RecordStorage, id: string): Promise<StoredLog> {
  const found = await storage.read(id);
  if (!found) throw unknownSessionError(id);
  const { signal } = new AbortController();
  return {
    id,
    epoch: found.epoch,
    isOwn: found.isOwn,
    lost: signal,
    append: () => {
      throw readOnly(id);
    },
    putBlob: async () => {
      throw readOnly(id);
    },
    flush: async () => {},
    confirm: async () => {
      throw readOnly(id);
    },
    async *read(fromSeq = 1) {
      const { records } = (await storage.read(id)) ?? found;
      for (const { event } of records.slice(fromSeq - 1)) yield event;
    },
    async readBlob(digest) {
      const bytes = await storage.readBlob(id, digest);
      if (!bytes) throw missingBlob(digest);
      return mustMatchDigest(bytes, digest);
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function* followed(
  storage: RecordStorage,
  id: string,
  from: number | EventCursor,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent, void> {
  let last = cursorBefore(from);
  let version: string | null = null;
  let newestEpoch = 0;
  while (!signal.aborted) {
    const newest = await storage.version(id);
    if (newest !== version) {
      const read = newest === null ? null : await storage.read(id);
      const isDeleted = version !== null && (read === null || read.epoch < newestEpoch);
      if (isDeleted) return;
      newestEpoch = read?.epoch ?? 0;
      const records = read?.records ?? [];
      const next = records.findIndex(({ epoch, event }) => event.seq > last.seq || epoch > last.epoch);
      for (const { event, epoch } of next === -1 ? [] : records.slice(next)) {
        if (signal.aborted) return;
        last = { epoch, seq: event.seq };
        yield Object.assign({}, event, { epoch });
      }
      version = newest;
    }
    await wait(followIntervalMs, signal).catch(() => {});
  }
}

/**
 * Returns the position right before the first event to read. If `from` is a number, it is the `seq`
 * of that event, whichever holder wrote it.
 */
const cursorBefore = (from: number | EventCursor): EventCursor =>
  typeof from === "number" ? { epoch: Number.POSITIVE_INFINITY, seq: from - 1 } : from;

async function eventsOf(log: StoredLog): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}

const foreign = (id: string): AgentError =>
  new AgentError("log", `the run log "${id}" was written with another key, so this store cannot continue it`, {
    hint: "open it with { readonly: true }, or open the store with the key that the log was written with",
  });

const unknownRun = (runId: string): AgentError =>
  new AgentError("log", `the store has no run "${runId}"`, {
    hint: "store.list() lists the newest run of each session",
  });

const readOnly = (id: string): AgentError =>
  new AgentError("log", `the run log "${id}" was opened for reading only`, {
    hint: "open it without { readonly: true }",
  });
