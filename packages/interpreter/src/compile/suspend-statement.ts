// Statements with an `await` or `yield` inside, as host generators; and the bodies of functions that suspend.

import type {
  BlockStatement,
  ClassDeclaration,
  DoWhileStatement,
  Expression,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  Function as FunctionNode,
  IfStatement,
  ReturnStatement,
  Statement,
  SwitchStatement,
  TryStatement,
  VariableDeclaration,
  WhileStatement,
} from "acorn";
import type { Scope } from "../analyse/scope.ts";
import type { Frame } from "../frame.ts";
import { GuestThrow, ReturnSignal, thrownValue, throwTypeError } from "../guest-throw.ts";
import { isObject } from "../guest-value.ts";
import { getAsyncIterator } from "../operations/async-iterator.ts";
import { call, getMethodOf } from "../operations/call.ts";
import { enumerableKeys, isStillThere } from "../operations/enumerate.ts";
import {
  getIterator,
  type IteratorRecord,
  iterationEnd,
  iteratorClose,
  iteratorCloseOnThrow,
  iteratorStepValue,
} from "../operations/iterator.ts";
import { get } from "../operations/property.ts";
import { type Completion, continuesLoop, loopCompletion, plainBreak, Return } from "./completion.ts";
import { type Context, type Execute, inside, positionOf, suspends } from "./context.ts";
import { compileBodyEntry } from "./function-body.ts";
import type { HostGenerator } from "./generator.ts";
import { compileHoisted } from "./hoist.ts";
import { compileRoundEntry } from "./loop.ts";
import { located } from "./operators.ts";
import { initializePattern } from "./pattern.ts";
import { type Pause, pauseOf } from "./pause.ts";
import { scopeEntry } from "./scope-entry.ts";
import { compileStatement, doesSomething, endAtLabel } from "./statement.ts";
import { type SuspendEvaluate, stepOf, suspendClass, suspendExpression, waitFor } from "./suspend-expression.ts";
import { type SuspendStore, suspendPattern } from "./suspend-pattern.ts";
import { compileCatchEntry, rethrowPastFinally } from "./try.ts";
import { initializeIdentifier } from "./variable.ts";

/** A statement that may suspend. */
export type SuspendExecute = (frame: Frame) => Generator<unknown, Completion | undefined, unknown>;

/** A part of a list of statements: suspending or not. */
type Part =
  | { readonly type: "plain"; readonly run: Execute }
  | { readonly type: "suspending"; readonly run: SuspendExecute };

/** Compiles the body of an async function or generator: gives its host generator. */
export function suspendBody(context: Context, { body }: FunctionNode, scope: Scope): (frame: Frame) => HostGenerator {
  if (body.type !== "BlockStatement") return suspendExpression(context, body as Expression); // an arrow function's
  const { body: statements } = body as BlockStatement; // its type says so
  const prepare = compileBodyEntry(context, statements, scope);
  const run = suspendStatements(context, statements, (frame) => {
    prepare?.(frame);
    return frame;
  });
  return function* (frame) {
    const completion = yield* run(frame);
    return completion instanceof Return ? completion.value : undefined;
  };
}

/** Compiles a list of statements that share their scope. `enter` opens it, when it has to be opened. */
export function suspendStatements(
  context: Context,
  statements: readonly Statement[],
  enter: ((frame: Frame) => Frame) | null = null,
): SuspendExecute {
  const parts = statements
    .filter(doesSomething)
    .map((statement) => pausingPart(context, statement) ?? partOf(context, statement));
  return function* (frame) {
    const own = enter ? enter(frame) : frame;
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index] as Part | Pause; // the index is below the length
      if (part.type === "pause") {
        const given = part.give(own);
        let resumed: unknown;
        try {
          resumed = yield given;
        } catch (caught) {
          throw part.fail(caught);
        }
        part.store(own, resumed);
        continue;
      }
      const completion = part.type === "plain" ? part.run(own) : yield* part.run(own);
      if (completion !== undefined) return completion;
    }
    return undefined;
  };
}

function pausingPart(context: Context, statement: Statement): Pause | null {
  return suspends(context, statement) ? pauseOf(context, statement) : null;
}

function partOf(context: Context, statement: Statement): Part {
  if (!suspends(context, statement)) return { type: "plain", run: compileStatement(context, statement) };
  return { type: "suspending", run: suspendStatement(context, statement) };
}

