import { recordStore } from "@smolts/memory/storing";
import { type RunStore, type OptionTable, readOptions, wrongArgument } from "@smolts/protocol";
import { type PostgresClient, postgresConnection, type SqliteDatabase, sqliteConnection } from "./sql-connection.ts";
import { sqlStorage, type SqlStoreOptions } from "./sql-storage.ts";

export type { PostgresClient, SqliteDatabase, SqliteStatement } from "./sql-connection.ts";
export type { SqlStoreOptions } from "./sql-storage.ts";

/**
 * Keeps runs in PostgreSQL. Any number of machines may share the database. Only one of them at a
 * time can work on a run.
 *
 * The tables `smolts_session`, `smolts_record`, `smolts_run` and `smolts_blob` are created at the
 * first use.
 *
 * @param client - a `Pool` or `Client` of `pg`, or a `PGlite`; you must close it yourself
 * @throws AgentError `invalid-option` for a key that is too short; each call rejects with `log` if
 *   the database fails
 * @example
 * ```ts
 * import { CodeAgent } from "@smolts/core";
 * import { postgresStore, type PostgresClient } from "@smolts/store-sql";
 *
 * const agentOver = (pool: PostgresClient) =>
 *   new CodeAgent({ model: () => "<code>finalAnswer(42)</code>", store: postgresStore(pool) });
 * console.log(typeof agentOver); // function
 * ```
 */
export const postgresStore = (client: PostgresClient, options: SqlStoreOptions = {}): RunStore =>
  recordStore(
    sqlStorage(
      postgresConnection(checked(client, "query", "postgresStore")),
      readOptions(options, "postgresStore()", sqlStoreOptions),
    ),
  );

/**
 * Keeps runs in a SQLite database. Each statement blocks the thread while it runs.
 *
 * @param database - a database of `node:sqlite`, `better-sqlite3` or `node-sqlite3-wasm`; you must
 *   close it yourself
 * @throws AgentError `invalid-option` for a key that is too short; each call rejects with `log` if
 *   the database fails
 * @example
 * ```ts
 * import { sqliteStore, type SqliteDatabase } from "@smolts/store-sql";
 *
 * const storeOver = (database: SqliteDatabase) => sqliteStore(database, { key: process.env["RUNS_KEY"] ?? "at least sixteen characters" });
 * console.log(typeof storeOver); // function
 * ```
 */
export const sqliteStore = (database: SqliteDatabase, options: SqlStoreOptions = {}): RunStore =>
  recordStore(
    sqlStorage(
      sqliteConnection(checked(database, "prepare", "sqliteStore")),
      readOptions(options, "sqliteStore()", sqlStoreOptions),
    ),
  );

/** Checks the driver, because JavaScript callers may pass an address or a file name. */
function checked<Driver extends object>(driver: Driver, method: keyof Driver & string, store: string): Driver {
  if (typeof driver?.[method] === "function") return driver;
  const example = method === "query" ? 'new Pool({ connectionString: "..." })' : 'new DatabaseSync("runs.db")';
  throw wrongArgument(`${store}()`, driver, `a client with ${method}()`, `write ${store}(${example})`);
}

const sqlStoreOptions: OptionTable<SqlStoreOptions> = { key: "text | object", leaseMs: "number", host: "text" };
/** @internal */
export {
  LibSQLStore,
  PgStore,
  PostgresSaver,
  PostgresStore,
  SQLiteStore,
  SqliteSaver,
  SqliteStore,
} from "./other-names.ts";
