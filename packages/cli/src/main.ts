// The `smolts` process. Only this file takes the arguments, the streams and the folder from Node's
// `process` object, and only this file ends the process. The other files get what they need as
// parameters.

import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { AgentError, visible } from "@smolts/protocol";
import { exitCodeOfError, exitCodes } from "./exit-code.ts";
import { Interruption } from "./interruption.ts";
import { printError } from "./print-error.ts";
import { type ParsedCommandLine, parseCommandLine } from "./run-arguments.ts";
import type { CommandContext } from "./run-command.ts";
import { lineReader } from "./terminal/read-line.ts";
import { traceOutput } from "./terminal/trace-output.ts";

/**
 * Runs the command `smolts` in this process and ends the process.
 *
 * Exit codes: 0 answered, 1 failed, 2 wrong usage, 3 steps exhausted (an answer is printed), 4 a
 * call waits for approval, 130 interrupted, 141 the output was closed, 143 terminated.
 *
 * @param argv - the arguments, without those of Node itself
 * @example
 * ```ts
 * import { main } from "@smolts/cli";
 *
 * await main(["run", "What is 2 ** 100?", "--model", "ollama:qwen3"]); // prints the run and ends the process
 * ```
 */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  const { stdin: input, stdout: output, stderr: errorOutput } = process;
  const trace = traceOutput({ output, errorOutput });
  const interruption = new Interruption((exitCode) => {
    // Leave the status line as it is, and let the shell's prompt begin on a new line.
    if (trace.isTTY) trace.write("\n");
    process.exit(exitCode);
  });
  const onInterrupt = (): void => interruption.interrupt("Ctrl-C", exitCodes.interrupted);
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", () => interruption.interrupt("SIGTERM", exitCodes.terminated));
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return interruption.closeOutput(exitCodes.outputClosed);
    printError({ message: `the output cannot be written: ${error.message}`, hint: undefined }, errorOutput);
    process.exit(exitCodes.failed);
  });
  // If writing to standard error fails, that error cannot be printed anywhere.
  errorOutput.on("error", () => {});
  const exitCode = await smolts(argv, {
    input,
    output,
    errorOutput,
    environment: process.env,
    directory: process.cwd(),
    interruption,
    protocolStreams,
    // Ask questions only if the person can see them and answer them.
    ...(input.isTTY && trace.isTTY ? { readLine: lineReader({ input, output: trace, onInterrupt }) } : {}),
  });
  for (const stream of [output, errorOutput]) await new Promise<void>((resolve) => stream.write("", () => resolve()));
  // Exit even if a tool has left something open, such as a timer.
  process.exit(interruption.exitCode === exitCodes.outputClosed ? exitCodes.outputClosed : exitCode);
}

/**
 * Runs the command with the given streams and settings, and returns the exit code. It never throws
 * and does not end the process.
 *
 * @example
 * ```ts
 * import { Interruption, smolts } from "@smolts/cli";
 *
 * const exitCode = await smolts(["--version"], {
 *   input: process.stdin,
 *   output: process.stdout,
 *   errorOutput: process.stderr,
 *   environment: process.env,
 *   directory: process.cwd(),
 *   interruption: new Interruption(() => {}),
 * });
 * console.log(exitCode); // 0
 * ```
 */
export async function smolts(argv: readonly string[], context: CommandContext): Promise<number> {
  const { output, errorOutput } = context;
  try {
    const parsed = parseCommandLine(argv, { version: readVersion(), columns: output.columns ?? 100 });
    return await run(parsed, context);
  } catch (error) {
    return fail(error, errorOutput);
  }
}

/**
 * Runs a parsed command. Each command is imported only when it runs, so help and usage errors are
 * fast.
 */
async function run(parsed: ParsedCommandLine, context: CommandContext): Promise<number> {
  switch (parsed.type) {
    case "text": {
      const target = parsed.exitCode === exitCodes.success ? context.output : context.errorOutput;
      target.write(visible(parsed.text, { newlines: true }));
      return parsed.exitCode;
    }
    case "run":
      return (await import("./run-command.ts")).runCommand(parsed.arguments, context);
    case "ui":
    case "view":
      return (await import("./page-command.ts")).pageCommand(parsed, context);
    case "eval":
      return (await import("./eval-command.ts")).evalCommand(parsed.arguments, context);
    case "mcp":
      return (await import("./mcp-command.ts")).mcpCommand(parsed.arguments, context);
    case "serve":
      return (await import("./serve-command.ts")).serveCommand(parsed.arguments, context);
    case "trace":
      return (await import("./trace-command.ts")).traceCommand(parsed.arguments, context);
    default:
      return (await import("./store/store-commands.ts")).storeCommand(parsed, context);
  }
}

/**
 * Returns standard input and output for a protocol. After this call, everything else that is
 * printed goes to standard error, so that it does not mix with the protocol.
 */
function protocolStreams(): { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream } {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const output = new Writable({ write: (chunk, encoding, done) => void write(chunk, encoding, done) });
  stdout.write = stderr.write.bind(stderr);
  return { input: stdin, output };
}

function fail(error: unknown, errorOutput: CommandContext["errorOutput"]): number {
  if (AgentError.is(error)) {
    printError(error, errorOutput);
    return exitCodeOfError(error);
  }
  // This error is not an AgentError. Print its stack, because only that shows where it comes from.
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printError({ message, hint: undefined }, errorOutput);
  return exitCodes.failed;
}

function readVersion(): string {
  // The cast is safe: the file is the package.json of this package.
  const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string };
  return version;
}

const isExecuted = process.argv[1] !== undefined && realpathOf(process.argv[1]) === fileURLToPath(import.meta.url);

function realpathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The path may not exist, because a bundler or a REPL may put any text into `process.argv[1]`.
    return path;
  }
}

if (isExecuted) void main();
