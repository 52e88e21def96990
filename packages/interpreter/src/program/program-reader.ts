// A program as it was written: parsed, with its imports taken out.

import type { Program } from "acorn";
import type { SourceText } from "../guest-throw.ts";
import { type ModuleSyntax, moduleSyntax } from "../modules/module-syntax.ts";
import { ProgramSyntaxError, parse } from "../parse.ts";
import type { WithoutTypes } from "../typescript/typed-source.ts";
import { withoutExports } from "./without-exports.ts";

/** A program, read. */
export type ProgramSyntax = ModuleSyntax & { readonly program: Program };

/**
 * Reads the programs of a session. It keeps the last text: that is checked right before it runs,
 * and parsing costs more than most programs do.
 */
export class ProgramReader {
  #checked: { readonly source: SourceText; readonly syntax: ProgramSyntax } | null = null;
  #erased: { readonly text: string; readonly parsed: string } | null = null;

  /**
   * Reads a program that is to run next, if it is one.
   *
   * @throws ProgramSyntaxError when it is not valid, or exports something
   */
  check(source: SourceText): void {
    this.#checked = null;
    const syntax = readSyntax(source);
    this.#checked = { source, syntax };
  }

  /**
   * Reads a program that runs now.
   *
   * @throws ProgramSyntaxError when it is not valid, or exports something
   */
  read(source: SourceText): ProgramSyntax {
    // A typed program is tried as it stands first: what was checked is the one without its types.
    if (!this.#checked || !isSameText(this.#checked.source, source)) return readSyntax(source);
    const { syntax } = this.#checked;
    // Only once: who compiles a tree may write into it.
    this.#checked = null;
    return syntax;
  }

  /** Loads the parser of types. */
  async typeEraser(): Promise<WithoutTypes> {
    const { eraseTypes } = await import("../typescript/erase-types.ts");
    return (source) => {
      const parsed = this.#erased?.text === source.text ? this.#erased.parsed : eraseTypes(source);
      this.#erased = { text: source.text, parsed };
      return { ...source, parsed };
    };
  }
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
