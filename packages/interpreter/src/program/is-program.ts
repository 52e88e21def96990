import { cpuMsOfHost } from "../cpu-time.ts";
import type { SourceText } from "../guest-throw.ts";
import { lookingAtClock } from "../reading-steps.ts";
import { looksTyped } from "../typescript/typed-source.ts";
import type { ProgramReader } from "./program-reader.ts";

// A text that takes longer counts as a program: it is run, and its own limit of time ends it.
const mostMs = 500;

/** Thrown where a text takes too long to read. */
class TookTooLong {}

/**
 * Whether the interpreter would run a text: JavaScript, or TypeScript whose types are ignored. A
 * text that is too long to run, or to be read in half a second, is taken for a program: the run
 * says what is wrong with it.
 *
 * Read as it will be run: what is both, and does not look typed, is JavaScript, and the parser of
 * types is not loaded for it.
 *
 * @param sourceCharacters - the longest text that is run
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
  // It throws when this is no TypeScript, or uses an enum or another thing that is more than a
  // type.
  return isReadable(() => programs.check(erase(source))) || (isTyped && parses(programs, source));
}

const parses = (programs: ProgramReader, source: SourceText): boolean => isReadable(() => programs.check(source));

function isReadable(read: () => void): boolean {
  const endMs = performance.now() + mostMs;
  const cpuStartMs = cpuMsOfHost();
  const look = (): void => {
    if (performance.now() <= endMs) return;
    // What others do with the processor meanwhile does not make a text a program.
    const cpuMs = cpuMsOfHost();
    if (cpuMs === Number.POSITIVE_INFINITY || cpuMs - cpuStartMs > mostMs) throw new TookTooLong();
  };
  try {
    lookingAtClock(look, read);
    return true;
  } catch (error) {
    // Anything the parser refuses is not a program.
    return error instanceof TookTooLong;
  }
}
