// The sessions of all visitors. One that is used is open; the others are records of the store.

import type { ServedAgent } from "../agent-shape.ts";
import type { SessionRecord, SessionStore } from "../session-store.ts";
import type { UploadRules } from "../wire.ts";
import type { Visitor } from "./access.ts";
import { LiveSession, newEpoch } from "./live-session.ts";
import { RefusedRequest } from "./refusal.ts";
import { randomSecret } from "./secrets.ts";

/** Settings of {@link SessionTable}. */
export interface SessionTableOptions {
  readonly store: SessionStore;
  /** Makes the agent of a session. */
  readonly makeAgent: () => Promise<ServedAgent>;
  readonly maxRuns: number;
  /** Null when there are none. */
  readonly uploads: UploadRules | null;
}

const maxSessionsOfVisitor = 1_000;
/** A session that nobody looks at and that does nothing gives its sandbox back after this time. */
const restAfterMs = 10 * 60_000;

/** All sessions, by visitor. */
export class SessionTable {
  readonly #options: SessionTableOptions;
  readonly #open = new Map<string, Promise<LiveSession>>();
  readonly #live = new Map<string, LiveSession>();
  #records: Promise<Map<string, SessionRecord>> | null = null;

  constructor(options: SessionTableOptions) {
    this.#options = options;
  }

  /** A visitor's sessions, newest change first. */
  async list(visitor: Visitor): Promise<readonly LiveSession[]> {
    await this.#restIdle();
    const records = [...(await this.#all()).values()].filter(({ visitorId }) => visitorId === visitor.id);
    const sessions = await Promise.all(records.map((record) => this.#session(record)));
    return sessions.sort((one, other) => other.record.changedAt - one.record.changedAt);
  }

  async create(visitor: Visitor, title: string): Promise<LiveSession> {
    const records = await this.#all();
    const count = [...records.values()].filter(({ visitorId }) => visitorId === visitor.id).length;
    if (count >= maxSessionsOfVisitor) {
      throw new RefusedRequest("too-many", `there are ${count} sessions`, { hint: "delete some" });
    }
    const now = Date.now();
    const record = {
      id: randomSecret(),
      visitorId: visitor.id,
      title,
      createdAt: now,
      changedAt: now,
      epoch: newEpoch(),
    };
    await this.#save(record);
    return this.#session(record);
  }

  /** @throws RefusedRequest `not-found` for a session that there is not, or that is somebody else's: nobody learns which */
  async get(visitor: Visitor, id: string): Promise<LiveSession> {
    const record = (await this.#all()).get(id);
    if (record?.visitorId !== visitor.id) throw new RefusedRequest("not-found", "there is no such session");
    return this.#session(record);
  }

  async remove(visitor: Visitor, id: string): Promise<void> {
    const session = await this.get(visitor, id);
    await session.close();
    this.#open.delete(id);
    this.#live.delete(id);
    (await this.#all()).delete(id);
    await this.#options.store.remove(session.record);
  }

  /** @throws RefusedRequest `too-many` when the visitor has as many runs going on as are allowed */
  checkRuns(visitor: Visitor): void {
    const { maxRuns } = this.#options;
    const active = [...this.#live.values()].filter(
      ({ record, isActive }) => record.visitorId === visitor.id && isActive,
    ).length;
    if (active < maxRuns) return;
    throw new RefusedRequest("too-many", `${active} runs are going on`, { hint: "wait for one of them, or stop one" });
  }

  /** The server ends. Runs are left as they are. */
  async leave(): Promise<void> {
    await Promise.all([...this.#live.values()].map((session) => session.leave()));
  }

  #session(record: SessionRecord): Promise<LiveSession> {
    const open = this.#open.get(record.id);
    if (open) return open;
    const opening = this.#openSession(record);
    this.#open.set(record.id, opening);
    opening.catch(() => this.#open.delete(record.id));
    return opening;
  }

  async #openSession(record: SessionRecord): Promise<LiveSession> {
    const { store, makeAgent, uploads } = this.#options;
    const session = new LiveSession(record, await store.openLog(record), {
      uploads,
      openAgent: async (log) => (await makeAgent()).session({ log }),
      save: (changed) => this.#save(changed),
      replaceLog: (changed, before, events) => store.replaceLog(changed, before, events),
    });
    this.#live.set(record.id, session);
    return session;
  }

  async #save(record: SessionRecord): Promise<void> {
    (await this.#all()).set(record.id, record);
    await this.#options.store.save(record);
  }

  #all(): Promise<Map<string, SessionRecord>> {
    this.#records ??= this.#options.store
      .records()
      .then((records) => new Map(records.map((record) => [record.id, record])));
    return this.#records;
  }

  async #restIdle(): Promise<void> {
    const before = Date.now() - restAfterMs;
    const idle = [...this.#live.values()].filter(
      ({ isActive, readers, lastUsed }) => !isActive && readers === 0 && lastUsed < before,
    );
    await Promise.all(idle.map((session) => session.rest()));
  }
}
