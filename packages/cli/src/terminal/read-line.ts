import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import type { ReadStream } from "node:tty";
import type { ReadLine } from "./person.ts";

/** The two ends of a terminal. */
export interface TerminalEnds {
  readonly input: ReadStream;
  readonly output: NodeJS.WritableStream;
  /** While a line is being typed, the terminal hands Ctrl-C to the line, not to the process. */
  readonly onInterrupt: () => void;
}

/** Reads lines of a terminal. */
export function lineReader(ends: TerminalEnds): ReadLine {
  const { input, output, onInterrupt } = ends;
  return async (prompt, { signal }) => {
    await dropTypedAhead(ends);
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
}

/** What waits in the terminal comes at once. */
const drainMs = 50;

/**
 * Text that was typed before a question appeared is not an answer to it, nor is a line without its
 * end.
 */
async function dropTypedAhead({ input, onInterrupt }: TerminalEnds): Promise<void> {
  const drop = (typed: Buffer): void => {
    if (typed.includes("\u0003")) onInterrupt();
  };
  input.setRawMode(true);
  input.on("data", drop);
  await setTimeout(drainMs);
  input.off("data", drop);
  input.pause();
  input.setRawMode(false);
}
