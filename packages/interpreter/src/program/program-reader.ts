// Parses programs and separates their imports.

import type { Program } from "acorn";
import type { SourceText } from "../guest-throw.ts";
import { type ModuleSyntax, moduleSyntax } from "../modules/module-syntax.ts";
import { ProgramSyntaxError, parse } from "../parse.ts";
import type { WithoutTypes } from "../typescript/typed-source.ts";
import { withoutExports } from "./without-exports.ts";

/** The syntax of a program, and its imports. */
export type ProgramSyntax = ModuleSyntax & { readonly program: Program };

/**
 * Reads the programs of a session. Stores the syntax of the last text that it checked, because that
 * text usually runs next, and parsing a program often takes longer than running it.
 */
export class ProgramReader {
  #checked: { readonly source: SourceText; readonly syntax: ProgramSyntax } | null = null;
  #erased: { readonly text: string; readonly parsed: string } | null = null;

  /**
   * Checks the syntax of a program that will run next.
   *
   * @throws ProgramSyntaxError when it is not valid, or exports something
   */
  check(source: SourceText): void {
    this.#checked = null;
    const syntax = readSyntax(source);
    this.#checked = { source, syntax };
  }

  /**
   * Reads a program that is about to run. If the last check was of the same text, its syntax is
   * reused.
   *
   * @throws ProgramSyntaxError when it is not valid, or exports something
   */
  read(source: SourceText): ProgramSyntax {
    // This text may differ from the checked one. For a TypeScript program, the check may have
    // received the text without its types. This call then gets the original text, with the types.
    if (!this.#checked || !isSameText(this.#checked.source, source)) return readSyntax(source);
    const { syntax } = this.#checked;
    // The syntax tree is used only once, because the compiler may change it.
    this.#checked = null;
    return syntax;
  }

  /** Loads the parser for TypeScript. Returns a function that removes types. */
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
    "a program cannot export from other modules: import what it needs; top-level names stay for later blocks of code",
    source,
    syntax.firstExport,
  );
}
