import { checkedSyntax } from "./program-syntax.ts";

type ProgramCheck = (code: string) => boolean;

let made: Promise<ProgramCheck> | null = null;

/** Gives a check whether a text is a program that the interpreter would run: JavaScript, or TypeScript whose types are ignored. */
export function programCheck(): Promise<ProgramCheck> {
  made ??= makeCheck();
  return made;
}

async function makeCheck(): Promise<ProgramCheck> {
  const { eraseTypes } = await import("../typescript/erase-types.ts");
  return (text) => {
    const source = { name: "code", text };
    return (
      succeeds(() => checkedSyntax(source)) || succeeds(() => checkedSyntax({ ...source, parsed: eraseTypes(source) }))
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
