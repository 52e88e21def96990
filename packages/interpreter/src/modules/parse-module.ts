// Parses the text of a guest module. If it is TypeScript, its types are removed first.
//
// An `import()` can load a module while guest code runs. At that point it cannot wait for the
// TypeScript parser. So the parser is loaded in advance if any module may need it.

import type { ImportableModules } from "@smolts/protocol";
import type { Program } from "acorn";
import type { SourceText } from "../guest-throw.ts";
import { ProgramSyntaxError, parse } from "../parse.ts";
import { furtherError } from "../typescript/typed-source.ts";
import { isTypeScriptPath, type ModuleFiles } from "./module-files.ts";

/**
 * Returns a source's text with its types replaced by blanks. Throws a ProgramSyntaxError if that is
 * not possible.
 */
export type EraseTypes = (source: SourceText) => string;

/** A module after parsing. */
export interface ParsedModule {
  readonly source: SourceText;
  readonly program: Program;
}

/** Loads the TypeScript parser if a module may need it; otherwise returns null. */
export async function eraserFor({ modules }: ImportableModules): Promise<EraseTypes | null> {
  if (!modules.some((module) => module.type === "guest-module" && mayHaveTypes(module.files))) return null;
  return (await import("../typescript/erase-types.ts")).eraseTypes;
}

/**
 * Parses a module.
 *
 * @throws ProgramSyntaxError when the module is not valid, or uses TypeScript syntax that is more
 *   than a type, such as an `enum`
 */
export function parseModule(source: SourceText, path: string, eraseTypes: EraseTypes | null): ParsedModule {
  if (eraseTypes && isTypeScriptPath(path)) return parseTyped(source, eraseTypes);
  try {
    return { source, program: parse(source) };
  } catch (error) {
    if (!eraseTypes || !(error instanceof ProgramSyntaxError)) throw error;
    return parseUnlessWorse(source, eraseTypes, error);
  }
}

/**
 * Says whether a module may be TypeScript, judged by its file names. If the module is a single
 * text, it has no file name, so the text is parsed to find out.
 */
function mayHaveTypes(files: ModuleFiles): boolean {
  const paths = Object.keys(files);
  return paths.some(isTypeScriptPath) || (paths.length === 1 && !isJavaScript(files[paths[0] ?? ""] ?? ""));
}

function isJavaScript(text: string): boolean {
  try {
    parse({ name: "", text });
    return true;
  } catch {
    // The text may be TypeScript. If it is not even that, importing the module fails later.
    return false;
  }
}

function parseTyped(source: SourceText, eraseTypes: EraseTypes): ParsedModule {
  const erased = { ...source, parsed: eraseTypes(source) };
  return { source: erased, program: parse(erased) };
}

function parseUnlessWorse(source: SourceText, eraseTypes: EraseTypes, plain: ProgramSyntaxError): ParsedModule {
  try {
    return parseTyped(source, eraseTypes);
  } catch (error) {
    throw error instanceof ProgramSyntaxError ? furtherError(plain, error) : error;
  }
}
