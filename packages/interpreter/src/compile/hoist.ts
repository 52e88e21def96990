// Hoisting: the functions that a block declares are created when the block is entered.

import type { FunctionDeclaration, ModuleDeclaration, Statement } from "acorn";
import type { Frame } from "../frame.ts";
import type { Context } from "./context.ts";
import { compileFunction } from "./function.ts";
import { initializeIdentifier } from "./variable.ts";

/** Compiles code that creates all functions that the statements declare; null if there are none. */
export function compileHoisted(
  context: Context,
  statements: readonly (Statement | ModuleDeclaration)[],
): ((frame: Frame) => void) | null {
  const declarations = statements.filter(
    (statement): statement is FunctionDeclaration => statement.type === "FunctionDeclaration",
  );
  if (declarations.length === 0) return null;
  const hoisted = declarations.map((declaration) => ({
    make: compileFunction(context, declaration, {}),
    store: initializeIdentifier(context, declaration.id),
  }));
  return (frame) => {
    for (const { make, store } of hoisted) store(frame, make(frame));
  };
}
