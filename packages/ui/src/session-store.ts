import { type MemoryLog, memoryLog } from "@smolts/memory";

/** What is kept of a session besides its log. */
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
  /** Of the log; another one after a rewind. */
  readonly epoch: string;
}

/** A log whose events are in reach, as {@link memoryLog} makes it. */
export type SessionLog = MemoryLog;

/**
 * Where the sessions of a page live.
 *
 * Contract:
 * - `records` gives those of all visitors. `save` writes one, new or changed.
 * - `openLog` gives the log of a record's epoch with the events it has; an empty one for an epoch that is new.
 * - `replaceLog` makes the log of a new epoch, with these events and the bytes they name in the log before; the log before may be removed.
 * - `remove` forgets a record, its log and its bytes.
 */
export interface SessionStore {
  /** Whether sessions outlive the process. */
  readonly kind: "memory" | "disk";
  /** What the keys of visitors are made from: at least 128 random bits, the same as long as the store lives. */
  secret(): Promise<string>;
  records(): Promise<readonly SessionRecord[]>;
  save(record: SessionRecord): Promise<void>;
  openLog(record: SessionRecord): Promise<SessionLog>;
  replaceLog(record: SessionRecord, before: SessionLog, events: SessionLog["events"]): Promise<SessionLog>;
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
  return {
    kind: "memory",
    secret: async () => secret,
    records: async () => [...records.values()],
    async save(record) {
      records.set(record.id, record);
    },
    async openLog({ id }) {
      const log = logs.get(id) ?? memoryLog({ id });
      logs.set(id, log);
      return log;
    },
    async replaceLog({ id }, before, events) {
      const fresh = memoryLog({ id, events });
      const readBlob: SessionLog["readBlob"] = (digest) => fresh.readBlob(digest).catch(() => before.readBlob(digest));
      const log: SessionLog = { ...fresh, readBlob };
      logs.set(id, log);
      return log;
    },
    async remove({ id }) {
      records.delete(id);
      logs.delete(id);
    },
  };
}
