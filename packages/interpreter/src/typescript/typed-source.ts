// Programs that are TypeScript: found out here, and read by a parser that is loaded when the first
// one comes.

import type { SourceText } from "../guest-throw.ts";
import type { ProgramSyntaxError } from "../parse.ts";
import { TypeRefusal } from "./type-refusal.ts";

// `new Set<string>(names)` is JavaScript too, comparing three things. Nobody writes that, so it is
// read as it was meant.
const typeArguments = /[\w$]<[\w$\s.,|&[\]{}:;"'<>]{1,200}>\(/;

/** Whether a program is to be read as TypeScript although it may be JavaScript. */
export function looksTyped({ text }: SourceText): boolean {
  return text.includes(">(") && typeArguments.test(text);
}

/**
 * Gives the same program without its types.
 *
 * @throws TypeRefusal when it uses what is more than a type; ProgramSyntaxError when it is no
 *   TypeScript either
 */
export type WithoutTypes = (source: SourceText) => SourceText;

/**
 * Why a program is neither JavaScript nor TypeScript: the reading that came further saw what is
 * wrong, the other one stopped at a type.
 */
export function furtherError(plain: ProgramSyntaxError, typed: ProgramSyntaxError): ProgramSyntaxError {
  return typed instanceof TypeRefusal || typed.offset > plain.offset ? typed : plain;
}
