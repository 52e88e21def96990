import { createInterface } from "node:readline/promises";
import type { ReadLine } from "./person.ts";

/** The two ends of a terminal. */
export interface TerminalEnds {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** While a line is being typed, the terminal hands Ctrl-C to the line, not to the process. */
  readonly onInterrupt: () => void;
}

/** Reads lines of a terminal. */
export const lineReader =
  ({ input, output, onInterrupt }: TerminalEnds): ReadLine =>
  async (prompt, { signal }) => {
    signal.throwIfAborted();
    const lines = createInterface({ input, output });
    try {
      const closed = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
      lines.on("SIGINT", onInterrupt);
      const line = await Promise.race([lines.question(prompt, { signal }), closed]);
      if (line === null) output.write("\n");
      return line;
    } catch (error) {
      output.write("\n");
      signal.throwIfAborted();
      throw error;
    } finally {
      lines.close();
    }
  };
