// Stores records in tables. Each statement that writes lines also checks the epoch of the lease. So
// a process that has lost its lease writes nothing.

import {
  abandon,
  checkAcknowledged,
  checkLeaseMs,
  checkStoreKey,
  foreignHold,
  type LeaseHolder,
  LeaseKeeper,
  type ObservedLease,
  type RecordBatch,
  type RecordHold,
  type RecordStorage,
  type RecordSums,
  type RecordsRead,
  readLines,
  recordSums,
  sessionHeldError,
  thisHolder,
  unknownSessionError,
  waitForLease,
} from "@smolts/memory/storing";
import { AgentError, type ListRunsOptions, type StoredRun, thrownText } from "@smolts/protocol";
import { isLocked, type SqlConnection, type SqlRow } from "./sql-connection.ts";
import { createTables } from "./tables.ts";

/** Options of a store in a database. */
export interface SqlStoreOptions {
  /**
   * A secret of at least 16 characters that is kept outside the database. Only logs that were
   * written with this key can be continued. Without a key, everybody who can write to the tables is
   * trusted.
   */
  readonly key?: string | Uint8Array;
  /**
   * The time after which a silent process on another machine loses its lease, in ms. Default:
   * 30,000.
   */
  readonly leaseMs?: number;
  /** The name of this machine. Default: the host name. */
  readonly host?: string;
}

/**
 * The most lines in one statement. PostgreSQL accepts 65,535 values in one statement, SQLite
 * 32,766.
 */
const maxLinesInStatement = 1_000;

/** Creates a storage of records in the tables of a database. */
export function sqlStorage(connection: SqlConnection, options: SqlStoreOptions): RecordStorage {
  return new SqlStorage(connection, options);
}

class SqlStorage implements RecordStorage {
  readonly #connection: SqlConnection;
  readonly #sums: RecordSums;
  readonly #leaseMs: number;
  readonly #host: string | undefined;
  #tables: Promise<void> | null = null;

  constructor(connection: SqlConnection, { key, leaseMs = 30_000, host }: SqlStoreOptions) {
    checkStoreKey(key, "database");
    checkLeaseMs(leaseMs);
    this.#connection = connection;
    this.#sums = recordSums(key);
    this.#leaseMs = leaseMs;
    this.#host = host;
  }

  get sumOf(): RecordSums["sumOf"] {
    return this.#sums.sumOf;
  }

  async hold(id: string, { signal }: { readonly signal?: AbortSignal | undefined }): Promise<RecordHold> {
    await this.#query(
      `INSERT INTO smolts_session (id, epoch, holder, counter, acked, released, key_id)
       VALUES ($1, 0, '', 0, 0, 1, $2) ON CONFLICT (id) DO NOTHING`,
      [id, this.#sums.keyId],
    );
    const { epoch, counter, isReleased } = await this.#freeLease(id, signal);
    // Only an interrupted deletion leaves a session in this state, so finish the deletion.
    if (epoch === 0 && !isReleased) {
      await this.removeRest(id);
      return this.hold(id, { signal });
    }
    const before = await this.read(id);
    if (before && !before.isOwn) return foreignHold(before);
    const holder = thisHolder(this.#host);
    try {
      const taken = await this.#query(
        `UPDATE smolts_session SET epoch = epoch + 1, holder = $4, counter = 0, released = 0
         WHERE id = $1 AND epoch = $2 AND counter = $3`,
        [id, epoch, counter, JSON.stringify(holder)],
      );
      if (taken.changes !== 1) throw sessionHeldError(id, "another process was faster");
      // The lines are read after the lease was taken, so that no other process can add lines later.
      const { records, sum } = await this.#lines(id, this.#sums.keyId);
      return new SqlHold(this.#connection, { id, epoch: epoch + 1, holder, records, sum, leaseMs: this.#leaseMs });
    } catch (error) {
      // The database may have stored the lease although the statement failed. So the lease is
      // marked as abandoned.
      abandon(holder);
      throw error;
    }
  }

  async read(id: string): Promise<RecordsRead | null> {
    // The acknowledged position is read first, because it must not be newer than the lines that are
    // read after it.
    const [session] = (await this.#query("SELECT epoch, key_id, acked FROM smolts_session WHERE id = $1", [id])).rows;
    if (!session || Number(session["epoch"]) === 0) return null;
    const keyId = String(session["key_id"]);
    const { records } = await this.#lines(id, keyId);
    checkAcknowledged(records, Number(session["acked"]));
    return { records, epoch: Number(session["epoch"]), isOwn: keyId === this.#sums.keyId };
  }

  async version(id: string): Promise<string | null> {
    const { rows } = await this.#query(
      `SELECT epoch, (SELECT MAX(seq) FROM smolts_record WHERE session_id = $1) AS last
       FROM smolts_session WHERE id = $1 AND epoch > 0`,
      [id],
    );
    return rows[0] ? `${rows[0]["epoch"]} ${rows[0]["last"] ?? 0}` : null;
  }

  async readBlob(id: string, digest: string): Promise<Uint8Array | null> {
    const { rows } = await this.#query("SELECT bytes FROM smolts_blob WHERE session_id = $1 AND digest = $2", [
      id,
      digest,
    ]);
    const bytes = rows[0]?.["bytes"];
    return bytes instanceof Uint8Array ? new Uint8Array(bytes) : null;
  }

