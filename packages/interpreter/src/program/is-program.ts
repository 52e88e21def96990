import type { SourceText } from "../guest-throw.ts";
import { looksTyped, withoutTypes } from "../typescript/typed-source.ts";
import { checkedSyntax } from "./program-syntax.ts";

/**
 * Whether the interpreter would run a text: JavaScript, or TypeScript whose types are ignored.
 *
 * Read as it will be run: what is both, and does not look typed, is JavaScript, and the parser of types is not loaded for it.
 */
export async function isProgram(text: string): Promise<boolean> {
  const source = { name: "code", text };
  const isTyped = looksTyped(source);
  return (!isTyped && parses(source)) || (await parsesWithoutTypes(source)) || (isTyped && parses(source));
}

async function parsesWithoutTypes(source: SourceText): Promise<boolean> {
  // It throws when this is no TypeScript, or uses an enum or another thing that is more than a type.
  const erased = await withoutTypes(source).catch(() => null);
  return erased !== null && parses(erased);
}

function parses(source: SourceText): boolean {
  try {
    checkedSyntax(source);
    return true;
  } catch {
    // Anything the parser refuses is not a program.
    return false;
  }
}
