import { memoryLog } from "@smolts/memory";
import type { DurableEvent, RunLog } from "@smolts/protocol";
import type { SessionSummary } from "./wire.ts";

/** The record of a session, besides its log. */
export interface SessionRecord {
  readonly id: string;
  /** Whose it is. */
  readonly visitorId: string;
  /** Empty until there is a task or a name. */
  readonly title: string;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms. */
  readonly changedAt: number;
  /** The number of the log; a rewind starts a new one. */
  readonly epoch: string;
  /** How the session stood when it was last looked at; that of its log holds. */
  readonly status: SessionSummary["status"];
  readonly runCount: number;
}

/** A log whose events are in reach. */
export interface SessionLog extends RunLog, AsyncDisposable {
  readonly events: readonly DurableEvent[];
}

/**
 * Where the sessions of a page live.
 *
 * Contract:
 * - `records` gives those of all visitors. `save` writes one, new or changed.
 * - `openLog` returns the log of a record's epoch with the events it has; an empty one for an epoch
 *   that is new. Disposing it lets others open it.
 * - `replaceLog` makes the log of a record's new epoch, with these events and the bytes they name;
 *   the earlier log is not used again.
 * - `remove` forgets a record, its logs and their bytes. Its log was disposed before.
 */
export interface SessionStore {
  /** Whether sessions outlive the process. */
  readonly kind: "memory" | "disk";
  /**
   * The secret for the keys of visitors: at least 128 random bits, the same for the life of the
   * store.
   */
  secret(): Promise<string>;
  records(): Promise<readonly SessionRecord[]>;
  save(record: SessionRecord): Promise<void>;
  openLog(record: SessionRecord): Promise<SessionLog>;
  replaceLog(record: SessionRecord, before: SessionLog, events: readonly DurableEvent[]): Promise<SessionLog>;
  remove(record: SessionRecord): Promise<void>;
}

/**
 * Keeps sessions as long as the process lives.
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
