// Statements that suspend at one place and do nothing after it but to store what they are resumed with: `const x = await y`, `await y`,
// `yield y`. They are what most suspending code consists of, and need no generator of their own: the list that they stand in yields for them.

import type { AwaitExpression, Expression, Statement, VariableDeclarator } from "acorn";
import type { Frame } from "../frame.ts";
import { type Context, type Evaluate, suspends } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { located } from "./operators.ts";
import { initializePattern } from "./pattern.ts";

/** Such a statement. */
export interface Pause {
  readonly type: "pause";
  /** What the host generator yields. */
  readonly give: Evaluate;
  /** What is done with the value that it is resumed with. */
  readonly store: (frame: Frame, value: unknown) => void;
  /** What is thrown on when it is resumed with a throw. */
  readonly fail: (caught: unknown) => unknown;
}

/** The statement as a pause; null when it is none. */
export function pauseOf(context: Context, statement: Statement): Pause | null {
  if (statement.type === "VariableDeclaration") {
    const [declarator, more] = statement.declarations;
    return declarator && !more ? declarationPause(context, declarator) : null;
  }
  if (statement.type !== "ExpressionStatement") return null;
  const { onValue } = context;
  const store = (_frame: Frame, value: unknown): void => onValue?.(value);
  return awaitPause(context, statement.expression, store) ?? yieldPause(context, statement.expression, store);
}

function declarationPause(context: Context, { id, init }: VariableDeclarator): Pause | null {
  if (!init || !isDirectAwait(context, init) || suspends(context, id)) return null;
  return awaitPause(context, init, initializePattern(context, id));
}

function awaitPause(context: Context, node: Expression, store: Pause["store"]): Pause | null {
  if (!isDirectAwait(context, node)) return null;
  const give = compileExpression(context, node.argument);
  return { type: "pause", give, store, fail: (caught) => located(context, caught, node) };
}

function isDirectAwait(context: Context, node: Expression): node is AwaitExpression {
  if (node.type !== "AwaitExpression" || context.functionKind === "async-generator") return false;
  return !suspends(context, node.argument);
}

function yieldPause(context: Context, node: Expression, store: Pause["store"]): Pause | null {
  if (node.type !== "YieldExpression" || node.delegate || context.functionKind !== "generator") return null;
  if (suspends(context, node.argument)) return null;
  const give: Evaluate = node.argument ? compileExpression(context, node.argument) : () => undefined;
  return { type: "pause", give, store, fail: (caught) => caught };
}
