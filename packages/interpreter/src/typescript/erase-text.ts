// The public function for removing types, for hosts that load TypeScript files of their users.

import { AgentError } from "@smolts/protocol";
import { ProgramSyntaxError } from "../parse.ts";
import { eraseTypes } from "./erase-types.ts";

/**
 * Returns the text of a TypeScript module with its types replaced by spaces, so that lines and
 * columns stay the same.
 *
 * Unused imports are replaced too, because they may be types.
 *
 * @param name - the file name to show in errors
 * @throws AgentError `parsing` for syntax that is more than a type, such as an enum, and for text
 *   that is not TypeScript
 * @example
 * ```ts
 * import { eraseTypeScript } from "@smolts/interpreter/erase-types";
 *
 * console.log(eraseTypeScript("const a: number = 1;", "a.ts")); // const a         = 1;
 * ```
 */
export function eraseTypeScript(text: string, name: string): string {
  try {
    return eraseTypes({ text, name, isModule: true });
  } catch (error) {
    if (!(error instanceof ProgramSyntaxError)) throw error;
    const { message, line, column, hint } = error;
    throw new AgentError("parsing", `${name}:${line}:${column}: ${message}`, { cause: error, hint });
  }
}
