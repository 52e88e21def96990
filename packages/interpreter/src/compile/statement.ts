// Compiles statements. Small kinds of statements are compiled here, all others in separate files. A
// compiled statement returns undefined, or the completion by which control leaves it.

import type {
  AssignmentExpression,
  BlockStatement,
  ClassDeclaration,
  ExpressionStatement,
  IfStatement,
  LabeledStatement,
  ReturnStatement,
  Statement,
  SwitchCase,
  SwitchStatement,
  ThrowStatement,
  VariableDeclaration,
  VariableDeclarator,
} from "acorn";
import { type Completion, Jump, plainBreak, plainContinue, Return } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { GuestThrow } from "../guest-throw.ts";
import { readingStep } from "../reading-steps.ts";
import { compileClass } from "./class.ts";
import { conditional, ifThen } from "./condition.ts";
import { type Context, type Evaluate, type Execute, inside, positionOf, referenceOf } from "./context.ts";
import { compileExpression, compileNamed, compileUnused, isAnonymousFunction } from "./expression.ts";
import { compileHoisted } from "./hoist.ts";
import { compileFor, compileWhile } from "./loop.ts";
import { located } from "./operators.ts";
import { initializePattern } from "./pattern.ts";
import { scopeEntry } from "./scope-entry.ts";
import { compileTry } from "./try.ts";
import { compileForIn, compileForOf } from "./value-loop.ts";
import { assignableSlot, assignIdentifier, initializeIdentifier } from "./variable.ts";
import { compileTest, watchedMatch } from "./watched.ts";

/** Compiles a statement. `labels` are the labels right before it. */
export function compileStatement(context: Context, node: Statement, labels: readonly string[] = []): Execute {
  readingStep();
  switch (node.type) {
    case "ExpressionStatement":
      return compileExpressionStatement(context, node);
    case "VariableDeclaration":
      return compileDeclaration(context, node);
    case "ClassDeclaration":
      return compileClassDeclaration(context, node);
    case "FunctionDeclaration":
    case "EmptyStatement":
    case "DebuggerStatement":
      return nothing;
    case "ReturnStatement":
      return compileReturn(context, node);
    case "ThrowStatement":
      return compileThrow(context, node);
    case "IfStatement":
      return compileIf(context, node);
    case "BlockStatement":
      return compileBlock(context, node);
    case "BreakStatement":
      return jump(node.label ? new Jump("break", node.label.name) : plainBreak);
    case "ContinueStatement":
      return jump(node.label ? new Jump("continue", node.label.name) : plainContinue);
    case "LabeledStatement":
      return compileLabeled(context, node, labels);
    case "ForStatement":
      return compileFor(context, node, labels);
    case "ForOfStatement":
      return compileForOf(context, node, labels);
    case "ForInStatement":
      return compileForIn(context, node, labels);
    case "WhileStatement":
    case "DoWhileStatement":
      return compileWhile(context, node, labels);
    case "SwitchStatement":
      return compileSwitch(context, node);
    case "TryStatement":
      return compileTry(context, node);
    case "WithStatement":
      throw new Error('"with" passed the parser');
    default:
      return node satisfies never;
  }
}

/** Compiles a list of statements in the same scope. */
export function compileStatements(context: Context, statements: readonly Statement[]): Execute {
  const active = statements.filter(hasEffect);
  const executes = active.map((statement) => compileStatement(context, statement));
  return allOf(executes);
}

/**
 * Says whether running a statement has an effect. Function declarations, for example, take effect
 * earlier.
 */
export function hasEffect({ type }: Statement): boolean {
  return type !== "FunctionDeclaration" && type !== "EmptyStatement" && type !== "DebuggerStatement";
}

/** Returns the completion of a labelled statement. A `break` with this label ends here. */
export function endAtLabel(completion: Completion | undefined, label: string): Completion | undefined {
  return completion?.type === "break" && completion.label === label ? undefined : completion;
}

/**
 * Compiles a declarator: evaluates its value and stores it. `value` is absent if the declarator has
 * none.
 */
