import { programSyntax } from "./program-syntax.ts";

/** Whether a text is a program that the interpreter would run: JavaScript with `await` and `import` at its top level. */
export function isProgram(code: string): boolean {
  try {
    programSyntax({ name: "code", text: code });
    return true;
  } catch {
    // Whatever the parser does not take is no program.
    return false;
  }
}
