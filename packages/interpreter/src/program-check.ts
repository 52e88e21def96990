import { programSyntax } from "./program-syntax.ts";

/** Gives a check whether a text is a program that the interpreter would run: JavaScript, or TypeScript whose types are ignored. */
export async function programCheck(): Promise<(code: string) => boolean> {
  const { eraseTypes } = await import("./typescript/erase-types.ts");
  return (text) => {
    const source = { name: "code", text };
    return (
      succeeds(() => programSyntax(source)) || succeeds(() => programSyntax({ ...source, parsed: eraseTypes(source) }))
    );
  };
}

function succeeds(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    // Whatever the parser does not take is no program.
    return false;
  }
}
