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

/** A `DatabaseSync` of `node:sqlite`, a `Database` of `better-sqlite3`, or one of `node-sqlite3-wasm`. */
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
  async query(statement, values) {
    const { rows, rowCount, affectedRows } = await client.query(statement, [...values]);
    return { rows: rows as readonly SqlRow[], changes: affectedRows ?? rowCount ?? 0 }; // a driver returns rows
  },
});

/** The connection over a database of SQLite; its statements block the thread for as long as they take. */
export const sqliteConnection = (database: SqliteDatabase): SqlConnection => ({
  dialect: "sqlite",
  async query(statement, values) {
    const prepared = database.prepare(inSqlite(statement));
    // node-sqlite3-wasm takes a list of values; the others take each value by itself.
    const given = (prepared.finalize ? [values] : values) as never[];
    try {
      if (/^\s*select/i.test(statement)) {
        return { rows: prepared.all(...given) as readonly SqlRow[], changes: 0 }; // a driver returns rows
      }
      return { rows: [], changes: Number(prepared.run(...given).changes) };
    } finally {
      prepared.finalize?.();
    }
  },
});

/** SQLite has no casts by `::`, numbers its values by `?1`, and locks the whole database for each write. */
const inSqlite = (statement: string): string =>
  statement
    .replaceAll(/::\w+/g, "")
    .replaceAll(/\$(\d+)/g, "?$1")
    .replaceAll(/ FOR UPDATE/g, "");
