// The two readings of a program: as JavaScript, and as TypeScript when it is no JavaScript or not
// meant as such. The parser of the second one is loaded when it is first needed, so that only such
// a program waits for it.

import type { SourceText } from "../guest-throw.ts";
import { ProgramSyntaxError } from "../parse.ts";
import { furtherError, looksTyped, type WithoutTypes } from "../typescript/typed-source.ts";
import type { ProgramReader } from "./program-reader.ts";

/** Thrown where a program turns out to be none, or to be TypeScript, before any of it has run. */
export class TypesFound {
  /** Why it is no JavaScript; null when it could be both. */
  readonly plainError: ProgramSyntaxError | null;

  constructor(plainError: ProgramSyntaxError | null) {
    this.plainError = plainError;
  }
}

/** Compiles and runs a program. */
type Run = (source: SourceText) => void;

/**
 * Runs a program as JavaScript.
 *
 * @throws TypesFound when it is to be read as TypeScript; and what `run` throws
 */
export function readPlainly(source: SourceText, run: Run): void {
  if (looksTyped(source)) throw new TypesFound(null);
  try {
    run(source);
  } catch (error) {
    throw isErrorOf(source, error) ? new TypesFound(error) : error;
  }
}

/**
 * Loads the parser of types. Gives what then runs the program without its types, or throws what is
 * wrong with it.
 */
export async function readTypes(
  source: SourceText,
  { plainError }: TypesFound,
  { programs, run }: { readonly programs: ProgramReader; readonly run: Run },
): Promise<() => void> {
  const erase = await programs.typeEraser();
  return () => runTyped(source, { plainError, erase, run });
}

interface Typed {
  readonly plainError: ProgramSyntaxError | null;
  readonly erase: WithoutTypes;
  readonly run: Run;
}

function runTyped(source: SourceText, { plainError, erase, run }: Typed): void {
  let erased: SourceText;
  try {
    erased = erase(source);
  } catch (typedError) {
    if (!(typedError instanceof ProgramSyntaxError)) throw typedError;
    return runUntyped(source, { plainError, typedError, run });
  }
  run(erased);
}

interface Untyped {
  readonly plainError: ProgramSyntaxError | null;
  readonly typedError: ProgramSyntaxError;
  readonly run: Run;
}

/**
 * The program is no TypeScript either: JavaScript that only looked typed runs, and else the better
 * of the two errors is thrown.
 */
function runUntyped(source: SourceText, { plainError, typedError, run }: Untyped): void {
  if (plainError) throw furtherError(plainError, typedError);
  try {
    run(source);
  } catch (error) {
    throw isErrorOf(source, error) ? furtherError(error, typedError) : error;
  }
}

/** Reading the program another way does not mend a fault in a module that it imports. */
function isErrorOf(source: SourceText, error: unknown): error is ProgramSyntaxError {
  return error instanceof ProgramSyntaxError && error.source === source;
}
