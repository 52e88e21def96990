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

/** A database that can be queried but not changed. */
export interface ReceiptsDatabase extends AsyncDisposable {
  /** Returns the rows of a query. If the query is wrong, throws SQLite's error. */
  query(sql: string): { readonly [column: string]: unknown }[];
}

/** Describes the table to the model, which writes the queries. */
export const receiptsDescription = `Table receipts:
- receipt_id: integer, the key
- customer_name: text
- price: real, in dollars, without the tip
- tip: real, in dollars`;

/**
 * Writes the receipts into a new SQLite file and opens the file read-only, so the model's queries
 * cannot change it.
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
