// The body of a function that does not suspend.
//
// If the last statement is a `return`, or an `if` with a `return` at the end of its branches, the
// closure of the body returns the value itself. Only a `return` inside a loop, switch or try needs
// a completion.

import type { BlockStatement, Expression, Function as FunctionNode, Statement } from "acorn";
import type { Scope } from "../analyse/scope.ts";
import { Return } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { conditional } from "./condition.ts";
import { type Context, type Evaluate, type Execute, inside } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { compileHoisted } from "./hoist.ts";
import { scopeEntry } from "./scope-entry.ts";
import { compileStatement } from "./statement.ts";
import { compileTest } from "./watched.ts";

/**
 * Compiles the body of a function. `scope` is the scope of the function; the body may have a
 * separate scope.
 */
export function compileBody(context: Context, { body }: FunctionNode, scope: Scope): (frame: Frame) => unknown {
  if (body.type !== "BlockStatement") return compileExpression(context, body as Expression); // the body of an arrow function
  const { body: statements } = body as BlockStatement; // any other body is a block
  const prepare = compileBodyEntry(context, statements, scope);
  const run = compileTail(context, statements);
  if (!prepare) return run;
  return (frame) => {
    prepare(frame);
    return run(frame);
  };
}

/**
 * Compiles what happens before the first statement: copying parameters, marking variables as
 * uninitialised, creating hoisted functions.
 */
export function compileBodyEntry(
  context: Context,
  statements: readonly Statement[],
  scope: Scope,
): ((frame: Frame) => void) | null {
  const enter = context.scope === scope ? markOwnVariables(context) : scopeEntry(context.scope);
  const copies = context.scope === scope ? [] : parameterCopies(context.scope, scope);
  const hoist = compileHoisted(context, statements);
  if (!enter && copies.length === 0 && !hoist) return null;
  return (frame) => {
    enter?.(frame);
    for (const [from, to] of copies) frame[to] = frame[from];
    hoist?.(frame);
  };
}

/**
 * Compiles code that marks lexical variables as uninitialised, in the function's existing frame.
 */
function markOwnVariables({ scope }: Context): ReturnType<typeof scopeEntry> {
  const lexical = [...scope.variables.values()].filter(
    ({ kind }) => kind === "let" || kind === "const" || kind === "class",
  );
  return scopeEntry({ variables: new Map(lexical.map((variable) => [variable.name, variable])), hasFrame: false });
}

/**
 * Lists the `var`s that have the name of a parameter. Each starts with the value of that parameter.
 */
function parameterCopies(body: Scope, parameters: Scope): readonly (readonly [from: number, to: number])[] {
  const copies: (readonly [number, number])[] = [];
  for (const { name, kind, slot } of body.variables.values()) {
    const parameter = parameters.variables.get(name);
    if (kind === "var" && parameter) copies.push([parameter.slot, slot]);
  }
  return copies;
}

function compileTail(context: Context, statements: readonly Statement[], from = 0): Evaluate {
  const statement = statements[from];
  if (!statement) return () => undefined;
  if (statement.type === "ReturnStatement")
    return statement.argument ? compileExpression(context, statement.argument) : () => undefined;
  if (statement.type === "EmptyStatement" || statement.type === "FunctionDeclaration")
    return compileTail(context, statements, from + 1);
  const isLast = from === statements.length - 1;
  if (statement.type === "IfStatement" && !statement.alternate && alwaysReturns(statement.consequent)) {
    const test = compileTest(context, statement.test);
    const consequent = compileTailOf(context, statement.consequent);
    const rest = compileTail(context, statements, from + 1);
    return conditional(test, consequent, rest);
  }
  if (statement.type === "IfStatement" && statement.alternate && (isLast || bothReturn(statement))) {
    const test = compileTest(context, statement.test);
    const consequent = compileTailOf(context, statement.consequent);
    const alternate = compileTailOf(context, statement.alternate);
    return conditional(test, consequent, alternate);
  }
  const execute = compileStatement(context, statement);
  return isLast ? lastStatement(execute) : statementThen(execute, compileTail(context, statements, from + 1));
}

/** Compiles the last statement of a body. */
function lastStatement(execute: Execute): Evaluate {
  return (frame) => {
    const completion = execute(frame);
    return completion instanceof Return ? completion.value : undefined;
  };
}

/**
 * Compiles a statement of a body. The rest of the body runs after the statement if the statement
 * did not return.
 */
function statementThen(execute: Execute, rest: Evaluate): Evaluate {
  return (frame) => {
    const completion = execute(frame);
    return completion === undefined ? rest(frame) : (completion as Return).value; // `break` and `continue` cannot leave a function body
  };
}

function compileTailOf(context: Context, statement: Statement): Evaluate {
  if (statement.type !== "BlockStatement") return compileTail(context, [statement]);
  const inner = inside(context, statement);
  const enter = scopeEntry(inner.scope);
  const hoist = compileHoisted(inner, statement.body);
  const run = compileTail(inner, statement.body);
  if (!enter && !hoist) return run;
  return (frame) => {
    const own = enter ? enter(frame) : frame;
    hoist?.(own);
    return run(own);
  };
}

function alwaysReturns(statement: Statement): boolean {
  if (statement.type === "ReturnStatement") return true;
  return statement.type === "BlockStatement" && statement.body.at(-1)?.type === "ReturnStatement";
}

function bothReturn({ consequent, alternate }: Extract<Statement, { type: "IfStatement" }>): boolean {
  return alwaysReturns(consequent) && alternate !== null && alternate !== undefined && alwaysReturns(alternate);
}
