import { spawnSync } from "node:child_process";
import type { Command } from "../test-peers/peer.ts";

/** A runtime in which the probe is run. */
export interface Runtime {
  readonly name: string;
  /** The npm packages that contain the runtime. Empty if it cannot be installed with npm. */
  readonly packages: readonly string[];
  /** The program that the runtime gets. It imports `probe` and `programs`. */
  readonly entry: string;
  /** Runs the bundled program. Throws if the program does not reach its end. */
  run(program: string, folder: string): Promise<RuntimeReport>;
}

/** The outcome of a run. */
export type RuntimeReport =
  | { readonly type: "ran"; readonly version: string; readonly output: string }
  | { readonly type: "absent"; readonly reason: string };

/** How long a runtime may take, in ms. The limit is only for a runtime that hangs. */
export const runLimitMs = 600_000;

/** Returns the standard output of a command, or null if it is not installed. */
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
