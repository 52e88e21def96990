import { type AgentError, visible } from "@smolts/protocol";
import type { TerminalOutput } from "./terminal/terminal-writer.ts";

/** Prints an error for a person: what, and what to do about it. */
export function printError({ message, hint }: Pick<AgentError, "message" | "hint">, output: TerminalOutput): void {
  const lines = [`smolts: ${message}`, ...(hint === undefined ? [] : [`  hint: ${hint}`])];
  output.write(`${lines.map((line) => visible(line, { newlines: true })).join("\n")}\n`);
}
