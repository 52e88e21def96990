import {
  AgentError,
  type DurableBody,
  type DurableEvent,
  type EventPlace,
  type EventStamp,
  onAbort,
  type RunLog,
  type RunStore,
  type StoredLog,
  untilAborted,
} from "@smolts/protocol";
import { defaults } from "../defaults.ts";
import { withinGrace } from "../run/grace-time.ts";
import { logError } from "./log-writer.ts";

/** Identifies a session of a store by its own id, or by the id of a run in it. */
export type StoredSession = { readonly sessionId: string } | { readonly runId: string };

/**
 * The log of a session in a store. It is opened when a run begins. It is closed when the session is
 * idle, so that another process can take it while a run waits for people. A closed log can still be
 * read.
 */
export class StoredSessionLog implements RunLog {
  readonly #store: RunStore;
  readonly #wanted: StoredSession;
  #id: string;
  #held: StoredLog | null = null;
  #lost = new AbortController();

  constructor(store: RunStore, wanted: StoredSession) {
    this.#store = store;
    this.#wanted = wanted;
    this.#id = "sessionId" in wanted ? wanted.sessionId : wanted.runId;
  }

  get id(): string {
    return this.#id;
  }

  /** Aborts with a `lease` error when another process has taken over the log. */
  get lost(): AbortSignal {
    return this.#held?.lost ?? this.#lost.signal;
  }

  /**
   * Takes the log, unless this object already has it. Returns true if this call took it. The
   * content of the log must then be read again.
   *
   * @throws AgentError `lease` while another process holds it, `log` for an unknown run
   */
  async open(signal: AbortSignal): Promise<boolean> {
    if (this.#held) return false;
    signal.throwIfAborted();
    const opening = this.#openHeld(signal);
    // After an abort nothing waits for the log, so it is closed as soon as it is open.
    const stop = onAbort(signal, () => noteRelease(this.#store, this.#id, opening));
    try {
      this.#held = await opening;
    } finally {
      stop();
    }
    if (!signal.aborted) return true;
    await this.close();
    throw signal.reason;
  }

  /**
   * Closes the log, so that others can take it. The result of a run must not wait for a store that
   * does not answer. In that case the log is closed in the background.
   */
  async close(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    if (!held) return;
    const closing = held[Symbol.asyncDispose]();
    noteRelease(this.#store, this.#id, closing);
    await withinGrace(Promise.resolve(closing), defaults.abortGraceMs);
  }

  append<Body extends DurableBody>(body: Body, at: EventPlace): EventStamp & Body {
    return this.#open().append(body, at);
  }

  async flush(): Promise<void> {
    await this.#open().flush();
  }

  putBlob(bytes: Uint8Array, mediaType: string): ReturnType<RunLog["putBlob"]> {
    return this.#open().putBlob(bytes, mediaType);
  }

  async *read(fromSeq?: number): AsyncGenerator<DurableEvent, void> {
    const log = this.#held ?? (await this.#store.open(await this.#sessionId(), { readonly: true }));
    yield* log.read(fromSeq);
  }

  async readBlob(digest: string): Promise<Uint8Array> {
    const log = this.#held ?? (await this.#store.open(await this.#sessionId(), { readonly: true }));
    return log.readBlob(digest);
  }

  /**
   * Says whether another session of the store has a run with this id. If so, the store could find
   * only one of the two runs.
   */
  async isRunElsewhere(runId: string): Promise<boolean> {
    try {
      const sessionId = await this.#store.find(runId);
      return sessionId !== null && sessionId !== this.#id;
    } catch (error) {
      throw AgentError.is(error) ? error : logError("could not be read", error);
    }
  }

  async #sessionId(): Promise<string> {
    if ("sessionId" in this.#wanted) return this.#wanted.sessionId;
    const sessionId = await this.#store.find(this.#wanted.runId);
    if (sessionId !== null) return sessionId;
    throw new AgentError("log", `the store has no run "${this.#wanted.runId}"`, {
      hint: "store.list() lists the newest run of each session",
    });
  }

  async #openHeld(signal: AbortSignal): Promise<StoredLog> {
    try {
      this.#id = await this.#sessionId();
      await untilAborted(untilReleased(this.#store, this.#id), signal);
      return await this.#store.open(this.#id, { signal });
    } catch (error) {
      throw AgentError.is(error) ? error : logError("could not be opened", error);
    }
  }

  #open(): StoredLog {
    if (this.#held) return this.#held;
    throw new AgentError("log", `the log of the session "${this.#id}" is not open`, {
      hint: "resume the run, or start another one in its session",
    });
  }
}

// For each store, the sessions that this process is releasing. A store refuses to open a session
// while this process still holds it. So a new run first waits until an earlier run of the session
// has closed the log. If the earlier run was aborted while the store opened the log, the new run
// waits for that too.

const releasing = new WeakMap<RunStore, Map<string, Promise<unknown>>>();

/**
 * Waits until this process has released the session. Resolves immediately if no release is in
 * progress.
 */
async function untilReleased(store: RunStore, sessionId: string): Promise<void> {
  const sessions = releasing.get(store);
  while (sessions?.has(sessionId)) await sessions.get(sessionId);
}

/** Registers the release of a session. The session is free when `task` has settled. */
function noteRelease(store: RunStore, sessionId: string, task: PromiseLike<unknown>): void {
  const sessions = releasing.get(store) ?? new Map<string, Promise<unknown>>();
  releasing.set(store, sessions);
  const all: Promise<unknown> = Promise.allSettled([sessions.get(sessionId), task]).then(() => {
    if (sessions.get(sessionId) === all) sessions.delete(sessionId);
  });
  sessions.set(sessionId, all);
}
