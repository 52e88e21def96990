// Runs a command with a PostgreSQL of its own, whose address is in SMOLTS_POSTGRES and takes the
// place of {postgres} in its arguments. Where no PostgreSQL is installed, the command still runs,
// and what needs a database is skipped by its name.

import { spawnSync } from "node:child_process";
import { startPostgres } from "./postgres-server.ts";

const [command = "", ...args] = process.argv.slice(2);
const server = await startPostgres();
if (!server) console.log("PostgreSQL is not installed: what needs it is skipped by its name");
const address = server?.address;
try {
  const environment = { ...process.env, ...(address ? { SMOLTS_POSTGRES: address } : {}) };
  const filled = args.map((arg) => arg.replaceAll("{postgres}", address ?? ""));
  process.exitCode = spawnSync(command, filled, { stdio: "inherit", env: environment }).status ?? 1;
} finally {
  server?.stop();
}
