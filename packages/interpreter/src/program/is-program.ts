import { cpuMsOfHost } from "../cpu-time.ts";
import type { SourceText } from "../guest-throw.ts";
import { withClockChecks } from "../reading-steps.ts";
import { looksTyped } from "../typescript/typed-source.ts";
import type { ProgramReader } from "./program-reader.ts";

// The longest time that the parser may take. A text that takes longer is treated as a program, so
// it is run, and the time limit of the run ends it.
const maxMs = 500;

/** Thrown when a text takes too long to read. */
class TookTooLong {}

/**
 * Says whether the interpreter would run a text: JavaScript, or TypeScript whose types are ignored.
 * Also returns true for a text that is too long to run, or takes more than half a second to read.
 * Running such a text reports what is wrong.
 *
 * The text is read in the same way as before a run. If it is valid JavaScript and does not look
 * like TypeScript, the parser for TypeScript is not loaded.
 *
 * @param sourceCharacters - the maximum length of a text that is run
 */
export async function isProgram(
  text: string,
  programs: ProgramReader,
  { sourceCharacters }: { readonly sourceCharacters: number },
): Promise<boolean> {
  if (text.length > sourceCharacters) return true;
  const source = { name: "code", text };
  const isTyped = looksTyped(source);
  if (!isTyped && parses(programs, source)) return true;
  const erase = await programs.typeEraser();
  // `erase` throws if the text is not TypeScript, or uses an enum or another feature that is more
  // than a type.
  return isReadable(() => programs.check(erase(source))) || (isTyped && parses(programs, source));
}

const parses = (programs: ProgramReader, source: SourceText): boolean => isReadable(() => programs.check(source));

function isReadable(read: () => void): boolean {
  const endMs = performance.now() + maxMs;
  const cpuStartMs = cpuMsOfHost();
  const checkClock = (): void => {
    if (performance.now() <= endMs) return;
    // The limit is for CPU time, because other work on the processor may have caused the delay.
    const cpuMs = cpuMsOfHost();
    if (cpuMs === Number.POSITIVE_INFINITY || cpuMs - cpuStartMs > maxMs) throw new TookTooLong();
  };
  try {
    withClockChecks(checkClock, read);
    return true;
  } catch (error) {
    // Any other error of the parser means that the text is not a program.
    return error instanceof TookTooLong;
  }
}
