import { createRequire } from "node:module";
import { fileStore } from "@smolts/memory/files";
import type { RunStore } from "@smolts/protocol";
import { postgresStore, type SqliteDatabase, sqliteStore } from "@smolts/store-sql";

/** A store that is open in this process. */
export interface OpenedStore {
  readonly store: RunStore;
  close(): Promise<void>;
}

/** The settings of a store that differ between processes. */
export interface StoreSettings {
  readonly host?: string;
  readonly leaseMs?: number;
}

/** Says whether this Node has a SQLite driver whose locks disappear when the process is killed. */
export const hasSqlite = (): boolean => Number(process.versions.node.split(".")[0]) >= 24;

/** Opens the store at `address`: `postgres://...`, `sqlite:<file>`, or a folder. */
export async function openStore(address: string, settings: StoreSettings = {}): Promise<OpenedStore> {
  const options = { key: "the torture's key, long enough", ...settings };
  if (address.startsWith("postgres:")) {
    const { default: pg } = await import("pg");
    const pool = new pg.Pool({ connectionString: address, max: 2 });
    pool.on("error", () => {});
    return { store: postgresStore(pool, options), close: () => pool.end() };
  }
  if (address.startsWith("sqlite:")) {
    const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite") as NodeSqlite;
    const database = new DatabaseSync(address.slice("sqlite:".length), { timeout: 60_000 });
    return { store: sqliteStore(database, options), close: async () => database.close() };
  }
  return { store: fileStore(address, options), close: async () => {} };
}

interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly timeout: number },
  ) => SqliteDatabase & { close(): void };
}
