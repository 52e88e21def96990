import { parse } from "./parse.ts";

/** Whether a text is a program that the interpreter would run: JavaScript with `await` at its top level, without modules. */
export function isProgram(code: string): boolean {
  try {
    parse({ name: "code", text: code });
    return true;
  } catch {
    // Whatever the parser does not take is no program.
    return false;
  }
}
