// A program as it was written: parsed, with its imports taken out.

import type { Program } from "acorn";
import type { SourceText } from "./guest-throw.ts";
import { type ModuleSyntax, moduleSyntax } from "./modules/module-syntax.ts";
import { ProgramSyntaxError, parse } from "./parse.ts";

/**
 * Reads a program.
 *
 * @throws ProgramSyntaxError when it is not valid, or exports something
 */
export function programSyntax(source: SourceText): ModuleSyntax & { readonly program: Program } {
  const program = parse(source);
  const syntax = moduleSyntax(program);
  if (syntax.firstExport === null) return { ...syntax, program };
  throw new ProgramSyntaxError(
    '"export" is not available here: top-level names stay for later blocks of code anyway',
    source,
    syntax.firstExport,
  );
}
