// Parses text to acorn's syntax tree. Programs and modules are parsed in the same way: in strict
// mode, with `await`, `import` and `export` at the top level. A program may also `return` there.

import type { Program as ProgramNode } from "acorn";
import type { SourceText } from "./guest-throw.ts";
import { NestingError, NestingParser } from "./nesting.ts";

/**
 * Thrown for a program that is not valid JavaScript, or uses syntax that the interpreter refuses.
 */
export class ProgramSyntaxError extends Error {
  override readonly name = "SyntaxError";
  readonly source: SourceText;
  /** The offset of the error from the start of the text, in UTF-16 units. */
  readonly offset: number;
  /** The line of the error, 1-based. */
  readonly line: number;
  /** The column of the error, 1-based. */
  readonly column: number;

  /** A hint for the author of the program, if there is one. */
  readonly hint: string | undefined;

  constructor(message: string, source: SourceText, offset: number, hint?: string) {
    super(message);
    this.hint = hint;
    this.source = source;
    this.offset = offset;
    const before = source.text.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/);
    this.line = before.length;
    this.column = (before.at(-1) ?? "").length + 1;
  }
}

/**
 * Parses a program or a module.
 *
 * @throws ProgramSyntaxError when it is not valid
 */
export function parse(source: SourceText): ProgramNode {
  const parser = source.isModule ? ModuleParser : ProgramParser;
  try {
    return parser.parse(source.parsed ?? source.text, {
      ecmaVersion: 2024,
      sourceType: "module",
      allowAwaitOutsideFunction: true,
      allowHashBang: true,
    });
  } catch (error) {
    throw toProgramSyntaxError(error, source);
  }
}

/**
 * Returns the cost of parsing and compiling a text, in operations: one for every eight characters.
 */
export function readingCost({ text }: SourceText): number {
  return 1 + Math.ceil(text.length / charactersPerOperation);
}

const charactersPerOperation = 8;

// acorn's flags of two kinds of scopes: the top level, and functions.
const varScopes = 1 | 2;

/** The methods and options that acorn's types leave out. */
interface WithImports {
  readonly options: { ecmaVersion: number; allowReturnOutsideFunction: boolean };
  finishToken(type: unknown, value: unknown): void;
  parseDynamicImport(node: unknown): unknown;
  parseReturnStatement(node: unknown): unknown;
  currentVarScope(): { readonly flags: number };
}

const Base = NestingParser as unknown as new (...args: unknown[]) => WithImports;

// The longest string that the parser treats as a property key. Longer strings are rarely keys.
const maxKeyLength = 64;

/**
 * Replaces names and short strings with the string objects that V8 uses as property keys. V8 finds
 * a property by the identity of its key. For a different string object with the same text, V8 must
 * look up the key each time, and cannot optimise the access.
 */
class KeysParser extends Base {
  override finishToken(type: unknown, value: unknown): void {
    super.finishToken(type, typeof value === "string" && value.length <= maxKeyLength ? hostKey(value) : value);
  }
}

function hostKey(text: string): string {
  return Object.keys({ __proto__: null, [text]: null })[0] as string; // the object has exactly one key
}

/**
 * Parses the options of `import(name, { with: ... })`. These options belong to a later edition of
 * the language than the one for which the parser is configured.
 */
class ModuleOptionsParser extends KeysParser {
  override parseDynamicImport(node: unknown): unknown {
    const { ecmaVersion } = this.options;
    this.options.ecmaVersion = 16;
    try {
      return super.parseDynamicImport(node);
    } finally {
      this.options.ecmaVersion = ecmaVersion;
    }
  }
}

const ModuleParser = ModuleOptionsParser as unknown as typeof NestingParser;

// acorn's flag of the top-level scope.
const topScope = 1;

/**
 * Allows `return` at the top level, where it ends the program, but not in the static block of a
 * class.
 */
class ReturnParser extends ModuleOptionsParser {
  override parseReturnStatement(node: unknown): unknown {
    this.options.allowReturnOutsideFunction = (this.currentVarScope().flags & topScope) > 0;
    return super.parseReturnStatement(node);
  }
}

/**
 * Allows a program to declare two top-level functions of the same name, as scripts may. Modules may
 * not.
 */
class ProgramParser extends (ReturnParser as unknown as typeof NestingParser) {
  // acorn calls this before it reports that a name "has already been declared".
  treatFunctionsAsVarInScope({ flags }: { readonly flags: number }): boolean {
    return (flags & varScopes) > 0;
  }
}

const nestingHint =
  "put parts of it into variables; a long chain of conditions or of + is better written as a loop over an array";

/** Converts an error of the parser to a ProgramSyntaxError. Rethrows all other errors. */
export function toProgramSyntaxError(error: unknown, source: SourceText): ProgramSyntaxError {
  if (error instanceof NestingError) return new ProgramSyntaxError(error.message, source, error.pos, nestingHint);
  if (error instanceof RangeError) return new ProgramSyntaxError("the program nests too deep", source, 0, nestingHint);
  if (!(error instanceof SyntaxError)) throw error;
  const { pos = 0 } = error as SyntaxError & { pos?: number }; // the parser's errors have the offset
  return new ProgramSyntaxError(error.message, source, pos);
}