/** Compiles a statement that may suspend. */
export function suspendStatement(context: Context, node: Statement, labels: readonly string[] = []): SuspendExecute {
  if (!suspends(context, node)) return withoutSuspending(compileStatement(context, node, labels));
  if (pauseOf(context, node)) return suspendStatements(context, [node]);
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
      return suspendBlock(context, node);
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
  // biome-ignore lint/correctness/useYield: it stands where something that may suspend is expected
  return function* (frame) {
    return run(frame);
  };
}

function suspendExpressionStatement(context: Context, expression: Expression): SuspendExecute {
  const value = suspendExpression(context, expression);
  const { onValue } = context;
  return function* (frame) {
    const result = yield* value(frame);
    onValue?.(result);
    return undefined;
  };
}

function suspendDeclaration(context: Context, { declarations, kind }: VariableDeclaration): SuspendExecute {
  const parts = declarations
    .filter(({ init }) => init || kind !== "var")
    .map(({ id, init }) => ({
      value: stepOf(context, init, id.type === "Identifier" ? id.name : null),
      plainStore: suspends(context, id) ? null : initializePattern(context, id),
      store: suspendPattern(context, id, "initialize"),
    }));
  return function* (frame) {
    for (const { value, plainStore, store } of parts) {
      const given = value.plain ? value.plain(frame) : yield* value.suspending(frame);
      if (plainStore) plainStore(frame, given);
      else yield* store(frame, given);
    }
    return undefined;
  };
}

function suspendInit(context: Context, init: Expression | null | undefined): SuspendEvaluate {
  if (!init) return function* () {};
  return suspendExpression(context, init);
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
  return function* (frame) {
    const given = value.plain ? value.plain(frame) : yield* value.suspending(frame);
    return new Return(awaits ? yield* waitFor(context, given) : given);
  };
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
  const condition = stepOf(context, test);
  const whenTrue = partOf(context, consequent);
  const whenFalse = alternate ? partOf(context, alternate) : null;
  return function* (frame) {
    const decided = condition.plain ? condition.plain(frame) : yield* condition.suspending(frame);
    const part = decided ? whenTrue : whenFalse;
    if (!part) return undefined;
    return part.type === "plain" ? part.run(frame) : yield* part.run(frame);
  };
}

function suspendBlock(context: Context, node: BlockStatement): SuspendExecute {
  const inner = inside(context, node);
  const hoist = compileHoisted(inner, node.body);
  const enter = scopeEntry(inner.scope);
  if (!enter && !hoist) return suspendStatements(inner, node.body);
  return suspendStatements(inner, node.body, (frame) => {
    const own = enter ? enter(frame) : frame;
    hoist?.(own);
    return own;
  });
}

function suspendLabeled(context: Context, body: Statement, label: string, labels: readonly string[]): SuspendExecute {
  const run = suspendStatement(context, body, [...labels, label]);
  return function* (frame) {
    return endAtLabel(yield* run(frame), label);
  };
}

function suspendWhile(
  context: Context,
  node: WhileStatement | DoWhileStatement,
  labels: readonly string[],
): SuspendExecute {
  const test = stepOf(context, node.test);
  const body = partOf(context, node.body);
  const { meter } = context;
  const isDo = node.type === "DoWhileStatement";
  return function* (frame) {
    let isFirst = isDo;
    while (isFirst || (test.plain ? test.plain(frame) : yield* test.suspending(frame))) {
      isFirst = false;
      if (--meter.left < 0) meter.refill();
      const completion = body.type === "plain" ? body.run(frame) : yield* body.run(frame);
      if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
    }
    return undefined;
  };
}

function suspendFor(context: Context, node: ForStatement, labels: readonly string[]): SuspendExecute {
  const inner = inside(context, node);
  const init = suspendForInit(inner, node.init);
  const test = node.test ? stepOf(inner, node.test) : null;
  const update = stepOf(inner, node.update);
  const body = partOf(inner, node.body);
  const { meter } = context;
  const enter = scopeEntry(inner.scope);
  const nextFrame = inner.scope.hasFrame ? (frame: Frame) => frame.slice() : (frame: Frame) => frame;
  return function* (frame) {
    let own = enter ? enter(frame) : frame;
    yield* init(own);
    own = nextFrame(own);
    while (test === null || (test.plain ? test.plain(own) : yield* test.suspending(own))) {
      if (--meter.left < 0) meter.refill();
      const completion = body.type === "plain" ? body.run(own) : yield* body.run(own);
      if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
      own = nextFrame(own);
      if (update.plain) update.plain(own);
      else yield* update.suspending(own);
    }
    return undefined;
  };
}

