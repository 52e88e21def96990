// Names that people look for in this package. They are exported so that their use throws an error
// that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/memory");

/** @internal */
export const fileStore: () => never = /* @__PURE__ */ other(
  "fileStore",
  'import { fileStore } from "smolts/memory/files"',
);
/** @internal */
export const sqliteStore: () => never = /* @__PURE__ */ other(
  "sqliteStore",
  'import { sqliteStore } from "@smolts/store-sql"',
);
/** @internal */
export const postgresStore: () => never = /* @__PURE__ */ other(
  "postgresStore",
  'import { postgresStore } from "@smolts/store-sql"',
);
/** @internal */
export const InMemoryStore: () => never = /* @__PURE__ */ other("InMemoryStore", "memoryStore()");
/** @internal */
export const MemorySaver: () => never = /* @__PURE__ */ other("MemorySaver", "memoryStore()");
