// Runs one command until it ends, and collects its output.

import { spawn } from "node:child_process";

/** The outcome of a command. */
export interface CommandResult {
  readonly ok: boolean;
  /** Standard output and standard error together, in the order in which they arrived. */
  readonly output: string;
  readonly stdout: string;
  readonly durationMs: number;
}

/** Options for running a command. */
export interface CommandOptions {
  readonly cwd: string;
  /** Variables that are added to the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs a command without a shell and without standard input. Never throws: if the command cannot
 * start, the result has `ok: false`.
 */
export function runCommand(
  command: readonly [string, ...string[]],
  { cwd, environment = {} }: CommandOptions,
): Promise<CommandResult> {
  const [program, ...parameters] = command;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let stdout = "";
    const finish = (ok: boolean) => resolve({ ok, output, stdout, durationMs: performance.now() - startedAt });
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
      stdout += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.on("error", (error) => {
      output += `cannot run "${command.join(" ")}": ${error.message}\n`;
      finish(false);
    });
    child.on("close", (code) => finish(code === 0));
  });
}