  async find(runId: string): Promise<string | null> {
    const { rows } = await this.#query(
      `SELECT session_id FROM smolts_run WHERE run_id = $1
         AND EXISTS (SELECT 1 FROM smolts_session WHERE id = session_id AND epoch > 0)`,
      [runId],
    );
    return rows[0] ? String(rows[0]["session_id"]) : null;
  }

  async list({ limit, status, after }: ListRunsOptions & { readonly limit: number }): Promise<readonly StoredRun[]> {
    const { rows } = await this.#query(
      `SELECT row_json FROM smolts_session
       WHERE row_json IS NOT NULL AND (status = $1 OR $1 = '')
         AND ($2 = '' OR (start_time, id) < (SELECT start_time, id FROM smolts_session WHERE id = $2))
       ORDER BY start_time DESC, id DESC LIMIT $3`,
      [status ?? "", after ?? "", Math.min(limit, Number.MAX_SAFE_INTEGER)],
    );
    if (after !== undefined && rows.length === 0) await this.#requireSession(after);
    // The cast is safe: only this file writes these rows.
    return rows.map((row) => JSON.parse(String(row["row_json"])) as StoredRun);
  }

  /**
   * Throws if a session does not exist. A list cannot continue after a session that was deleted.
   */
  async #requireSession(id: string): Promise<void> {
    const { rows } = await this.#query("SELECT id FROM smolts_session WHERE id = $1", [id]);
    if (rows.length === 0) throw unknownSessionError(id);
  }

  async remove(id: string): Promise<void> {
    // Hide the session first, because a half-deleted log must not look like a truncated log.
    await this.#query(
      "UPDATE smolts_session SET epoch = 0, acked = 0, status = NULL, start_time = NULL, row_json = NULL WHERE id = $1",
      [id],
    );
    await this.removeRest(id);
  }

  async removeRest(id: string): Promise<void> {
    // Another process may begin a new session with this id at any time. So that nothing of the new
    // session is deleted, each statement checks that the session is still the hidden one.
    const isHidden = "EXISTS (SELECT 1 FROM smolts_session WHERE id = $1 AND epoch = 0 AND released = 0)";
    for (const table of ["smolts_record", "smolts_run", "smolts_blob"]) {
      await this.#query(`DELETE FROM ${table} WHERE session_id = $1 AND ${isHidden}`, [id]);
    }
    await this.#query("DELETE FROM smolts_session WHERE id = $1 AND epoch = 0 AND released = 0", [id]);
  }

  async #lines(id: string, keyId: string): Promise<ReturnType<typeof readLines>> {
    const { rows } = await this.#query("SELECT line FROM smolts_record WHERE session_id = $1 ORDER BY seq", [id]);
    const lines = rows.map((row) => String(row["line"]));
    return readLines(lines, keyId === this.#sums.keyId ? this.#sums.sumOf : null);
  }

  /**
   * Waits until this process can take the lease, and returns the lease as it was observed. If the
   * holder renews the lease before this process takes it, the holder keeps it.
   */
  async #freeLease(id: string, signal?: AbortSignal): Promise<ObservedLease> {
    const first = await this.#lease(id);
    if (first.isReleased) return first;
    const look = () => this.#lease(id);
    const { holder, epoch } = first;
    const watch = { sessionId: id, holder, host: this.#host, leaseMs: this.#leaseMs, signal, look };
    return (await waitForLease(first, epoch, watch)) ?? first;
  }

  async #lease(id: string): Promise<ObservedLease & { readonly holder: LeaseHolder }> {
    const { rows } = await this.#query("SELECT epoch, counter, released, holder FROM smolts_session WHERE id = $1", [
      id,
    ]);
    // The row is missing if another process has just deleted the session.
    const row: SqlRow = rows[0] ?? { epoch: 0, counter: 0, released: 1 };
    const isReleased = Number(row["released"]) === 1;
    // The cast is safe: only this file writes these values.
    const holder = (isReleased ? {} : JSON.parse(String(row["holder"]))) as LeaseHolder;
    return { epoch: Number(row["epoch"]), counter: Number(row["counter"]), isReleased, holder };
  }

  async #query(statement: string, values: readonly unknown[]): ReturnType<SqlConnection["query"]> {
    this.#tables ??= createTables(this.#connection);
    try {
      await this.#tables;
      return await this.#connection.query(statement, values);
    } catch (error) {
      this.#tables = null;
      throw databaseError(error);
    }
  }
}

