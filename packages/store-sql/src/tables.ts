import type { SqlConnection } from "./sql-connection.ts";

const statements = ({ dialect }: SqlConnection): readonly string[] => {
  const bytes = dialect === "postgres" ? "BYTEA" : "BLOB";
  return [
    `CREATE TABLE IF NOT EXISTS smolts_session (
       id TEXT PRIMARY KEY,
       epoch BIGINT NOT NULL,
       holder TEXT NOT NULL,
       counter BIGINT NOT NULL,
       acked BIGINT NOT NULL,
       released INTEGER NOT NULL,
       key_id TEXT NOT NULL,
       status TEXT,
       start_time BIGINT,
       row_json TEXT
     )`,
    `CREATE TABLE IF NOT EXISTS smolts_record (
       session_id TEXT NOT NULL,
       seq BIGINT NOT NULL,
       line TEXT NOT NULL,
       PRIMARY KEY (session_id, seq)
     )`,
    "CREATE TABLE IF NOT EXISTS smolts_run (run_id TEXT PRIMARY KEY, session_id TEXT NOT NULL)",
    `CREATE TABLE IF NOT EXISTS smolts_blob (
       session_id TEXT NOT NULL,
       digest TEXT NOT NULL,
       bytes ${bytes} NOT NULL,
       PRIMARY KEY (session_id, digest)
     )`,
    "CREATE INDEX IF NOT EXISTS smolts_session_start ON smolts_session (start_time, id)",
  ];
};

/**
 * Creates missing tables. In PostgreSQL, a lock prevents two processes from creating tables at the
 * same time. Without the lock, one of them would get an error.
 */
export async function createTables(connection: SqlConnection): Promise<void> {
  const missing = statements(connection);
  if (connection.dialect === "sqlite") {
    for (const statement of missing) await connection.query(statement, []);
    return;
  }
  const lock = "PERFORM pg_advisory_xact_lock(hashtext('smolts_session'))";
  await connection.query(`DO $$ BEGIN ${[lock, ...missing].join("; ")}; END $$`, []);
}
