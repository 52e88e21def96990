import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSqliteSchema, type SqlDriver, type SqlRow, sql } from "@smolts/tools/sql";
import sqlite from "node-sqlite3-wasm";
import { afterAll, describe, expect, test } from "vitest";
import { call, context } from "./tool-call.ts";

const folder = mkdtempSync(join(tmpdir(), "smolts-sql-"));
const file = join(folder, "receipts.db");
const writer = new sqlite.Database(file);
writer.exec("CREATE TABLE receipts (id INTEGER, price REAL); INSERT INTO receipts VALUES (1, 12.5), (2, 30)");
writer.close();

const reader = new sqlite.Database(file, { readOnly: true });
const driver: SqlDriver = {
  dialect: "SQLite",
  readOnly: true,
  // The cast is safe: rows are objects with column names.
  query: (statement) => reader.all(statement) as readonly SqlRow[],
};
const receipts = sql({ driver, schema: await readSqliteSchema(driver, context.signal) });

afterAll(() => {
  reader.close();
  rmSync(folder, { recursive: true });
});

test("runs a query, and describes the tables to the model", async () => {
  expect(await call(receipts, { query: "SELECT id FROM receipts WHERE price > 20" })).toEqual([{ id: 2 }]);
  expect(receipts.description).toContain("CREATE TABLE receipts (id INTEGER, price REAL)");
});

describe("with a read-only connection, no statement writes:", () => {
  const statements: string[] = [
    "DELETE FROM receipts",
    "WITH old AS (SELECT 1) DELETE FROM receipts",
    "INSERT INTO receipts SELECT 3, 1 RETURNING *",
    "PRAGMA user_version = 7",
    "CREATE TABLE x (y)",
    "DROP TABLE receipts",
    "VACUUM",
  ];
  test.each(statements)("%s", async (query) => {
    await expect(call(receipts, { query })).rejects.toThrow();
    expect(await call(receipts, { query: "SELECT count(*) AS n FROM receipts" })).toEqual([{ n: 2 }]);
  });

  test("no other file is created", async () => {
    const other = join(folder, "other.db");
    await call(receipts, { query: `ATTACH '${other}' AS other` }).catch(() => {});
    await call(receipts, { query: "CREATE TABLE other.x (y)" }).catch(() => {});
    expect(readdirSync(folder)).toEqual(["receipts.db"]);
  });
});

test("with any other connection each call needs approval, and none is repeated", async () => {
  const free = sql({ driver: { ...driver, readOnly: false }, schema: "" });
  expect(free.effects).toBe("once");
  expect(await free.needsApproval?.({ query: "SELECT 1" }, context)).toBe("each");
  expect([receipts.effects, receipts.needsApproval]).toEqual(["none", undefined]);
});

test("reports the database's error, and asks for a LIMIT instead of returning some of the rows", async () => {
  await expect(call(receipts, { query: "SELECT total FROM receipts" })).rejects.toThrow(/no such column: total/);
  await expect(call(sql({ driver, schema: "", maxRows: 1 }), { query: "SELECT * FROM receipts" })).rejects.toThrow(
    /returned 2 rows/,
  );
});