interface SqlHoldParts {
  readonly id: string;
  readonly epoch: number;
  readonly holder: LeaseHolder;
  readonly records: RecordHold["records"];
  readonly sum: string;
  readonly leaseMs: number;
}

class SqlHold implements RecordHold {
  readonly isOwn = true;
  readonly #connection: SqlConnection;
  readonly #parts: SqlHoldParts;
  readonly #keeper: LeaseKeeper;
  #acked: number;

  constructor(connection: SqlConnection, parts: SqlHoldParts) {
    this.#connection = connection;
    this.#parts = parts;
    this.#acked = parts.records.length;
    const { id: sessionId, leaseMs } = parts;
    const renew = (): Promise<void> => this.#beat();
    this.#keeper = new LeaseKeeper({ sessionId, leaseMs, renew, confirm: () => this.#requireLease() });
  }

  get lost(): AbortSignal {
    return this.#keeper.lost;
  }

  get epoch(): number {
    return this.#parts.epoch;
  }

  get records(): RecordHold["records"] {
    return this.#parts.records;
  }

  get sum(): string {
    return this.#parts.sum;
  }

  async write({ lines, firstSeq, row, runIds }: RecordBatch): Promise<void> {
    for (let from = 0; from < lines.length; from += maxLinesInStatement) {
      await this.#insert(lines.slice(from, from + maxLinesInStatement), firstSeq + from);
    }
    const { id, epoch } = this.#parts;
    for (const runId of runIds) {
      await this.#query("INSERT INTO smolts_run (run_id, session_id) VALUES ($1, $2) ON CONFLICT (run_id) DO NOTHING", [
        runId,
        id,
      ]);
    }
    if (!row) return;
    await this.#query(
      "UPDATE smolts_session SET status = $3, start_time = $4, row_json = $5 WHERE id = $1 AND epoch = $2",
      [id, epoch, row.status, row.startTime, JSON.stringify(row)],
    );
  }

  /**
   * Inserts lines. The row lock makes the next holder of the lease wait until the lines are stored.
   * If the next holder was faster, the epoch differs and nothing is inserted.
   */
  async #insert(lines: readonly string[], firstSeq: number): Promise<void> {
    const { id, epoch } = this.#parts;
    const places = lines.map((_line, index) => `($${2 * index + 3}::bigint, $${2 * index + 4}::text)`).join(", ");
    const { changes } = await this.#query(
      `WITH held AS (SELECT id FROM smolts_session WHERE id = $1 AND epoch = $2 FOR UPDATE),
            line (seq, line) AS (VALUES ${places})
       INSERT INTO smolts_record (session_id, seq, line) SELECT held.id, line.seq, line.line FROM held, line`,
      [id, epoch, ...lines.flatMap((line, index) => [firstSeq + index, line])],
    );
    if (changes !== lines.length) throw sessionHeldError(id, "another process has taken it over");
  }

  /**
   * Checks the lease. It need not write anything: the database has stored each write that it
   * confirmed, and refuses writes of processes without the lease.
   */
  async sync(acked: number): Promise<void> {
    this.#acked = acked;
    await this.#keeper.untilFresh();
  }

  async confirm(): Promise<void> {
    await this.#requireLease();
    await this.#keeper.untilFresh();
  }

  async #requireLease(): Promise<void> {
    const { id, epoch } = this.#parts;
    const { rows } = await this.#query("SELECT id FROM smolts_session WHERE id = $1 AND epoch = $2", [id, epoch]);
    if (rows.length === 0) throw sessionHeldError(id, "another process has taken it over");
  }

  async putBlob(digest: string, bytes: Uint8Array): Promise<void> {
    await this.#query(
      "INSERT INTO smolts_blob (session_id, digest, bytes) VALUES ($1, $2, $3) ON CONFLICT (session_id, digest) DO NOTHING",
      [this.#parts.id, digest, Buffer.from(bytes)],
    );
  }

  async release(acked: number): Promise<void> {
    this.#keeper.end();
    const { id, epoch, holder } = this.#parts;
    this.#acked = Math.max(this.#acked, acked);
    const values = [id, epoch, this.#acked];
    // If the database cannot be reached, ignore the failure: the next process that needs the
    // session sees that this one has ended.
    const statement = "UPDATE smolts_session SET released = 1, acked = $3 WHERE id = $1 AND epoch = $2";
    const { changes } = await this.#query(statement, values).catch(() => ({ changes: 0 }));
    if (changes === 0) abandon(holder);
  }

  /**
   * Renews the lease. Processes on other machines rely on this, because they cannot check whether
   * this process is alive.
   */
  async #beat(): Promise<void> {
    const { id, epoch } = this.#parts;
    const { changes } = await this.#query(
      "UPDATE smolts_session SET counter = counter + 1, acked = $3 WHERE id = $1 AND epoch = $2",
      [id, epoch, this.#acked],
    );
    if (changes !== 1) throw sessionHeldError(id, "another process has taken it over");
  }

  async #query(statement: string, values: readonly unknown[]): ReturnType<SqlConnection["query"]> {
    try {
      return await this.#connection.query(statement, values);
    } catch (error) {
      throw databaseError(error);
    }
  }
}

function databaseError(error: unknown): AgentError {
  if (AgentError.is(error)) return error;
  const message = thrownText(error);
  return new AgentError("log", `the database of runs failed: ${message}`, {
    cause: error,
    hint: isLocked(message)
      ? lockedHint
      : "repair the connection and resume the run; nothing was started after this error",
  });
}

const lockedHint =
  "another program has locked the database; resume the run when it is done. A process of node-sqlite3-wasm that was killed leaves the folder <database>.lock behind: remove it when no process uses the database";
