import { spawnSync } from "node:child_process";
import type { Command } from "../test-peers/peer.ts";

/** Where the probe runs. */
export interface Runtime {
  readonly name: string;
  /** The packages of npm that bring it; none where it is there or is not. */
  readonly packages: readonly string[];
  /** The program that it is given, which has `probe` and `programs`. */
  readonly entry: string;
  /** Runs the bundled program. Throws when it does not get to its end. */
  run(program: string, folder: string): Promise<RuntimeReport>;
}

/** Its outcome. */
export type RuntimeReport =
  | { readonly type: "ran"; readonly version: string; readonly output: string }
  | { readonly type: "absent"; readonly reason: string };

/** How long a runtime may take; only what hangs takes so long. */
export const runLimitMs = 600_000;

/** The standard output of a command; null if it is not installed. */
export function outputOf([program, ...args]: Command): string | null {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    timeout: runLimitMs,
    killSignal: "SIGKILL",
    maxBuffer: 2 ** 28,
  });
  if (error && "code" in error && error.code === "ENOENT") return null;
  if (error || status !== 0) throw new Error(`"${program}" ended with ${status}: ${error ?? stderr.slice(-2_000)}`);
  return stdout;
}