function compileDeclarator(
  context: Context,
  kind: string,
  { id, init }: VariableDeclarator,
): (frame: Frame, value: unknown) => void {
  const store = id.type === "Identifier" && kind === "var" ? assignVar(context, id) : initializePattern(context, id);
  if (id.type === "Identifier") return store;
  return (frame, value) => {
    try {
      store(frame, value);
    } catch (caught) {
      throw located(context, caught, init ?? id);
    }
  };
}

const nothing: Execute = () => undefined;

const jump =
  (completion: Jump): Execute =>
  () =>
    completion;

function assignVar(context: Context, id: Extract<VariableDeclarator["id"], { type: "Identifier" }>) {
  return referenceOf(context, id).variable ? initializeIdentifier(context, id) : assignIdentifier(context, id);
}

function compileExpressionStatement(context: Context, { expression }: ExpressionStatement): Execute {
  const { onValue } = context;
  if (!onValue && expression.type === "AssignmentExpression") {
    const execute = compileAssignmentStatement(context, expression);
    if (execute) return execute;
  }
  const value = onValue ? compileExpression(context, expression) : compileUnused(context, expression);
  if (onValue) {
    return (frame) => {
      onValue(value(frame));
      return undefined;
    };
  }
  return expressionStatement(value);
}

/** Compiles `name = value;` for a variable in the current frame; null for other statements. */
function compileAssignmentStatement(context: Context, { operator, left, right }: AssignmentExpression): Execute | null {
  if (operator !== "=" || left.type !== "Identifier" || isAnonymousFunction(right)) return null;
  const slot = assignableSlot(context, left);
  if (slot === 0) return null;
  return storeStatement(slot, compileExpression(context, right));
}

function expressionStatement(value: Evaluate): Execute {
  return (frame) => {
    value(frame);
    return undefined;
  };
}

/** Compiles a statement that stores a value into a slot of the frame. */
function storeStatement(slot: number, value: Evaluate): Execute {
  return (frame) => {
    frame[slot] = value(frame);
    return undefined;
  };
}

/** Runs statements one after the other, until control leaves one of them. */
function allOf(executes: readonly Execute[]): Execute {
  const [first] = executes;
  if (!first) return nothing;
  return executes.length === 1 ? first : sequence(executes);
}

/**
 * Runs at least two statements. A longer list becomes nested closures of up to four statements
 * each. This is faster than a loop over the list, because the host compiles a closure together with
 * the variables that it captures, but not with the elements of a list.
 */
function sequence(executes: readonly Execute[]): Execute {
  const [first, second, third, fourth] = executes as [Execute, Execute, Execute, Execute]; // a statement is used only if it exists
  switch (executes.length) {
    case 2:
      return (frame) => first(frame) ?? second(frame);
    case 3:
      return (frame) => first(frame) ?? second(frame) ?? third(frame);
    case 4:
      return (frame) => first(frame) ?? second(frame) ?? third(frame) ?? fourth(frame);
    default: {
      const size = Math.ceil(executes.length / 4);
      const parts: Execute[] = [];
      for (let start = 0; start < executes.length; start += size)
        parts.push(allOf(executes.slice(start, start + size)));
      return sequence(parts);
    }
  }
}

function compileDeclaration(context: Context, { kind, declarations }: VariableDeclaration): Execute {
  const executes = declarations
    .map((declarator) => compileOneDeclaration(context, kind, declarator))
    .filter((execute) => execute !== null);
  return allOf(executes);
}

function compileOneDeclaration(context: Context, kind: string, declarator: VariableDeclarator): Execute | null {
  const { id, init } = declarator;
  if (!init && kind === "var") return null;
  const value: Evaluate = !init
    ? () => undefined
    : id.type === "Identifier"
      ? compileNamed(context, init, id.name)
      : compileExpression(context, init);
  const slot = id.type === "Identifier" ? declaredSlot(context, id) : 0;
  if (slot !== 0) return storeStatement(slot, value);
  const store = compileDeclarator(context, kind, declarator);
  return (frame) => {
    store(frame, value(frame));
    return undefined;
  };
}

/** Returns the slot of a declared name, or 0 if it has none in the current frame. */
function declaredSlot(context: Context, id: Extract<VariableDeclarator["id"], { type: "Identifier" }>): number {
  const { variable } = referenceOf(context, id);
  if (!variable || variable.binding || variable.scope.owner !== context.scope.owner) return 0;
  return variable.slot;
}

