// Runs a command with a PostgreSQL of its own, whose address is in SMOLTS_POSTGRES and takes the place of {postgres} in its arguments.
//
// The server listens on loopback only, keeps its data in a new folder, and is stopped and removed at the end. Where no PostgreSQL is installed, the
// command still runs, and what needs a database is skipped by its name.

import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [command, ...args] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "smolts-postgres-"));
const bin = serverFolder();
const runAs = process.getuid?.() === 0 ? "postgres" : null;

/** PostgreSQL refuses to run as root. */
function server(name, ...options) {
  const file = join(bin, name);
  const [run, given] = runAs ? ["runuser", ["-u", runAs, "--", file, ...options]] : [file, options];
  execFileSync(run, given, { stdio: ["ignore", "ignore", "inherit"], cwd: folder });
}

function serverFolder() {
  try {
    const versions = readdirSync("/usr/lib/postgresql").toSorted((a, b) => Number(b) - Number(a));
    return versions.length > 0 ? `/usr/lib/postgresql/${versions[0]}/bin` : null;
  } catch {
    return null;
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

let address;
const data = join(folder, "data");
try {
  if (bin) {
    const port = await freePort();
    if (runAs) {
      const id = (flag) => Number(execFileSync("id", [flag, runAs], { encoding: "utf8" }));
      chownSync(folder, id("-u"), id("-g"));
    }
    server("initdb", "-D", data, "-U", "smolts", "-A", "trust", "--no-instructions");
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
    server("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), "-o", options, "start");
    address = `postgres://smolts@127.0.0.1:${port}/postgres`;
  } else {
    console.log("PostgreSQL is not installed: what needs it is skipped by its name");
  }
  const environment = { ...process.env, ...(address ? { SMOLTS_POSTGRES: address } : {}) };
  const filled = args.map((arg) => arg.replaceAll("{postgres}", address ?? ""));
  process.exitCode = spawnSync(command, filled, { stdio: "inherit", env: environment }).status ?? 1;
} finally {
  if (address) server("pg_ctl", "-D", data, "-m", "immediate", "stop");
  rmSync(folder, { recursive: true, force: true });
}
