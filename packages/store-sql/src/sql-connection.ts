/** A row of a result, as the driver returns it. */
export type SqlRow = { readonly [column: string]: unknown };

/**
 * A connection to a database, as the store uses it. It runs one statement at a time. In the
 * statement, `$1`, `$2`, ... stand for the values.
 */
export interface SqlConnection {
  readonly dialect: "postgres" | "sqlite";
  /** Runs one statement. `changes` is the number of rows that it wrote. */
  query(
    statement: string,
    values: readonly unknown[],
  ): Promise<{ readonly rows: readonly SqlRow[]; readonly changes: number }>;
}

/** A `Pool` or `Client` of `pg`, or a `PGlite`. */
export interface PostgresClient {
  query(
    statement: string,
    values: unknown[],
  ): Promise<{
    readonly rows: unknown[];
    readonly rowCount?: number | null;
    readonly affectedRows?: number | undefined;
  }>;
}

/**
 * A `DatabaseSync` of `node:sqlite`, a `Database` of `better-sqlite3`, or one of
 * `node-sqlite3-wasm`.
 */
export interface SqliteDatabase {
  prepare(statement: string): SqliteStatement;
}

/** A prepared statement of SQLite. The three drivers differ in how values are passed. */
export interface SqliteStatement {
  all(...values: never[]): unknown;
  run(...values: never[]): { readonly changes: number | bigint };
  finalize?(): void;
}

/** Creates a connection from a PostgreSQL client. */
export const postgresConnection = (client: PostgresClient): SqlConnection => ({
  dialect: "postgres",
  query: (statement, values) =>
    retryWhileBlocked(async () => {
      const { rows, rowCount, affectedRows } = await client.query(statement, [...values]);
      return { rows: rows as readonly SqlRow[], changes: affectedRows ?? rowCount ?? 0 }; // a driver returns rows
    }),
});

/** Creates a connection from a SQLite database. Each statement blocks the thread while it runs. */
export const sqliteConnection = (database: SqliteDatabase): SqlConnection => ({
  dialect: "sqlite",
  query: (statement, values) => retryWhileBlocked(async () => runInSqlite(database, statement, values)),
});

function runInSqlite(
  database: SqliteDatabase,
  statement: string,
  values: readonly unknown[],
): Awaited<ReturnType<SqlConnection["query"]>> {
  const prepared = database.prepare(inSqlite(statement));
  // node-sqlite3-wasm takes the values as a list. The other drivers take them as separate
  // arguments.
  const args = (prepared.finalize ? [values] : values) as never[];
  try {
    if (/^\s*select/i.test(statement)) {
      return { rows: prepared.all(...args) as readonly SqlRow[], changes: 0 }; // a driver returns rows
    }
    return { rows: [], changes: Number(prepared.run(...args).changes) };
  } finally {
    finalize(prepared);
  }
}

/**
 * Finalizes a statement. Ignores errors: after a failed statement, node-sqlite3-wasm throws the
 * same error again here.
 */
function finalize(prepared: SqliteStatement): void {
  try {
    prepared.finalize?.();
  } catch {
    // The caller already throws the statement's error.
  }
}

/**
 * How long a statement is retried if another connection blocks it, in ms. Most locks last only
 * milliseconds.
 */
const patienceMs = 5_000;

/**
 * Runs a statement, and retries it if another connection blocked it. The database rolls back a
 * blocked statement completely, so the statement never takes effect twice.
 */
async function retryWhileBlocked<Result>(run: () => Promise<Result>): Promise<Result> {
  const giveUpAt = performance.now() + patienceMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, 200)) {
    try {
      return await run();
    } catch (error) {
      if (!isBlocked(error) || performance.now() + pauseMs > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/**
 * Says whether a statement failed because of a concurrent statement: either PostgreSQL could not
 * serialize the two, or SQLite found the database locked.
 */
function isBlocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  return code === "40001" || code === "40P01" || isLocked(error.message);
}

/** Says whether an error message of SQLite reports a lock of another connection. */
export const isLocked = (message: string): boolean => /^database (?:table )?is locked/.test(message);

/**
 * Converts a statement to SQLite's syntax. SQLite has no casts with `::`, numbers its values as
 * `?1`, and needs no row locks because each write locks the whole database.
 */
const inSqlite = (statement: string): string =>
  statement
    .replaceAll(/::\w+/g, "")
    .replaceAll(/\$(\d+)/g, "?$1")
    .replaceAll(/ FOR UPDATE/g, "");
