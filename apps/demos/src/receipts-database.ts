import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sqlite from "node-sqlite3-wasm";

/** A row of the table `receipts`. */
export interface Receipt {
  readonly customerName: string;
  readonly price: number;
  readonly tip: number;
}

/** A database that can be asked and not changed. */
export interface ReceiptsDatabase extends AsyncDisposable {
  /** The rows that a query gives; throws what SQLite says when the query is wrong. */
  query(sql: string): { readonly [column: string]: unknown }[];
}

/** Describes the table, for whoever writes queries. */
export const receiptsDescription = `Table receipts:
- receipt_id: integer, the key
- customer_name: text
- price: real, in dollars, without the tip
- tip: real, in dollars`;

/**
 * Writes the receipts into a fresh SQLite file and opens it for reading only: whatever a model
 * writes as a query, nothing changes.
 */
export async function openReceiptsDatabase(receipts: readonly Receipt[]): Promise<ReceiptsDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "receipts-"));
  const file = join(folder, "receipts.sqlite");
  writeReceipts(file, receipts);
  const database = new sqlite.Database(file, { readOnly: true });
  return {
    query: (sql) => database.all(sql),
    [Symbol.asyncDispose]: async () => {
      database.close();
      await rm(folder, { recursive: true });
    },
  };
}

function writeReceipts(file: string, receipts: readonly Receipt[]): void {
  const database = new sqlite.Database(file);
  database.exec("CREATE TABLE receipts (receipt_id INTEGER PRIMARY KEY, customer_name TEXT, price REAL, tip REAL)");
  for (const { customerName, price, tip } of receipts) {
    database.run("INSERT INTO receipts (customer_name, price, tip) VALUES (?, ?, ?)", [customerName, price, tip]);
  }
  database.close();
}
