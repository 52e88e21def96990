import {
  AgentError,
  type DurableBody,
  type DurableEvent,
  type EventPlace,
  type EventStamp,
  type RunLog,
  type RunStore,
  type StoredLog,
} from "@smolts/protocol";
import { onAbort, untilAborted } from "../run/until-aborted.ts";

/** Which session of a store is meant: by its own id, or by that of a run in it. */
export type StoredSession = { readonly sessionId: string } | { readonly runId: string };

/**
 * The log of a session in a store. It is opened when a run begins and closed when the session
 * rests: while a run waits for people, another process may take it. Closed, it can still be read.
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

  /** Aborts with a `lease` error when another process has taken over. */
  get lost(): AbortSignal {
    return this.#held?.lost ?? this.#lost.signal;
  }

  /**
   * Takes the log, unless it is taken already. Returns whether it was taken now, so that what it
   * holds must be read.
   *
   * @throws AgentError `lease` while another process holds it, `log` for an unknown run
   */
  async open(signal: AbortSignal): Promise<boolean> {
    if (this.#held) return false;
    signal.throwIfAborted();
    const opening = this.#openHeld(signal);
    // Nobody waits for it then, and it is closed as soon as it is there.
    const stop = onAbort(signal, () => giveBack(this.#store, this.#id, opening));
    try {
      this.#held = await opening;
    } finally {
      stop();
    }
    if (!signal.aborted) return true;
    await this.close();
    throw signal.reason;
  }

  /** Gives the log back. */
  async close(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    if (!held) return;
    const closing = held[Symbol.asyncDispose]();
    giveBack(this.#store, this.#id, closing);
    await closing;
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

  async #sessionId(): Promise<string> {
    if ("sessionId" in this.#wanted) return this.#wanted.sessionId;
    const sessionId = await this.#store.find(this.#wanted.runId);
    if (sessionId !== null) return sessionId;
    throw new AgentError("log", `the store has no run "${this.#wanted.runId}"`, {
      hint: "store.list() shows the newest run of each session",
    });
  }

  async #openHeld(signal: AbortSignal): Promise<StoredLog> {
    this.#id = await this.#sessionId();
    await untilAborted(allGivenBack(this.#store, this.#id), signal);
    return await this.#store.open(this.#id, { signal });
  }

  #open(): StoredLog {
    if (this.#held) return this.#held;
    throw new AgentError("log", `the log of the session "${this.#id}" is not open`, {
      hint: "resume the run, or start another one in its session",
    });
  }
}

// A store refuses a session that this process holds already. So a run that begins right after
// another one waits until the log is back: the other may be closing it, or was aborted while the
// store opened it.

const onTheirWay = new WeakMap<RunStore, Map<string, Promise<unknown>>>();

/** Resolves when this process has given the session back, as far as it is about to. */
async function allGivenBack(store: RunStore, sessionId: string): Promise<void> {
  const sessions = onTheirWay.get(store);
  while (sessions?.has(sessionId)) await sessions.get(sessionId);
}

/** Notes that a session is free when `task` has settled. */
function giveBack(store: RunStore, sessionId: string, task: PromiseLike<unknown>): void {
  const sessions = onTheirWay.get(store) ?? new Map<string, Promise<unknown>>();
  onTheirWay.set(store, sessions);
  const all: Promise<unknown> = Promise.allSettled([sessions.get(sessionId), task]).then(() => {
    if (sessions.get(sessionId) === all) sessions.delete(sessionId);
  });
  sessions.set(sessionId, all);
}
