// The parts of its host that the printer uses. It works without Node too: in browsers and on edge
// runtimes, runs are printed to the console. Node's modules are asked for at run time, so that
// bundlers need none.

import type { TerminalOutput } from "./terminal-writer.ts";
import { traceOutput } from "./trace-output.ts";

const host = (globalThis as { readonly process?: Partial<NodeJS.Process> }).process;
const util = host?.getBuiltinModule?.("node:util") as typeof import("node:util") | undefined; // by its name

/** How {@link inspect} writes values. */
interface InspectOptions {
  readonly depth?: number;
  readonly breakLength?: number;
  readonly maxStringLength?: number;
  readonly maxArrayLength?: number;
}

/** Returns a value in JavaScript's notation. Without Node, plain data is written as JSON. */
export function inspect(value: unknown, options: InspectOptions = {}): string {
  if (util) return util.inspect(value, options);
  try {
    return JSON.stringify(value, withBigints) ?? String(value);
  } catch {
    return String(value);
  }
}

const withBigints = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value);

/** The formats that the printer uses. */
export type TextFormat = "bold" | "dim" | "green" | "red" | "yellow" | "cyan" | "magenta";

/**
 * Returns a text with the codes of a format. Without Node, the text has no terminal and stays
 * plain.
 */
export const styled = (format: TextFormat, text: string): string =>
  util ? util.styleText(format, text, { validateStream: false }) : text;

/** Returns `process.stdout`, or the console where there is none. */
export const standardOutput = (): TerminalOutput => host?.stdout ?? new ConsoleOutput();

/** Returns where the trace of a run is printed if nobody says: see {@link traceOutput}. */
export const standardTraceOutput = (): TerminalOutput =>
  host?.stdout && host.stderr ? traceOutput({ output: host.stdout, errorOutput: host.stderr }) : standardOutput();

/** Returns the environment's variables, if there are any. */
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
