// From text to acorn's tree. Code is strict and module-like, with `await` at the top level; modules themselves are not available.

import { type Node, type Program as ProgramNode, parse as parseWithAcorn } from "acorn";
import type { SourceText } from "./guest-throw.ts";

/** A program that is no JavaScript, or uses what the interpreter refuses. */
export class ProgramSyntaxError extends Error {
  override readonly name = "SyntaxError";
  /** In UTF-16 units from the start. */
  readonly offset: number;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;

  constructor(message: string, source: SourceText, offset: number) {
    super(message);
    this.offset = offset;
    const before = source.text.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/);
    this.line = before.length;
    this.column = (before.at(-1) ?? "").length + 1;
  }
}

/** How deep brackets, braces and parentheses may nest: the parser and the compiler recurse. */
const deepestNesting = 500;

/**
 * Parses a program.
 *
 * @throws ProgramSyntaxError when it is not valid, or uses modules
 */
export function parse(source: SourceText): ProgramNode {
  let program: ProgramNode;
  try {
    program = parseWithAcorn(source.parsed ?? source.text, {
      ecmaVersion: 2024,
      sourceType: "module",
      allowAwaitOutsideFunction: true,
      allowHashBang: true,
    });
  } catch (error) {
    throw toProgramSyntaxError(error, source);
  }
  for (const statement of program.body) refuseModules(statement, source);
  return program;
}

function refuseModules(statement: Node, source: SourceText): void {
  if (!/^(Import|Export)/.test(statement.type)) return;
  const keyword = statement.type.startsWith("Import") ? "import" : "export";
  throw new ProgramSyntaxError(
    `"${keyword}" is not available: there are no modules here; use the functions that are given and the built-ins of the language`,
    source,
    statement.start,
  );
}

function toProgramSyntaxError(error: unknown, source: SourceText): ProgramSyntaxError {
  if (error instanceof RangeError)
    return new ProgramSyntaxError(`the program nests too deep (more than about ${deepestNesting} levels)`, source, 0);
  if (!(error instanceof SyntaxError)) throw error;
  const { pos = 0 } = error as SyntaxError & { pos?: number }; // acorn's errors carry the offset
  return new ProgramSyntaxError(error.message.replace(/ \(\d+:\d+\)$/, ""), source, pos);
}
