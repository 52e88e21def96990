// Reads a program as JavaScript. If it is not valid JavaScript, or looks like TypeScript, reads it
// as TypeScript instead. The TypeScript parser is loaded only for such programs.

import type { SourceText } from "../guest-throw.ts";
import { ProgramSyntaxError } from "../parse.ts";
import { furtherError, looksTyped, type WithoutTypes } from "../typescript/typed-source.ts";
import type { ProgramReader } from "./program-reader.ts";

/** Thrown when a program must be read as TypeScript. None of it has run yet. */
export class TypesFound {
  /**
   * The syntax error from reading the program as JavaScript; null if the program is valid
   * JavaScript, but looks like TypeScript.
   */
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
 * @throws TypesFound when it must be read as TypeScript, and whatever `run` throws
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
 * Loads the TypeScript parser. Returns a function that runs the program without its types. If the
 * program is not valid TypeScript either, that function throws the more helpful of the two errors.
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
 * Runs a program that is not valid TypeScript. It may be JavaScript that only looks like
 * TypeScript. If it is not valid JavaScript either, throws the more helpful of the two errors.
 */
function runUntyped(source: SourceText, { plainError, typedError, run }: Untyped): void {
  if (plainError) throw furtherError(plainError, typedError);
  try {
    run(source);
  } catch (error) {
    throw isErrorOf(source, error) ? furtherError(error, typedError) : error;
  }
}

/**
 * Says whether an error is a syntax error in this text. An error in an imported module does not
 * count, because it is the same whether the program is read as JavaScript or as TypeScript.
 */
function isErrorOf(source: SourceText, error: unknown): error is ProgramSyntaxError {
  return error instanceof ProgramSyntaxError && error.source === source;
}
