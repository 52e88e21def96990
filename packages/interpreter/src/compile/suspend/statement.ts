// Compiles statements that contain `await` or `yield`. They become host generators. The small kinds
// of statements are compiled here. Each other kind has its own file.

import type {
  ClassDeclaration,
  Expression,
  IfStatement,
  ReturnStatement,
  Statement,
  SwitchStatement,
  VariableDeclaration,
} from "acorn";
import { plainBreak, Return } from "../../completion.ts";
import type { Frame } from "../../frame.ts";
import { GuestThrow } from "../../guest-throw.ts";
import { type Context, type Execute, inside, positionOf, suspends } from "../context.ts";
import { compileHoisted } from "../hoist.ts";
import { initializePattern } from "../pattern.ts";
import { scopeEntry } from "../scope-entry.ts";
import { compileStatement, endAtLabel } from "../statement.ts";
import { initializeIdentifier } from "../variable.ts";
import { testStepOf, watchedMatch } from "../watched.ts";
import { type Step, type SuspendEvaluate, stepOf, suspendClass, suspendExpression } from "./expression.ts";
import { suspendForAwait } from "./for-await.ts";
import { type Part, partListOf, partOf, type SuspendExecute, suspendList, suspendStatements } from "./list.ts";
import { suspendFor, suspendWhile } from "./loop.ts";
import { type SuspendStore, suspendPattern } from "./pattern.ts";
import { pauseOf } from "./pause.ts";
import { waitFor } from "./requests.ts";
import { suspendTry } from "./try.ts";
import { suspendForIn, suspendForOf } from "./value-loop.ts";

/** Compiles a statement that may suspend. */
export function suspendStatement(context: Context, node: Statement, labels: readonly string[] = []): SuspendExecute {
  if (!suspends(context, node)) return withoutSuspending(compileStatement(context, node, labels));
  const pause = pauseOf(context, node);
  if (pause) return suspendList({ enter: null, parts: [pause] });
  switch (node.type) {
    case "ExpressionStatement":
      return suspendExpressionStatement(context, node.expression);
    case "VariableDeclaration":
      return suspendDeclaration(context, node);
    case "ClassDeclaration":
      return suspendClassDeclaration(context, node);
    case "ReturnStatement":
      return suspendReturn(context, node);
    case "ThrowStatement":
      return suspendThrow(context, node, node.argument);
    case "IfStatement":
      return suspendIf(context, node);
    case "BlockStatement":
      return suspendList(partListOf(context, node));
    case "LabeledStatement":
      return suspendLabeled(context, node.body, node.label.name, labels);
    case "ForStatement":
      return suspendFor(context, node, labels);
    case "ForOfStatement":
      return node.await ? suspendForAwait(context, node, labels) : suspendForOf(context, node, labels);
    case "ForInStatement":
      return suspendForIn(context, node, labels);
    case "WhileStatement":
    case "DoWhileStatement":
      return suspendWhile(context, node, labels);
    case "SwitchStatement":
      return suspendSwitch(context, node);
    case "TryStatement":
      return suspendTry(context, node);
    default:
      throw new Error(`a ${node.type} does not suspend`);
  }
}

function withoutSuspending(run: Execute): SuspendExecute {
  // biome-ignore lint/correctness/useYield: callers expect a generator
  return function* (frame) {
    return run(frame);
  };
}

function suspendExpressionStatement(context: Context, expression: Expression): SuspendExecute {
  const value = suspendExpression(context, expression);
  const { onValue } = context;
  return (frame) => runExpression(frame, value, onValue);
}

/** All expression statements share one generator function. `runList` explains why. */
function* runExpression(frame: Frame, value: SuspendEvaluate, onValue: Context["onValue"]): ReturnType<SuspendExecute> {
  const result = yield* value(frame);
  onValue?.(result);
  return undefined;
}

function suspendDeclaration(context: Context, { declarations, kind }: VariableDeclaration): SuspendExecute {
  const parts = declarations
    .filter(({ init }) => init || kind !== "var")
    .map(({ id, init }) => ({
      value: stepOf(context, init, id.type === "Identifier" ? id.name : null),
      plainStore: suspends(context, id) ? null : initializePattern(context, id),
      store: suspendPattern(context, id, "initialize"),
    }));
  return (frame) => runDeclaration(frame, parts);
}

