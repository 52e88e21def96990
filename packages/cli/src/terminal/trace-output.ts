import type { TerminalOutput } from "./terminal-writer.ts";

/**
 * Returns where the trace of a run is printed: standard output if it is a terminal, else standard
 * error. What a pipe or a file gets is the answer alone.
 */
export const traceOutput = <Output extends TerminalOutput, ErrorOutput extends TerminalOutput>(outputs: {
  readonly output: Output;
  readonly errorOutput: ErrorOutput;
}): Output | ErrorOutput => (outputs.output.isTTY ? outputs.output : outputs.errorOutput);
