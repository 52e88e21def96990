// Limits how many runs are active at once, in total and per client. If all slots are taken,
// requests wait in a queue that is limited too.

import { RefusedRequest } from "../refused-request.ts";

/** The limits for active and waiting runs. */
export interface RunLimits {
  /** The maximum number of active runs. @defaultValue 64 */
  readonly runs: number;
  /** The maximum number of active and waiting runs of one client. @defaultValue 16 */
  readonly runsPerClient: number;
  /** The maximum number of requests that wait for a slot. @defaultValue 256 */
  readonly queued: number;
  /** How long a request waits for a slot, in ms. @defaultValue 30,000 */
  readonly queueTimeoutMs: number;
  /** The maximum number of requests of one client per minute. @defaultValue 600 */
  readonly requestsPerMinute: number;
}

/** Frees a slot. A second call does nothing. */
export type ReleaseSlot = () => void;

interface Waiting {
  readonly enter: () => void;
}

export class RunSlots {
  readonly #limits: RunLimits;
  readonly #queue = new Set<Waiting>();
  readonly #ofClient = new Map<string, number>();
  readonly #bodies = new Map<string, number>();
  readonly #requests = new Map<string, { count: number; readonly since: number }>();
  #taken = 0;

  constructor(limits: RunLimits) {
    this.#limits = limits;
  }

  /** Counts a request of a client for the limit per minute. @throws RefusedRequest `too-many` */
  count(client: string): void {
    const now = Date.now();
    const known = this.#requests.get(client);
    if (!known || now - known.since >= 60_000) {
      if (this.#requests.size > 10_000) this.#requests.clear();
      this.#requests.set(client, { count: 1, since: now });
      return;
    }
    known.count++;
    if (known.count > this.#limits.requestsPerMinute) {
      throw new RefusedRequest("too-many", `more than ${this.#limits.requestsPerMinute} requests in a minute`);
    }
  }

  /**
   * Counts a large body while it arrives, so that a client can send at most `runsPerClient` of them
   * at once.
   *
   * @throws RefusedRequest `too-many`
   */
  receive(client: string): ReleaseSlot {
    const count = this.#bodies.get(client) ?? 0;
    if (count >= this.#limits.runsPerClient) {
      throw new RefusedRequest("too-many", `${count} large requests of this client are arriving; wait for one of them`);
    }
    this.#bodies.set(client, count + 1);
    return () => takeOne(this.#bodies, client);
  }

  /**
   * Waits for a free slot.
   *
   * @throws RefusedRequest `too-many` when the queue is full, or no slot became free in time
   */
  async enter(client: string, signal: AbortSignal): Promise<ReleaseSlot> {
    const own = this.#ofClient.get(client) ?? 0;
    if (own >= this.#limits.runsPerClient) {
      throw new RefusedRequest("too-many", `${own} runs of this client are active; wait for one of them to end`);
    }
    this.#ofClient.set(client, own + 1);
    try {
      if (this.#taken < this.#limits.runs) this.#taken++;
      else await this.#wait(signal);
    } catch (error) {
      takeOne(this.#ofClient, client);
      throw error;
    }
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      takeOne(this.#ofClient, client);
      this.#free();
    };
  }

  /** Gives a free slot to the request that has waited longest. */
  #free(): void {
    const [next] = this.#queue;
    if (!next) {
      this.#taken--;
      return;
    }
    this.#queue.delete(next);
    next.enter();
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#queue.size >= this.#limits.queued) {
      throw new RefusedRequest("too-many", "the server is busy, and the queue of waiting requests is full");
    }
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.#queue.delete(waiting);
      };
      const waiting: Waiting = {
        enter: () => {
          end();
          resolve();
        },
      };
      const onAbort = (): void => {
        end();
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        end();
        reject(new RefusedRequest("too-many", "the server is busy, and no run ended in time"));
      }, this.#limits.queueTimeoutMs);
      this.#queue.add(waiting);
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}

function takeOne(counts: Map<string, number>, client: string): void {
  const left = (counts.get(client) ?? 1) - 1;
  if (left > 0) counts.set(client, left);
  else counts.delete(client);
}