interface Declarator {
  readonly value: Step;
  readonly plainStore: ((frame: Frame, value: unknown) => void) | null;
  readonly store: SuspendStore;
}

function* runDeclaration(frame: Frame, parts: readonly Declarator[]): ReturnType<SuspendExecute> {
  for (const { value, plainStore, store } of parts) {
    const given = value.plain ? value.plain(frame) : yield* value.suspending(frame);
    if (plainStore) plainStore(frame, given);
    else yield* store(frame, given);
  }
  return undefined;
}

function suspendClassDeclaration(context: Context, node: ClassDeclaration): SuspendExecute {
  const value = suspendClass(context, node);
  const store = initializeIdentifier(context, node.id);
  return function* (frame) {
    store(frame, yield* value(frame));
    return undefined;
  };
}

function suspendReturn(context: Context, { argument }: ReturnStatement): SuspendExecute {
  const value = stepOf(context, argument);
  const awaits = context.functionKind === "async-generator";
  return (frame) => runReturn(frame, value, awaits ? context : null);
}

/**
 * Runs a `return`. `awaiting` is the context in which the value is awaited first; null if the value
 * is not awaited.
 */
function* runReturn(frame: Frame, value: Step, awaiting: Context | null): ReturnType<SuspendExecute> {
  const given = value.plain ? value.plain(frame) : yield* value.suspending(frame);
  return new Return(awaiting ? yield* waitFor(awaiting, given) : given);
}

function suspendThrow(context: Context, node: Statement, argument: Expression): SuspendExecute {
  const value = suspendExpression(context, argument);
  const position = positionOf(context, node);
  return function* (frame) {
    const thrown = new GuestThrow(yield* value(frame));
    thrown.position = position;
    throw thrown;
  };
}

function suspendIf(context: Context, { test, consequent, alternate }: IfStatement): SuspendExecute {
  const condition = testStepOf(context, test);
  const whenTrue = partOf(context, consequent);
  const whenFalse = alternate ? partOf(context, alternate) : null;
  return (frame) => runIf(frame, condition, whenTrue, whenFalse);
}

/** All `if` statements share one generator function. `runList` explains why. */
function* runIf(frame: Frame, condition: Step, whenTrue: Part, whenFalse: Part | null): ReturnType<SuspendExecute> {
  const decided = condition.plain ? condition.plain(frame) : yield* condition.suspending(frame);
  const part = decided ? whenTrue : whenFalse;
  if (!part) return undefined;
  return part.type === "plain" ? part.run(frame) : yield* part.run(frame);
}

function suspendLabeled(context: Context, body: Statement, label: string, labels: readonly string[]): SuspendExecute {
  const run = suspendStatement(context, body, [...labels, label]);
  return function* (frame) {
    return endAtLabel(yield* run(frame), label);
  };
}

function suspendSwitch(context: Context, node: SwitchStatement): SuspendExecute {
  const discriminant = suspendExpression(context, node.discriminant);
  const inner = inside(context, node);
  const tests = node.cases.map(({ test }) => (test ? suspendExpression(inner, test) : null));
  const bodies = node.cases.map(({ consequent }) => suspendStatements(inner, consequent));
  const hoist = compileHoisted(
    inner,
    node.cases.flatMap(({ consequent }) => consequent),
  );
  const enter = scopeEntry(inner.scope);
  const matches = watchedMatch(context, node.discriminant);
  return function* (frame) {
    const value = yield* discriminant(frame);
    const own = enter ? enter(frame) : frame;
    hoist?.(own);
    const start = yield* matchingCase(tests, own, (test) => matches(test, value));
    if (start < 0) return undefined;
    for (const body of bodies.slice(start)) {
      const completion = yield* body(own);
      if (completion !== undefined) return completion === plainBreak ? undefined : completion;
    }
    return undefined;
  };
}

function* matchingCase(
  tests: readonly (SuspendEvaluate | null)[],
  frame: Frame,
  matches: (test: unknown) => boolean,
): Generator<unknown, number, unknown> {
  for (const [index, test] of tests.entries()) if (test && matches(yield* test(frame))) return index;
  return tests.indexOf(null);
}
