// Recognises programs that are TypeScript. Their parser is loaded when the first TypeScript program
// is run.

import type { SourceText } from "../guest-throw.ts";
import type { ProgramSyntaxError } from "../parse.ts";
import { TypeRefusal } from "./type-refusal.ts";

// Matches type arguments of a call. `new Set<string>(names)` is also valid JavaScript: it compares
// three values. Nobody writes such a comparison, so the text is read as TypeScript.
const typeArguments = /[\w$]<[\w$\s.,|&[\]{}:;"'<>]{1,200}>\(/;

/** Says whether a program must be read as TypeScript although it may be valid JavaScript. */
export function looksTyped({ text }: SourceText): boolean {
  return text.includes(">(") && typeArguments.test(text);
}

/**
 * Returns the same program without its types.
 *
 * @throws TypeRefusal for syntax that is more than a type; ProgramSyntaxError for text that is not
 * TypeScript
 */
export type WithoutTypes = (source: SourceText) => SourceText;

/**
 * Returns the more helpful error for a program that is neither valid JavaScript nor valid
 * TypeScript.
 *
 * If TypeScript syntax is refused, that error is always more helpful, because it says what to write
 * instead. Otherwise, the error further into the text is more helpful: the parser that stopped
 * earlier may only have met a type.
 */
export function furtherError(plain: ProgramSyntaxError, typed: ProgramSyntaxError): ProgramSyntaxError {
  return typed instanceof TypeRefusal || typed.offset > plain.offset ? typed : plain;
}