function suspendForInit(context: Context, init: ForStatement["init"]): (frame: Frame) => HostGenerator {
  if (init?.type === "VariableDeclaration") return suspendStatement({ ...context, onValue: null }, init);
  return suspendInit(context, init);
}

/** What loops over something need: their subject, a way to start a round, and the body. */
interface RoundParts {
  readonly subject: SuspendEvaluate;
  readonly enter: RoundEntry;
  readonly body: Part;
}

function compileRounds(context: Context, node: ForOfStatement | ForInStatement): RoundParts {
  const inner = inside(context, node);
  const value = suspendExpression(inner, node.right);
  const enterScope = scopeEntry(inner.scope);
  return {
    subject: enterScope ? (frame) => value(enterScope(frame)) : value,
    enter: suspendRoundEntry(context, node),
    body: partOf(inner, node.body),
  };
}

/** How a round starts: with its frame, and its value stored. */
type RoundEntry =
  | { readonly type: "plain"; readonly run: (frame: Frame, value: unknown) => Frame }
  | { readonly type: "suspending"; readonly run: (frame: Frame, value: unknown) => Generator<unknown, Frame, unknown> };

function suspendRoundEntry(context: Context, node: ForOfStatement | ForInStatement): RoundEntry {
  if (!suspends(context, node.left)) return { type: "plain", run: compileRoundEntry(context, node) };
  const inner = inside(context, node);
  const store = suspendLeft(inner, node.left);
  const enter = scopeEntry(inner.scope);
  const run = function* (frame: Frame, value: unknown): Generator<unknown, Frame, unknown> {
    const own = enter ? enter(frame) : frame;
    yield* store(own, value);
    return own;
  };
  return { type: "suspending", run };
}

function suspendLeft(context: Context, left: ForOfStatement["left"]): SuspendStore {
  if (left.type !== "VariableDeclaration") return suspendPattern(context, left, "assign");
  const { id } = left.declarations[0] as VariableDeclaration["declarations"][number]; // the parser demands exactly one
  return suspendPattern(context, id, "initialize");
}

function suspendForOf(context: Context, node: ForOfStatement, labels: readonly string[]): SuspendExecute {
  const { subject, enter, body } = compileRounds(context, node);
  const { realm, meter } = context;
  return function* (frame) {
    const record = open(context, node, yield* subject(frame), getIterator);
    for (let value = iteratorStepValue(record); value !== iterationEnd; value = iteratorStepValue(record)) {
      meter.charge(1);
      let completion: Completion | undefined;
      try {
        const own = enter.type === "plain" ? enter.run(frame, value) : yield* enter.run(frame, value);
        completion = body.type === "plain" ? body.run(own) : yield* body.run(own);
      } catch (caught) {
        if (!(caught instanceof ReturnSignal)) iteratorCloseOnThrow(realm, record, caught);
        iteratorClose(record);
        throw caught;
      }
      if (completion !== undefined && !continuesLoop(completion, labels)) {
        iteratorClose(record);
        return loopCompletion(completion);
      }
    }
    return undefined;
  };
}

function open(
  context: Context,
  { right }: ForOfStatement,
  value: unknown,
  getRecord: typeof getIterator,
): IteratorRecord {
  try {
    return getRecord(context.realm, value);
  } catch (caught) {
    throw located(context, caught, right);
  }
}

function suspendForAwait(context: Context, node: ForOfStatement, labels: readonly string[]): SuspendExecute {
  const { subject, enter, body } = compileRounds(context, node);
  const { meter } = context;
  return function* (frame) {
    const record = open(context, node, yield* subject(frame), getAsyncIterator);
    for (;;) {
      const result = yield* waitFor(context, call(record.next, record.iterator));
      if (!isObject(result))
        return throwTypeError("the iterator's result is not an object", positionOf(context, node.right));
      if (get(result, "done")) return undefined;
      const value = get(result, "value");
      meter.charge(1);
      let completion: Completion | undefined;
      try {
        const own = enter.type === "plain" ? enter.run(frame, value) : yield* enter.run(frame, value);
        completion = body.type === "plain" ? body.run(own) : yield* body.run(own);
      } catch (caught) {
        yield* closeAsyncAfter(context, record, caught);
      }
      if (completion !== undefined && !continuesLoop(completion, labels)) {
        yield* closeAsync(context, record);
        return loopCompletion(completion);
      }
    }
  };
}

