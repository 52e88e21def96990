import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import type { ReadStream } from "node:tty";
import type { ReadLine } from "./person.ts";

/** The input and the output of a terminal. */
export interface TerminalStreams {
  readonly input: ReadStream;
  readonly output: NodeJS.WritableStream;
  /** Called when the person presses Ctrl-C during input, because no SIGINT is sent then. */
  readonly onInterrupt: () => void;
}

/** Returns a function that reads lines from a terminal. */
export function lineReader(streams: TerminalStreams): ReadLine {
  const { input, output, onInterrupt } = streams;
  return async (prompt, { signal }) => {
    await dropTypedAhead(streams);
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

/**
 * The time before a question in which typed text is ignored, in ms. It can be short, because the
 * terminal delivers text that was typed earlier almost at once.
 */
const drainMs = 50;

/** Drops text that was typed before the question appeared, because it cannot be an answer to it. */
async function dropTypedAhead({ input, onInterrupt }: TerminalStreams): Promise<void> {
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
