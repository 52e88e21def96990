import type { TerminalOutput } from "./terminal-writer.ts";

/**
 * Returns the output for the trace of a run: standard output if it is a terminal, else standard
 * error. So a pipe or a file gets only the answer.
 */
export const traceOutput = <Output extends TerminalOutput, ErrorOutput extends TerminalOutput>(outputs: {
  readonly output: Output;
  readonly errorOutput: ErrorOutput;
}): Output | ErrorOutput => (outputs.output.isTTY ? outputs.output : outputs.errorOutput);