/** Tells an async iterator that no more is wanted, and waits for it. */
function* closeAsync(context: Context, { iterator }: IteratorRecord): Generator<unknown, void, unknown> {
  const method = getMethodOf(iterator, "return");
  if (method === undefined) return;
  const result = yield* waitFor(context, call(method, iterator));
  if (!isObject(result)) throwTypeError('the iterator\'s "return" gave no object');
}

/** The same after a throw, whose place no error of the iterator takes. */
function* closeAsyncAfter(
  context: Context,
  record: IteratorRecord,
  caught: unknown,
): Generator<unknown, never, unknown> {
  rethrowPastFinally(context, caught);
  if (caught instanceof ReturnSignal) {
    yield* closeAsync(context, record);
    throw caught;
  }
  try {
    const method = getMethodOf(record.iterator, "return");
    if (method !== undefined) yield* waitFor(context, call(method, record.iterator));
  } catch (caughtWhileClosing) {
    context.realm.rethrowUnlessCatchable(caughtWhileClosing);
  }
  throw caught;
}

function suspendForIn(context: Context, node: ForInStatement, labels: readonly string[]): SuspendExecute {
  const { subject, enter, body } = compileRounds(context, node);
  const { realm, meter } = context;
  return function* (frame) {
    for (const { key, object } of enumerableKeys(realm, yield* subject(frame))) {
      if (!isStillThere(object, key)) continue;
      meter.charge(1);
      const own = enter.type === "plain" ? enter.run(frame, key) : yield* enter.run(frame, key);
      const completion = body.type === "plain" ? body.run(own) : yield* body.run(own);
      if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
    }
    return undefined;
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
  return function* (frame) {
    const value = yield* discriminant(frame);
    const own = enter ? enter(frame) : frame;
    hoist?.(own);
    const start = yield* matchingCase(tests, own, value);
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
  value: unknown,
): Generator<unknown, number, unknown> {
  for (const [index, test] of tests.entries()) if (test && (yield* test(frame)) === value) return index;
  return tests.indexOf(null);
}

function suspendTry(context: Context, { block, handler, finalizer }: TryStatement): SuspendExecute {
  const guarded = suspendStatement(context, block);
  const caught = handler ? suspendCatch(context, guarded, handler) : guarded;
  return finalizer ? suspendFinally(context, caught, finalizer) : caught;
}

function suspendCatch(
  context: Context,
  guarded: SuspendExecute,
  handler: NonNullable<TryStatement["handler"]>,
): SuspendExecute {
  const inner = inside(context, handler);
  const isPlain = !suspends(context, handler.param);
  const enterPlain = isPlain ? compileCatchEntry(context, handler) : null;
  const enter = scopeEntry(inner.scope);
  const store = handler.param && !isPlain ? suspendPattern(inner, handler.param, "initialize") : null;
  const body = suspendStatement(inner, handler.body);
  const { realm, meter } = context;
  return function* (frame) {
    const { depth } = meter;
    let value: unknown;
    try {
      return yield* guarded(frame);
    } catch (caught) {
      value = thrownValue(realm, caught);
      meter.depth = Math.min(depth, meter.depth);
    }
    if (enterPlain) return yield* body(enterPlain(frame, value));
    const own = enter ? enter(frame) : frame;
    if (store) yield* store(own, value);
    return yield* body(own);
  };
}

function suspendFinally(context: Context, guarded: SuspendExecute, finalizer: BlockStatement): SuspendExecute {
  const finish = suspendStatement({ ...context, onValue: null }, finalizer);
  return function* (frame) {
    let completion: Completion | undefined;
    try {
      completion = yield* guarded(frame);
    } catch (caught) {
      rethrowPastFinally(context, caught);
      const override = yield* finish(frame);
      if (override !== undefined) return override;
      throw caught;
    }
    return (yield* finish(frame)) ?? completion;
  };
}
