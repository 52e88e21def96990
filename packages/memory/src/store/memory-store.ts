import {
  AgentError,
  type DurableEvent,
  invalidOption,
  type RunStore,
  type StoredLog,
  type StoredRun,
  wait,
} from "@smolts/protocol";
import { type MemoryLog, memoryLog } from "../memory-log.ts";
import { explainStore } from "./explain-store.ts";
import { rowAfter, unknownSessionError } from "./run-row.ts";
import { storedDecision } from "./stored-decision.ts";

/** One session, and whether it is held. */
interface MemorySession {
  readonly log: MemoryLog;
  /**
   * For each holder so far: the number of events at the moment when the holder took the session.
   */
  readonly holders: number[];
  isHeld: boolean;
}

/**
 * Creates a store that keeps runs in memory until the process ends. It is for tests, and for
 * servers that need nothing more.
 *
 * @example
 * ```ts
 * import { memoryStore } from "@smolts/memory";
 *
 * const store = memoryStore();
 * const log = await store.open("my-session");
 * log.append({ type: "note", name: "example/hello", data: 1 }, { runId: "r", path: ["agent"] });
 * await log[Symbol.asyncDispose]();
 * // A note does not begin a run.
 * console.log(await store.list()); // []
 * ```
 */
export function memoryStore(): RunStore;
export function memoryStore(options?: unknown): RunStore {
  if (options !== undefined) {
    throw invalidOption(
      "memoryStore() takes no options",
      "write fileStore(folder) of smolts/memory/files to keep runs",
    );
  }
  const sessions = new Map<string, MemorySession>();

  const openHeld = (id: string): StoredLog => {
    const session = sessions.get(id) ?? { log: memoryLog({ id }), holders: [], isHeld: false };
    if (session.isHeld) throw held(id);
    sessions.set(id, session);
    session.isHeld = true;
    session.holders.push(session.log.events.length);
    return heldMemoryLog(session);
  };

  return explainStore({
    async open(id, { readonly = false } = {}) {
      const session = sessions.get(id);
      if (!readonly) return openHeld(id);
      if (session) return { ...readonlyParts(session), append: () => refuse(id), putBlob: async () => refuse(id) };
      throw unknownSessionError(id);
    },
    async find(runId) {
      for (const [id, { log }] of sessions) if (log.events.some((event) => event.runId === runId)) return id;
      return null;
    },
    async list({ status, limit = 50, after } = {}) {
      const rows = [...sessions.values()].map(rowOf).filter((row) => row !== null);
      const newestFirst = rows.toReversed().toSorted((a, b) => b.startTime - a.startTime);
      const last = newestFirst.findIndex(({ sessionId }) => sessionId === after);
      if (after !== undefined && last === -1) throw unknownSessionError(after);
      const from = after === undefined ? 0 : last + 1;
      const wanted = newestFirst.slice(from).filter((row) => status === undefined || row.status === status);
      return wanted.slice(0, limit);
    },
    async delete(id) {
      if (sessions.get(id)?.isHeld) throw held(id);
      return sessions.delete(id);
    },
    async *follow(id, from, { signal }) {
      let followed: MemorySession | undefined;
      // No crash can undo events in memory, so the `epoch` of the cursor does not matter here.
      for (let seen = typeof from === "number" ? from - 1 : from.seq; !signal.aborted; ) {
        const isDeleted = followed !== undefined && sessions.get(id) !== followed;
        if (isDeleted) return;
        followed = sessions.get(id);
        const { log, holders } = followed ?? { log: { events: [] }, holders: [] };
        const events: readonly DurableEvent[] = log.events.slice(seen);
        for (const event of events) {
          if (signal.aborted) return;
          seen = event.seq;
          yield Object.assign({}, event, { epoch: holders.filter((before) => before < event.seq).length });
        }
        await wait(20, signal).catch(() => {});
      }
    },
    async decide(runId, decision) {
      const session = [...sessions.values()].find(({ log }) => log.events.some((event) => event.runId === runId));
      if (!session) throw new AgentError("log", `the store has no run "${runId}"`);
      await using log = openHeld(session.log.id);
      const decided = storedDecision(session.log.events, runId, decision);
      if (decided) log.append(decided.response, decided.at);
    },
  });
}

const rowOf = ({ log }: MemorySession): StoredRun | null =>
  log.events.reduce<StoredRun | null>((row, event) => rowAfter(row, event, log.id), null);

function readonlyParts({ log, holders }: MemorySession): Omit<StoredLog, "append" | "putBlob"> {
  return {
    id: log.id,
    epoch: holders.length,
    isOwn: true,
    lost: new AbortController().signal,
    flush: async () => {},
    read: (fromSeq) => log.read(fromSeq),
    readBlob: (digest) => log.readBlob(digest),
    confirm: async () => refuse(log.id),
    async [Symbol.asyncDispose]() {},
  };
}

function heldMemoryLog(session: MemorySession): StoredLog {
  const { log } = session;
  let isOpen = true;
  const mustBeOpen = (): void => {
    if (!isOpen)
      throw new AgentError("log", `the run log "${log.id}" is closed`, { hint: "open it again with store.open()" });
  };
  return {
    ...readonlyParts(session),
    append(body, at) {
      mustBeOpen();
      return log.append(body, at);
    },
    async flush() {
      mustBeOpen();
    },
    async confirm() {
      mustBeOpen();
    },
    async putBlob(bytes, mediaType) {
      mustBeOpen();
      return log.putBlob(bytes, mediaType);
    },
    async [Symbol.asyncDispose]() {
      if (isOpen) session.isHeld = false;
      isOpen = false;
    },
  };
}

function refuse(id: string): never {
  throw new AgentError("log", `the run log "${id}" was opened for reading only`, {
    hint: "open it without { readonly: true }",
  });
}

const held = (id: string): AgentError =>
  new AgentError("lease", `the session "${id}" is open in this process already`, {
    hint: "dispose the log that was opened first, or use it",
  });
