import { AgentError, wait } from "@smolts/protocol";

/** A lease that is to be kept. */
export interface KeptLease {
  readonly sessionId: string;
  readonly leaseMs: number;
  /** Shows watchers a new sign of life. Rejects with `lease` when another holder has taken over. */
  readonly renew: () => Promise<void>;
  /** Rejects with `lease` when another holder has taken over. */
  readonly confirm: () => Promise<void>;
}

/**
 * Renews a lease until it is ended. A watcher takes over when it saw no sign of life for `leaseMs`,
 * so a holder that could not renew for half of that stops: until it has renewed, nothing begins.
 * When it still cannot, the lease is lost.
 */
export class LeaseKeeper {
  readonly #lease: KeptLease;
  readonly #lost = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #renewedAt = performance.now();
  #renewing: Promise<void> | null = null;
  #late: Promise<void> | null = null;

  constructor(lease: KeptLease) {
    this.#lease = lease;
    this.#timer = setInterval(() => void this.#tick().catch(() => {}), lease.leaseMs / 6);
    (this.#timer as Partial<NodeJS.Timeout>).unref?.();
  }

  /** Aborts with a `lease` error when the lease could not be renewed, or another holder has it. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Resolves when no watcher can have taken over: at once, unless the last renewal is long ago. */
  async mustBeFresh(): Promise<void> {
    this.#lost.signal.throwIfAborted();
    if (this.#isLate) await this.#renewLate();
  }

  /**
   * Renews the lease now; callers at the same time share one renewal. Rejects as the lease's own
   * `renew` does.
   */
  async renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    await this.#renewing;
  }

  /** Stops renewing. The lease itself is released by its holder. */
  end(): void {
    clearInterval(this.#timer);
  }

  get #isLate(): boolean {
    return performance.now() - this.#renewedAt > this.#lease.leaseMs / 2;
  }

  async #tick(): Promise<void> {
    if (this.#lost.signal.aborted) return;
    if (this.#isLate) await this.#renewLate();
    else if (performance.now() - this.#renewedAt > this.#lease.leaseMs / 4) await this.renew();
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#lease.renew();
      this.#renewedAt = startedAt;
    } catch (error) {
      if (AgentError.is(error) && error.code === "lease") this.#lost.abort(error);
      throw error;
    }
  }

  #renewLate(): Promise<void> {
    this.#late ??= this.#renewThenConfirm().finally(() => {
      this.#late = null;
    });
    return this.#late;
  }

  /**
   * A watcher that looked for the last time right before the renewal takes over within a moment. So
   * that moment is waited for.
   */
  async #renewThenConfirm(): Promise<void> {
    const { sessionId, leaseMs, confirm } = this.#lease;
    const silentMs = Math.round(performance.now() - this.#renewedAt);
    try {
      await withinMs(Math.max(leaseMs / 6, leastPatienceMs), this.renew());
      await wait(leaseMs / 5, this.#lost.signal);
      await confirm();
    } catch (error) {
      const isTaken = AgentError.is(error) && error.code === "lease";
      const lost = isTaken ? error : notRenewed(sessionId, silentMs, error);
      this.#lost.abort(lost);
      throw this.#lost.signal.reason;
    }
  }
}

/**
 * Nothing begins while a late renewal is awaited, so it may take this long on a busy machine,
 * however short the lease.
 */
const leastPatienceMs = 1_000;

async function withinMs(limitMs: number, task: Promise<void>): Promise<void> {
  const done = new AbortController();
  const tooLong = wait(limitMs, done.signal).then(() => {
    throw new Error(`the storage did not answer within ${limitMs} ms`);
  });
  try {
    await Promise.race([task, tooLong]);
  } finally {
    done.abort();
  }
}

const notRenewed = (sessionId: string, silentMs: number, cause: unknown): AgentError =>
  new AgentError("lease", `the lease of the session "${sessionId}" could not be renewed for ${silentMs} ms`, {
    cause,
    hint: "another process may take the session over; mend the storage and resume the run",
  });
