// Runs one command to its end and keeps what it printed.

import { spawn } from "node:child_process";

/** The outcome of a command. */
export interface CommandResult {
  readonly ok: boolean;
  /** Standard output and standard error as they came, mixed. */
  readonly output: string;
  readonly stdout: string;
  readonly durationMs: number;
}

/** How to run a command. */
export interface CommandOptions {
  readonly cwd: string;
  /** Added to this process's environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs a command without a shell and without standard input. Never throws: a command that cannot
 * start is `ok: false`.
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
