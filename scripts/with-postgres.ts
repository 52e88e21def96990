// Starts a PostgreSQL and runs a command with it. Its address is in the variable SMOLTS_POSTGRES,
// and replaces {postgres} in the command's arguments. If PostgreSQL is not installed, the command
// still runs. Tests that need a database are then skipped, and the output names them.

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