function compileClassDeclaration(context: Context, node: ClassDeclaration): Execute {
  const value = compileClass(context, node, node.id.name);
  const store = initializeIdentifier(context, node.id);
  return (frame) => {
    store(frame, value(frame));
    return undefined;
  };
}

function compileReturn(context: Context, { argument }: ReturnStatement): Execute {
  if (!argument) return () => new Return(undefined);
  const value = compileExpression(context, argument);
  return (frame) => new Return(value(frame));
}

function compileThrow(context: Context, node: ThrowStatement): Execute {
  const value = compileExpression(context, node.argument);
  const position = positionOf(context, node);
  return (frame) => {
    const thrown = new GuestThrow(value(frame));
    thrown.position = position;
    throw thrown;
  };
}

function compileIf(context: Context, { test, consequent, alternate }: IfStatement): Execute {
  const condition = compileTest(context, test);
  const whenTrue = compileStatement(context, consequent);
  return alternate
    ? conditional(condition, whenTrue, compileStatement(context, alternate))
    : ifThen(condition, whenTrue);
}

function compileBlock(context: Context, node: BlockStatement): Execute {
  const inner = inside(context, node);
  const run = compileStatements(inner, node.body);
  const hoist = compileHoisted(inner, node.body);
  const enter = scopeEntry(inner.scope);
  if (!enter && !hoist) return run;
  if (enter && !hoist) return (frame) => run(enter(frame));
  return (frame) => {
    const own = enter ? enter(frame) : frame;
    hoist?.(own);
    return run(own);
  };
}

/**
 * Returns a map from the value of each case to the index of the case. Returns null if the value of
 * a case is not a literal.
 */
function placesOfLiterals(cases: readonly SwitchCase[]): ReadonlyMap<unknown, number> | null {
  const places = new Map<unknown, number>();
  for (const [index, { test }] of cases.entries()) {
    if (!test) continue;
    if (test.type !== "Literal" || "regex" in test || "bigint" in test) return null;
    if (!places.has(test.value)) places.set(test.value, index);
  }
  return places;
}

const longText = 512;

/**
 * Says whether a value can be looked up in a map of the cases instead of being compared with each
 * case. The lookup must have the same result, and must be so cheap that it need not be counted.
 */
const isQuickKey = (value: unknown): boolean =>
  typeof value === "string" ? value.length < longText : typeof value === "number" || typeof value === "boolean";

function matchingCase(
  frame: Frame,
  tests: readonly (Evaluate | null)[],
  matches: (test: unknown, value: unknown) => boolean,
  value: unknown,
): number {
  for (let index = 0; index < tests.length; index++) {
    const test = tests[index];
    if (test && matches(test(frame), value)) return index;
  }
  return -1;
}

function compileLabeled(context: Context, { label, body }: LabeledStatement, labels: readonly string[]): Execute {
  const run = compileStatement(context, body, [...labels, label.name]);
  return (frame) => endAtLabel(run(frame), label.name);
}

function compileSwitch(context: Context, node: SwitchStatement): Execute {
  const discriminant = compileExpression(context, node.discriminant);
  const inner = inside(context, node);
  const tests = node.cases.map(({ test }) => (test ? compileExpression(inner, test) : null));
  const bodies = node.cases.map(({ consequent }) => compileStatements(inner, consequent));
  const hoist = compileHoisted(
    inner,
    node.cases.flatMap(({ consequent }) => consequent),
  );
  const enter = scopeEntry(inner.scope);
  const defaultIndex = tests.indexOf(null);
  const matches = watchedMatch(context, node.discriminant);
  const places = placesOfLiterals(node.cases);
  return (frame) => {
    const value = discriminant(frame);
    const own = enter ? enter(frame) : frame;
    hoist?.(own);
    const matching = places && isQuickKey(value) ? (places.get(value) ?? -1) : matchingCase(own, tests, matches, value);
    for (let index = matching < 0 ? defaultIndex : matching; index >= 0 && index < bodies.length; index++) {
      const completion = bodies[index]?.(own);
      if (completion !== undefined) return completion === plainBreak ? undefined : completion;
    }
    return undefined;
  };
}
