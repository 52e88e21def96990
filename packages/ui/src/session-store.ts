import { memoryLog } from "@smolts/memory";
import type { DurableEvent, RunLog } from "@smolts/protocol";
import type { SessionSummary } from "./wire.ts";

/** The record of a session in the store, separate from the session's log. */
export interface SessionRecord {
  readonly id: string;
  /** The id of the visitor that the session belongs to. */
  readonly visitorId: string;
  /** The title; empty until the first task or a rename. */
  readonly title: string;
  /** When the session was made, in epoch ms. */
  readonly createdAt: number;
  /** When the session was last changed, in epoch ms. */
  readonly changedAt: number;
  /** The id of the session's log. A rewind starts a new log. */
  readonly epoch: string;
  /**
   * The status when the record was last written. If the log says something else, the log is right.
   */
  readonly status: SessionSummary["status"];
  readonly runCount: number;
}

/** A log with its events in memory. */
export interface SessionLog extends RunLog, AsyncDisposable {
  readonly events: readonly DurableEvent[];
}

/**
 * Stores the sessions of a page.
 *
 * Contract:
 * - `records` returns the records of all visitors. `save` writes a new or changed record.
 * - `openLog` returns the log whose id is the record's `epoch`, with its events. If there is no
 *   such log yet, the result is an empty log. Disposing the log lets others open it.
 * - `replaceLog` creates the log whose id is the record's new `epoch`, with the given events and
 *   the bytes (such as images) to which they refer. The earlier log is not used again.
 * - `remove` deletes a record, its logs and their bytes. The log has already been disposed.
 */
export interface SessionStore {
  /** Whether sessions survive the end of the process. */
  readonly kind: "memory" | "disk";
  /**
   * Returns the secret from which visitors' keys are derived. It has at least 128 random bits and
   * never changes during the life of the store.
   */
  secret(): Promise<string>;
  records(): Promise<readonly SessionRecord[]>;
  save(record: SessionRecord): Promise<void>;
  openLog(record: SessionRecord): Promise<SessionLog>;
  replaceLog(record: SessionRecord, before: SessionLog, events: readonly DurableEvent[]): Promise<SessionLog>;
  remove(record: SessionRecord): Promise<void>;
}

/**
 * Keeps sessions in memory, until the process ends.
 *
 * @example
 * ```ts
 * import { memorySessions } from "@smolts/ui";
 *
 * console.log(memorySessions().kind); // memory
 * ```
 */
export function memorySessions(): SessionStore {
  const secret = crypto.randomUUID() + crypto.randomUUID();
  const records = new Map<string, SessionRecord>();
  const logs = new Map<string, SessionLog>();
  const keep = (id: string, log: Omit<SessionLog, typeof Symbol.asyncDispose>): SessionLog => {
    const kept = { ...log, [Symbol.asyncDispose]: async () => {} };
    logs.set(id, kept);
    return kept;
  };
  return {
    kind: "memory",
    secret: async () => secret,
    records: async () => [...records.values()],
    async save(record) {
      records.set(record.id, record);
    },
    openLog: async ({ id }) => logs.get(id) ?? keep(id, memoryLog({ id })),
    async replaceLog({ id }, before, events) {
      const log = memoryLog({ id, events });
      const readBlob: SessionLog["readBlob"] = (digest) => log.readBlob(digest).catch(() => before.readBlob(digest));
      return keep(id, { ...log, readBlob });
    },
    async remove({ id }) {
      records.delete(id);
      logs.delete(id);
    },
  };
}
