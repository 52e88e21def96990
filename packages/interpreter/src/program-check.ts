import { parse } from "./parse.ts";

/**
 * Whether a text is a program that the interpreter would run: JavaScript with `await` at its top level, without modules.
 *
 * @example
 * ```ts
 * import { isProgram } from "@smolts/interpreter";
 *
 * console.log(isProgram("const rows = await search();"), isProgram("I think the answer is 2.")); // true false
 * ```
 */
export function isProgram(code: string): boolean {
  try {
    parse({ name: "code", text: code });
    return true;
  } catch {
    // Whatever the parser does not take is no program.
    return false;
  }
}
