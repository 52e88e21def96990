import type { AgentError } from "@smolts/protocol";
import { type TerminalOutput, TerminalWriter } from "./terminal/terminal-writer.ts";

/** Prints an error for a person: what is wrong, and what to do about it. */
export function printError({ message, hint }: Pick<AgentError, "message" | "hint">, output: TerminalOutput): void {
  const writer = new TerminalWriter({ output, color: false });
  writer.line("", [{ text: `smolts: ${message}`, multiline: true }], "  ");
  if (hint !== undefined) writer.line("  ", [{ text: `hint: ${hint}`, multiline: true }]);
}
