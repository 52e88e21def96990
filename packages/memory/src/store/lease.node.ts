// The rules about who may hold a session, shared by every storage of records.

import { AgentError, invalidOption, wait } from "@smolts/protocol";
import { type LeaseHolder, livenessOf } from "./lease-holder.node.ts";
import type { RecordHold, RecordsRead } from "./record-storage.ts";

/** The newest lease of a session, as it was read from a storage. */
export interface ObservedLease {
  readonly epoch: number;
  /** Increases with each heartbeat of the holder. */
  readonly counter: number;
  readonly isReleased: boolean;
}

/** The session to watch, and how to read its lease again. */
export interface LeaseWatch<Lease extends ObservedLease> {
  readonly sessionId: string;
  readonly holder: LeaseHolder;
  /** The name of this machine; the host name by default. */
  readonly host: string | undefined;
  readonly leaseMs: number;
  readonly signal: AbortSignal | undefined;
  /** Reads the newest lease; null while it cannot be read. */
  readonly look: () => Promise<Lease | null>;
}

/**
 * Resolves with the newest lease when its holder may be replaced. If the holder's process has died,
 * it resolves immediately. The process of a holder on another machine cannot be checked, so such a
 * holder is replaced when its counter has not changed for the duration of a lease.
 */
export async function waitForLease<Lease extends ObservedLease>(
  first: Lease | null,
  epoch: number,
  { sessionId, holder, host, leaseMs, signal, look }: LeaseWatch<Lease>,
): Promise<Lease | null> {
  const life = livenessOf(holder, host);
  if (life === "dead") return first;
  if (life === "alive") throw sessionHeldError(sessionId, `process ${holder.pid} on "${holder.host}"`);
  let last = first;
  // Wait for ten reads of the lease, and not for a certain time. If this process were suspended
  // during the whole time, it would not see that the holder renews its lease.
  for (let count = 0; count < 10; count++) {
    await wait(leaseMs / 10, signal ?? new AbortController().signal);
    last = await look();
    if (last?.isReleased && last.epoch === epoch) return last;
    if (last && (last.epoch !== epoch || last.counter !== first?.counter)) {
      throw sessionHeldError(sessionId, "a process on another machine");
    }
  }
  return last;
}

/** Returns the error about a session that another process holds. */
export const sessionHeldError = (sessionId: string, by: string): AgentError =>
  new AgentError("lease", `the session "${sessionId}" is held by another process: ${by}`, {
    hint: "wait until it has ended, or stop it; then resume the run",
  });

/**
 * Returns a read-only hold for a log that was written with another key. It creates nothing, and all
 * writes are refused.
 */
export function foreignHold({ records, epoch }: Pick<RecordsRead, "records" | "epoch">): RecordHold {
  const refuse = async (): Promise<never> => {
    throw new AgentError("log", "the run log was written with another key");
  };
  const refused = { write: refuse, sync: refuse, confirm: refuse, putBlob: refuse };
  return { epoch, records, sum: "", isOwn: false, ...refused, release: async () => {} };
}

/**
 * Checks the duration of a store's leases. It must be less than 25 days, because a timer cannot be
 * longer.
 *
 * @throws AgentError `invalid-option` when `leaseMs` is not such a duration
 */
export function checkLeaseMs(leaseMs: number): void {
  if (leaseMs >= 1 && leaseMs < 2 ** 31) return;
  throw invalidOption(`leaseMs is ${leaseMs}; expected a number of ms from 1 to 2147483647`, "write leaseMs: 30_000");
}

/**
 * Checks the key of a store.
 *
 * @throws AgentError `invalid-option` when it is too short to be a secret
 */
export function checkStoreKey(key: string | Uint8Array | undefined, keptOutside: string): void {
  if (key === undefined || key.length >= 16) return;
  throw invalidOption(
    `the key of the store has ${key.length} characters; expected at least 16`,
    `make one with crypto.randomBytes(32).toString('hex') and keep it outside the ${keptOutside}`,
  );
}
