// Makes a database available as a tool. The text of a query does not show whether it only reads
// (WITH ... DELETE, PRAGMA, functions that write), so the text is not checked. Instead, either the
// connection itself cannot write, or a person approves each query.

import { AgentError, invalidOption, type OptionTable, readOptions, type Tool, wrongArgument } from "@smolts/protocol";
import { tool } from "../tool.ts";

/** The functions of a database that the tool needs. */
export interface SqlDriver {
  /** The SQL dialect that the model is told, such as `SQLite` or `PostgreSQL 17`. */
  readonly dialect: string;
  /**
   * Whether the connection itself refuses to write. It refuses if it was opened read-only, if its
   * role has no rights to write, or if it is in a read-only transaction.
   */
  readonly readOnly: boolean;
  /** Runs one statement and returns its rows as plain objects. */
  query(statement: string, options: { readonly signal: AbortSignal }): readonly SqlRow[] | Promise<readonly SqlRow[]>;
}

/** One row of a result: its values, keyed by the name of the column. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Options of {@link sql}. */
export interface SqlOptions {
  /** The database, opened read-only if possible. See {@link SqlDriver}. */
  readonly driver: SqlDriver;
  /**
   * The tables that the model is shown, as `CREATE TABLE` statements or as the result of {@link
   * readSqliteSchema}.
   */
  readonly schema: string;
  /** @defaultValue "sql" */
  readonly name?: string;
  /**
   * The most rows of a result. If there are more, the call fails and asks for a LIMIT, so that an
   * incomplete result is not treated as complete.
   * @defaultValue 1_000
   */
  readonly maxRows?: number;
}

/**
 * Creates a tool that runs one SQL statement. If the connection can write, a person must approve
 * each call. Otherwise calls need no approval.
 *
 * @example
 * ```ts
 * import { sql } from "@smolts/tools/sql";
 *
 * const driver = { dialect: "SQLite", readOnly: true, query: () => [{ count: 3 }] };
 * const receipts = sql({ driver, schema: "CREATE TABLE receipts (id INTEGER, price REAL)" });
 * console.log(receipts.effects, receipts.needsApproval); // none undefined
 * ```
 */
export function sql(options: SqlOptions): Tool<{ readonly query: string }, readonly SqlRow[]> {
  const { driver, schema, name = "sql", maxRows = 1_000 } = readOptions(options, "sql()", sqlOptions);
  if (typeof driver.query !== "function" || typeof driver.dialect !== "string") {
    throw wrongArgument("sql(): driver", driver, "an object with dialect, query and readOnly", driverHint);
  }
  if ("readonly" in driver || "read_only" in driver)
    throw invalidOption('driver has no "readonly"', "write readOnly: true");
  const { dialect, readOnly } = driver;
  return tool({
    name,
    description: `Runs one ${dialect} statement${readOnly ? " that reads" : ""} and gives its rows as objects, at most ${maxRows}. The tables:\n${schema.trim()}`,
    input: { query: `string — one ${dialect} statement` },
    output: { type: "array", items: { type: "object" } },
    ...(readOnly ? { effects: "none" } : { effects: "once", needsApproval: "each" }),
    execute: async ({ query }, { signal }) => {
      const rows = await driver.query(query, { signal });
      if (rows.length <= maxRows) return rows.map((row) => ({ ...row }));
      throw new AgentError(
        "tool-execution",
        `the statement returned ${rows.length} rows; at most ${maxRows} are allowed`,
        {
          hint: "add a LIMIT, or let the database count, sum or group",
        },
      );
    },
  });
}

const driverHint = "write driver: { dialect, query, readOnly }";

const sqlOptions: OptionTable<SqlOptions> = {
  driver: "required",
  schema: "required text",
  name: "text",
  maxRows: "number",
};

/** Returns the tables and views of a SQLite database, as the SQL statements that created them. */
export async function readSqliteSchema(driver: SqlDriver, signal: AbortSignal): Promise<string> {
  const rows = await driver.query("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name", { signal });
  return rows.map(({ sql: statement }) => String(statement)).join(";\n");
}
