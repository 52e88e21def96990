/** A row as a driver returns it. */
export type SqlRow = { readonly [column: string]: unknown };

/** The store's view of a database: one statement at a time, with `$1`, `$2`, ... for its values. */
export interface SqlConnection {
  readonly dialect: "postgres" | "sqlite";
  /** Runs one statement; `changes` counts the rows it wrote. */
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

/** A prepared statement of SQLite. The three drivers differ in how they take its values. */
export interface SqliteStatement {
  all(...values: never[]): unknown;
  run(...values: never[]): { readonly changes: number | bigint };
  finalize?(): void;
}

/** The connection over a client of PostgreSQL. */
export const postgresConnection = (client: PostgresClient): SqlConnection => ({
  dialect: "postgres",
  query: (statement, values) =>
    untilUndisturbed(async () => {
      const { rows, rowCount, affectedRows } = await client.query(statement, [...values]);
      return { rows: rows as readonly SqlRow[], changes: affectedRows ?? rowCount ?? 0 }; // a driver returns rows
    }),
});

/**
 * The connection over a database of SQLite; its statements block the thread for as long as they
 * take.
 */
export const sqliteConnection = (database: SqliteDatabase): SqlConnection => ({
  dialect: "sqlite",
  query: (statement, values) => untilUndisturbed(async () => runInSqlite(database, statement, values)),
});

function runInSqlite(
  database: SqliteDatabase,
  statement: string,
  values: readonly unknown[],
): Awaited<ReturnType<SqlConnection["query"]>> {
  const prepared = database.prepare(inSqlite(statement));
  // node-sqlite3-wasm takes a list of values; the others take each value by itself.
  const given = (prepared.finalize ? [values] : values) as never[];
  try {
    if (/^\s*select/i.test(statement)) {
      return { rows: prepared.all(...given) as readonly SqlRow[], changes: 0 }; // a driver returns rows
    }
    return { rows: [], changes: Number(prepared.run(...given).changes) };
  } finally {
    finalize(prepared);
  }
}

/** After a statement that failed, node-sqlite3-wasm throws its error a second time. */
function finalize(prepared: SqliteStatement): void {
  try {
    prepared.finalize?.();
  } catch {
    // The statement's own error is on its way.
  }
}

/**
 * How long a statement is tried again that others keep from running. Most locks are held for
 * milliseconds.
 */
const patienceMs = 5_000;

/**
 * Runs a statement again that another connection kept from running. The database has undone it as a
 * whole, so that it never happens twice.
 */
async function untilUndisturbed<Result>(run: () => Promise<Result>): Promise<Result> {
  const giveUpAt = performance.now() + patienceMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, 200)) {
    try {
      return await run();
    } catch (error) {
      if (!isDisturbed(error) || performance.now() + pauseMs > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/**
 * Whether a statement failed because of another one: PostgreSQL could not order them, or SQLite
 * found the database locked.
 */
function isDisturbed(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  return code === "40001" || code === "40P01" || isLocked(error.message);
}

/** Whether a message of SQLite says that another connection has the database. */
export const isLocked = (message: string): boolean => /^database (?:table )?is locked/.test(message);

/**
 * SQLite has no casts by `::`, numbers its values by `?1`, and locks the whole database for each
 * write.
 */
const inSqlite = (statement: string): string =>
  statement
    .replaceAll(/::\w+/g, "")
    .replaceAll(/\$(\d+)/g, "?$1")
    .replaceAll(/ FOR UPDATE/g, "");
