// The sessions of all visitors. Sessions in use are open; the others are only records in the store.

import type { ServedAgent } from "../agent-shape.ts";
import type { SessionRecord, SessionStore } from "../session-store.ts";
import type { Fork, Forked, SessionSummary, UploadRules } from "../wire.ts";
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
  /** The rules for uploads; null if uploads are off. */
  readonly uploads: UploadRules | null;
}

const maxSessionsOfVisitor = 1_000;
/**
 * How long an idle session without readers stays open, in ms. After that it is closed with its
 * sandbox.
 */
const maxIdleMs = 10 * 60_000;

/** All sessions, by visitor. */
export class SessionTable {
  readonly #options: SessionTableOptions;
  readonly #open = new Map<string, Promise<LiveSession>>();
  readonly #live = new Map<string, LiveSession>();
  #records: Promise<Map<string, SessionRecord>> | null = null;
  #hasLeft = false;

  constructor(options: SessionTableOptions) {
    this.#options = options;
  }

  /**
   * Returns a visitor's sessions, most recently changed first. Sessions that are not open are
   * described by their records.
   */
  async list(visitor: Visitor): Promise<readonly SessionSummary[]> {
    await this.#closeIdle();
    const records = await this.#recordsOf(visitor);
    return records.map((record) => this.#live.get(record.id)?.summary ?? summaryOf(record));
  }

  /** Returns a visitor's sessions that contain all words, each with an excerpt. */
  async search(visitor: Visitor, words: readonly string[]): Promise<readonly SessionSummary[]> {
    const found: SessionSummary[] = [];
    for (const record of await this.#recordsOf(visitor)) {
      const wasOpen = this.#live.has(record.id);
      const session = await this.#session(record);
      const place = session.find(words);
      if (place !== null) found.push({ ...session.summary, found: place });
      if (!wasOpen && session.isIdle) await this.#close(session);
    }
    return found;
  }

  async create(visitor: Visitor, title: string): Promise<LiveSession> {
    const records = await this.#all();
    const count = [...records.values()].filter(({ visitorId }) => visitorId === visitor.id).length;
    if (count >= maxSessionsOfVisitor) {
      throw new RefusedRequest("too-many", `there are ${count} sessions, and no more are allowed`, {
        hint: "delete some",
      });
    }
    const now = Date.now();
    const record: SessionRecord = {
      status: "empty",
      runCount: 0,
      id: randomSecret(),
      visitorId: visitor.id,
      title,
      createdAt: now,
      changedAt: now,
      epoch: newEpoch(),
    };
    // Add the record before saving, so that simultaneous requests count it towards the limit.
    records.set(record.id, record);
    await this.#save(record);
    return this.#session(record);
  }

  /**
   * Creates a session that shares the steps of another session before a given step.
   *
   * @throws RefusedRequest `effects-repeat`, `agent-failed`
   */
  async fork(visitor: Visitor, parent: LiveSession, given: Fork): Promise<Forked> {
    const session = await this.create(visitor, parent.record.title);
    try {
      const runId = await session.fork(parent.log, given);
      return { session: session.summary, runId };
    } catch (error) {
      await this.remove(visitor, session.record.id);
      throw error;
    }
  }

  /**
   * Returns a session of a visitor.
   *
   * @throws RefusedRequest `not-found` if the session does not exist or belongs to somebody else.
   *   Both cases have the same error, so that nobody learns whether the session exists.
   */
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

  /**
   * Checks that a visitor may start another run.
   *
   * @throws RefusedRequest `too-many` if the visitor has too many active runs
   */
  checkRuns(visitor: Visitor): void {
    const { maxRuns } = this.#options;
    const active = [...this.#live.values()].filter(
      ({ record, isActive }) => record.visitorId === visitor.id && isActive,
    ).length;
    if (active < maxRuns) return;
    throw new RefusedRequest("too-many", `${active} runs are active`, { hint: "wait for one of them, or stop one" });
  }

  /**
   * Closes all sessions when the server ends, and opens no session from then on. Active runs stay
   * unfinished in their logs.
   */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    await Promise.allSettled(this.#open.values());
    await Promise.all([...this.#live.values()].map((session) => this.#close(session)));
  }

  #session(record: SessionRecord): Promise<LiveSession> {
    if (this.#hasLeft) throw new RefusedRequest("server-failed", "the server is stopping");
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
    this.#records ??= this.#readAll();
    return this.#records;
  }

  /** Reads all records. If that fails, the next request tries again. */
  async #readAll(): Promise<Map<string, SessionRecord>> {
    try {
      const records = await this.#options.store.records();
      return new Map(records.map((record) => [record.id, record]));
    } catch (error) {
      this.#records = null;
      throw error;
    }
  }

  async #recordsOf(visitor: Visitor): Promise<readonly SessionRecord[]> {
    const records = [...(await this.#all()).values()].filter(({ visitorId }) => visitorId === visitor.id);
    return records.sort((one, other) => other.changedAt - one.changedAt);
  }

  async #closeIdle(): Promise<void> {
    const before = Date.now() - maxIdleMs;
    const idle = [...this.#live.values()].filter(({ isIdle, lastUsed }) => isIdle && lastUsed < before);
    await Promise.all(idle.map((session) => this.#close(session)));
  }

  /** Closes a session that has no readers. Its record and its log stay in the store. */
  async #close(session: LiveSession): Promise<void> {
    this.#open.delete(session.record.id);
    this.#live.delete(session.record.id);
    await session.leave();
  }
}

function summaryOf({ id, title, createdAt, changedAt, status, runCount }: SessionRecord): SessionSummary {
  // If a record still says "running", the process ended during the run, so the run was interrupted.
  const wasCutOff = status === "running";
  return { id, title, createdAt, changedAt, status: wasCutOff ? "interrupted" : status, runCount };
}
