// A program as it was written: parsed, with its imports taken out.

import type { Program } from "acorn";
import type { SourceText } from "../guest-throw.ts";
import { type ModuleSyntax, moduleSyntax } from "../modules/module-syntax.ts";
import { ProgramSyntaxError, parse } from "../parse.ts";
import { withoutExports } from "./without-exports.ts";

/** A program, read. */
export type ProgramSyntax = ModuleSyntax & { readonly program: Program };

/**
 * The last text that was checked and has not run yet: a text is checked right before it runs, and
 * parsing costs more than most programs do.
 */
let checked: { readonly source: SourceText; readonly syntax: ProgramSyntax } | null = null;

/**
 * Reads a program that is to run next, if it is one.
 *
 * @throws ProgramSyntaxError when it is not valid, or exports something
 */
export function checkedSyntax(source: SourceText): ProgramSyntax {
  checked = null;
  const syntax = readSyntax(source);
  checked = { source, syntax };
  return syntax;
}

/**
 * Reads a program that runs now.
 *
 * @throws ProgramSyntaxError when it is not valid, or exports something
 */
export function programSyntax(source: SourceText): ProgramSyntax {
  // A typed program is tried as it stands first: what was checked is the one without its types.
  if (!checked || !isSameText(checked.source, source)) return readSyntax(source);
  const { syntax } = checked;
  // Only once: who compiles a tree may write into it.
  checked = null;
  return syntax;
}

const isSameText = (left: SourceText, right: SourceText): boolean =>
  left.text === right.text && left.parsed === right.parsed && !right.isModule;

function readSyntax(source: SourceText): ProgramSyntax {
  const program = withoutExports(parse(source));
  const syntax = moduleSyntax(program);
  if (syntax.firstExport === null) return { ...syntax, program };
  throw new ProgramSyntaxError(
    "a program exports nothing of other modules: import what it needs, and top-level names stay for later blocks of code",
    source,
    syntax.firstExport,
  );
}
