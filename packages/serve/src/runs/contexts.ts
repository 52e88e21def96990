// Stores the conversations of clients. The log of a conversation lists its runs, so the
// conversation can continue after a restart.

import { AgentError, type RunStore, type StoredLog, sha256, toHex, wait } from "@smolts/protocol";
import { openToRead } from "./open-to-read.ts";

/** Identifies a conversation: the client, and the id that the client uses for the conversation. */
export interface ContextPlace {
  readonly client: string;
  readonly context: string;
}

const runNote = "smolts/serve-context-run";
/** The maximum number of conversations in a store in memory. */
const maxInMemory = 10_000;

export class Contexts {
  readonly #store: RunStore;
  readonly #isInMemory: boolean;
  /** The logs of conversations in memory, least recently used first. */
  readonly #known = new Set<string>();

  constructor(store: RunStore, { isInMemory }: { readonly isInMemory: boolean }) {
    this.#store = store;
    this.#isInMemory = isInMemory;
  }

  /** Returns the id of the newest run of a conversation; null if there is none. */
  async newestRun(place: ContextPlace): Promise<string | null> {
    const opened = await openToRead(this.#store, await sessionOf(place));
    if (!opened) return null;
    await using log = opened;
    let newest: string | null = null;
    for await (const event of log.read()) {
      if (event.type === "note" && event.name === runNote) newest = String(event.data);
    }
    return newest;
  }

  /** Adds a run to a conversation. */
  async add(place: ContextPlace, runId: string, signal: AbortSignal): Promise<void> {
    const session = await sessionOf(place);
    await using log = await this.#openWhenFree(session, signal);
    log.append({ type: "note", name: runNote, data: runId }, { runId: session, path: ["context"] });
    await log.flush();
    if (this.#isInMemory) this.#keep(session);
  }

  /**
   * Opens the log of a conversation. Two messages of one conversation may arrive at the same time,
   * even at two servers. So this function waits while another message has the log open. That takes
   * only a moment.
   */
  async #openWhenFree(session: string, signal: AbortSignal): Promise<StoredLog> {
    for (;;) {
      try {
        return await this.#store.open(session, { signal });
      } catch (error) {
        if (!AgentError.is(error) || error.code !== "lease") throw error;
        await wait(10, signal);
      }
    }
  }

  #keep(session: string): void {
    this.#known.delete(session);
    this.#known.add(session);
    const [oldest] = this.#known;
    if (this.#known.size <= maxInMemory || oldest === undefined) return;
    this.#known.delete(oldest);
    // Deleting fails if the log is being written. Ignore that: a log in use should stay.
    void this.#store.delete(oldest).catch(() => {});
  }
}

/**
 * Returns the name of a conversation's log. The name is a hash, because the ids of clients and
 * conversations may be any text.
 */
async function sessionOf({ client, context }: ContextPlace): Promise<string> {
  const hash = await sha256(JSON.stringify([client, context]));
  return `context-${toHex(hash.subarray(0, 16))}`;
}
