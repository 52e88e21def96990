// From text to acorn's tree. Programs and modules are parsed alike: strict, with `await`, `import`
// and `export` at the top level. A program may `return` there, too.

import type { Program as ProgramNode } from "acorn";
import type { SourceText } from "./guest-throw.ts";
import { NestingError, NestingParser } from "./nesting.ts";

/** A program that is no JavaScript, or uses what the interpreter refuses. */
export class ProgramSyntaxError extends Error {
  override readonly name = "SyntaxError";
  readonly source: SourceText;
  /** In UTF-16 units from the start. */
  readonly offset: number;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;

  /** A hint, if one is known. */
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
 * The cost of parsing and compiling a text, in operations: a character costs about an eighth of
 * one.
 */
export function readingCost({ text }: SourceText): number {
  return 1 + Math.ceil(text.length / charactersPerOperation);
}

const charactersPerOperation = 8;

// As acorn numbers kinds of scopes: the top level, and functions.
const varScopes = 1 | 2;

/** What acorn's types leave out. */
interface WithImports {
  readonly options: { ecmaVersion: number; allowReturnOutsideFunction: boolean };
  parseDynamicImport(node: unknown): unknown;
  parseReturnStatement(node: unknown): unknown;
  currentVarScope(): { readonly flags: number };
}

const Base = NestingParser as unknown as new (...args: unknown[]) => WithImports;

/**
 * Reads the options of `import(name, { with: ... })`, which came after the edition that all else is
 * read by.
 */
class ModuleOptionsParser extends Base {
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

// As acorn numbers scopes: the top level.
const topScope = 1;

/**
 * Reads `return` at the top level, where it ends the program; not in the static block of a class.
 */
class ReturnParser extends ModuleOptionsParser {
  override parseReturnStatement(node: unknown): unknown {
    this.options.allowReturnOutsideFunction = (this.currentVarScope().flags & topScope) > 0;
    return super.parseReturnStatement(node);
  }
}

/**
 * Reads functions at the top level as a script has them, which may declare their names again; a
 * module may not.
 */
class ProgramParser extends (ReturnParser as unknown as typeof NestingParser) {
  // What acorn asks before it says that a name "has already been declared".
  treatFunctionsAsVarInScope({ flags }: { readonly flags: number }): boolean {
    return (flags & varScopes) > 0;
  }
}

const nestingHint = "put parts of it into variables; a long chain of conditions or of + is better a loop over an array";

/** Reads an error that a parser threw. Other errors are thrown again. */
export function toProgramSyntaxError(error: unknown, source: SourceText): ProgramSyntaxError {
  if (error instanceof NestingError) return new ProgramSyntaxError(error.message, source, error.pos, nestingHint);
  if (error instanceof RangeError) return new ProgramSyntaxError("the program nests too deep", source, 0, nestingHint);
  if (!(error instanceof SyntaxError)) throw error;
  const { pos = 0 } = error as SyntaxError & { pos?: number }; // the parser's errors carry the offset
  return new ProgramSyntaxError(error.message, source, pos);
}
