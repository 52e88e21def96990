// The parts of Node that the printer uses. The printer also works without Node: in browsers and on
// edge runtimes, it prints to the console. Node's modules are looked up at run time, so that
// bundlers do not try to include them.

import type { TerminalOutput } from "./terminal-writer.ts";
import { traceOutput } from "./trace-output.ts";

const host = (globalThis as { readonly process?: Partial<NodeJS.Process> }).process;
// The cast is safe: the method returns the module with this name.
const util = host?.getBuiltinModule?.("node:util") as typeof import("node:util") | undefined;

/** Options of {@link inspect}. */
interface InspectOptions {
  readonly depth?: number;
  readonly breakLength?: number;
  readonly maxStringLength?: number;
  readonly maxArrayLength?: number;
}

/** Returns a value in JavaScript notation. Without Node, plain data is written as JSON. */
export function inspect(value: unknown, options: InspectOptions = {}): string {
  if (util) return util.inspect(value, options);
  try {
    return JSON.stringify(value, withBigints) ?? String(value);
  } catch {
    return String(value);
  }
}

const withBigints = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value);

/** The text styles that the printer uses. */
export type TextFormat = "bold" | "dim" | "green" | "red" | "yellow" | "cyan" | "magenta";

/**
 * Returns a text with the escape codes of a style. Without Node there is no terminal, and the text
 * is returned unchanged.
 */
export const styled = (format: TextFormat, text: string): string =>
  util ? util.styleText(format, text, { validateStream: false }) : text;

/** Returns `process.stdout`, or the console if there is no process. */
export const standardOutput = (): TerminalOutput => host?.stdout ?? new ConsoleOutput();

/** Returns the default output for the trace of a run; see {@link traceOutput}. */
export const standardTraceOutput = (): TerminalOutput =>
  host?.stdout && host.stderr ? traceOutput({ output: host.stdout, errorOutput: host.stderr }) : standardOutput();

/** Returns the environment variables; empty if there are none. */
export const environmentVariables = (): { readonly [name: string]: string | undefined } => host?.env ?? {};

/** Prints whole lines to the console. */
class ConsoleOutput implements TerminalOutput {
  #rest = "";

  write(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) console.log(line);
  }
}
