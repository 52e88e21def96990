// From the text of a guest module to its tree, without its types where it has some.
//
// A module may be asked for while the guest runs, so the parser of types is there before, when some
// module may need it.

import type { ImportableModules } from "@smolts/protocol";
import type { Program } from "acorn";
import type { SourceText } from "../guest-throw.ts";
import { ProgramSyntaxError, parse } from "../parse.ts";
import { furtherError } from "../typescript/typed-source.ts";
import { isTypeScriptPath, type ModuleFiles } from "./module-files.ts";

/**
 * Gives a source's text with its types blanked; throws what is wrong with it as ProgramSyntaxError.
 */
export type EraseTypes = (source: SourceText) => string;

/** A module, parsed. */
export interface ParsedModule {
  readonly source: SourceText;
  readonly program: Program;
}

/** Loads the parser of types when a module may need it; null else. */
export async function eraserFor({ modules }: ImportableModules): Promise<EraseTypes | null> {
  if (!modules.some((module) => module.type === "guest-module" && mayHaveTypes(module.files))) return null;
  return (await import("../typescript/erase-types.ts")).eraseTypes;
}

/**
 * Parses a module.
 *
 * @throws ProgramSyntaxError when it is none, or uses what is more than a type
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
 * By the names of its files. A module that was given as one text has no name of its own, and is
 * tried.
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
    // It may be TypeScript. If it is not, the import fails.
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
