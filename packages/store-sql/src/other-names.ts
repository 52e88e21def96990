// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/store-sql");

/** @internal */
export const PostgresStore: () => never = /* @__PURE__ */ other("PostgresStore", "postgresStore(pool)");
/** @internal */
export const PostgresSaver: () => never = /* @__PURE__ */ other("PostgresSaver", "postgresStore(pool)");
/** @internal */
export const PgStore: () => never = /* @__PURE__ */ other("PgStore", "postgresStore(pool)");
/** @internal */
export const SqliteStore: () => never = /* @__PURE__ */ other("SqliteStore", "sqliteStore(database)");
/** @internal */
export const SqliteSaver: () => never = /* @__PURE__ */ other("SqliteSaver", "sqliteStore(database)");
/** @internal */
export const SQLiteStore: () => never = /* @__PURE__ */ other("SQLiteStore", "sqliteStore(database)");
/** @internal */
export const LibSQLStore: () => never = /* @__PURE__ */ other("LibSQLStore", "sqliteStore(database)");
