// Starts a PostgreSQL of Debian for tests. Its socket and its data are in a new folder that is
// removed at the end. The server does not use a port, which another program could take before the
// server starts.

import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** A running server. */
export interface PostgresServer {
  readonly address: string;
  /** Kills the server, and starts it again with the same data. */
  crash(): Promise<void>;
  stop(): void;
}

/** Starts a server. Returns null if PostgreSQL is not installed. */
export async function startPostgres(): Promise<PostgresServer | null> {
  const bin = serverFolder();
  if (!bin) return null;
  const folder = mkdtempSync(join(tmpdir(), "smolts-postgres-"));
  const data = join(folder, "data");
  // PostgreSQL refuses to run as root.
  const runAs = process.getuid?.() === 0 ? "postgres" : null;
  let isFirstStart = true;
  const server = (name: string, ...options: readonly string[]): void => {
    const file = join(bin, name);
    const [run, given] = runAs
      ? (["runuser", ["-u", runAs, "--", file, ...options]] as const)
      : ([file, options] as const);
    execFileSync(run, given, { stdio: ["ignore", "ignore", isFirstStart ? "inherit" : "ignore"], cwd: folder });
  };
  const options = `-c listen_addresses= -c unix_socket_directories=${folder}`;
  const start = (): void =>
    server("pg_ctl", "-D", data, "-w", "-t", "300", "-l", join(folder, "log"), "-o", options, "start");
  if (runAs) {
    const id = (flag: string): number => Number(execFileSync("id", [flag, runAs], { encoding: "utf8" }));
    chownSync(folder, id("-u"), id("-g"));
  }
  server("initdb", "-D", data, "-U", "smolts", "-A", "trust", "--no-instructions");
  start();
  return {
    address: `postgres://smolts@/postgres?host=${encodeURIComponent(folder)}`,
    async crash() {
      const [pid = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
      isFirstStart = false;
      process.kill(Number(pid), "SIGKILL");
      await startAgain(start);
    },
    stop() {
      server("pg_ctl", "-D", data, "-m", "immediate", "stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the server again after a kill. Its old processes end a moment later, and until then a new
 * server cannot start. The time limit is for a server that never starts.
 */
async function startAgain(start: () => void): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    await wait(200);
    try {
      start();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

function serverFolder(): string | null {
  try {
    const versions = readdirSync("/usr/lib/postgresql").toSorted((a, b) => Number(b) - Number(a));
    return versions.length > 0 ? `/usr/lib/postgresql/${versions[0]}/bin` : null;
  } catch {
    return null;
  }
}
