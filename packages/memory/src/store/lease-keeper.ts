import { AgentError, wait } from "@smolts/protocol";

/** A lease that a {@link LeaseKeeper} renews. */
export interface KeptLease {
  readonly sessionId: string;
  readonly leaseMs: number;
  /**
   * Writes a heartbeat for processes that wait for the lease. Rejects with `lease` when another
   * holder has taken over.
   */
  readonly renew: () => Promise<void>;
  /** Checks the lease. Rejects with `lease` when another holder has taken over. */
  readonly confirm: () => Promise<void>;
}

/**
 * Renews a lease until {@link LeaseKeeper.end} is called.
 *
 * A process that waits for the lease takes it over when it has seen no renewal for `leaseMs`. So if
 * the lease was not renewed for half of that time, its holder starts nothing new until a renewal
 * succeeds. If the renewal fails, the lease is lost.
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

  /**
   * Aborts with a `lease` error when the lease could not be renewed, or when another holder has
   * taken it.
   */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Resolves when it is certain that no other holder has taken over the lease. If the last renewal
   * is recent enough, resolves immediately.
   */
  async untilFresh(): Promise<void> {
    this.#lost.signal.throwIfAborted();
    if (this.#isLate) await this.#renewLate();
  }

  /**
   * Renews the lease now. Simultaneous callers share one renewal. Rejects for the same reasons as
   * the lease's own `renew`.
   */
  async renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    await this.#renewing;
  }

  /** Stops renewing the lease. The holder itself releases the lease. */
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
   * Renews a late lease, then checks after a short wait that this process still holds it. A process
   * that waits for the lease, and that read it right before the renewal, may still take it over
   * during this wait.
   */
  async #renewThenConfirm(): Promise<void> {
    const { sessionId, leaseMs, confirm } = this.#lease;
    const silentMs = Math.round(performance.now() - this.#renewedAt);
    try {
      await withinMs(Math.max(leaseMs / 6, minPatienceMs), this.renew());
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
 * The minimum time to wait for a late renewal before the lease counts as lost, in ms. It also
 * applies if the lease itself is shorter, because a busy machine may need this time. Waiting is
 * safe, because the holder starts nothing new until then.
 */
const minPatienceMs = 1_000;

/**
 * Waits for a task, but not longer than a limit. The limit is divided into short waits, so the time
 * during which this process itself is suspended counts as only one short wait.
 */
async function withinMs(limitMs: number, task: Promise<void>): Promise<void> {
  const done = new AbortController();
  const tooLong = async (): Promise<never> => {
    for (let count = 0; count < 10; count++) await wait(limitMs / 10, done.signal);
    throw new Error(`the storage did not answer within ${limitMs} ms`);
  };
  try {
    await Promise.race([task, tooLong()]);
  } finally {
    done.abort();
  }
}

const notRenewed = (sessionId: string, silentMs: number, cause: unknown): AgentError =>
  new AgentError("lease", `the lease of the session "${sessionId}" could not be renewed for ${silentMs} ms`, {
    cause,
    hint: "another process may take over the session; repair the storage and resume the run",
  });
