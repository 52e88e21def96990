// Compiles lists of statements that contain an `await` or `yield`: blocks, and the bodies of
// functions, programs and loops.

import type { ConditionalExpression, Expression, Function as FunctionNode, Statement } from "acorn";
import type { Scope } from "../../analyse/scope.ts";
import { type Completion, Return } from "../../completion.ts";
import type { Frame } from "../../frame.ts";
import { type Context, type Execute, inside, suspends } from "../context.ts";
import { compileBodyEntry } from "../function-body.ts";
import { compileHoisted } from "../hoist.ts";
import { timedSteps } from "../long-code.ts";
import { type EnterScope, scopeEntry } from "../scope-entry.ts";
import { compileStatement, hasEffect } from "../statement.ts";
import { compileNotingTest, testStepOf } from "../watched.ts";
import { type Step, type SuspendEvaluate, suspendExpression } from "./expression.ts";
import { type Pause, pauseOf, returnPause } from "./pause.ts";
import { suspendStatement } from "./statement.ts";

/** A compiled statement that may suspend. */
export type SuspendExecute = (frame: Frame) => Generator<unknown, Completion | undefined, unknown>;

/**
 * A compiled statement: `plain` if it never suspends, otherwise `suspending`. A plain one needs no
 * generator.
 */
export type Part =
  | { readonly type: "plain"; readonly run: Execute }
  | { readonly type: "suspending"; readonly run: SuspendExecute };

/** An `if` in a list. When it is reached, `choose` returns the branch to run, or null. */
interface Branch {
  readonly type: "branch";
  readonly choose: (frame: Frame) => Exclude<ListPart, Branch> | null;
}

/** An expression statement that suspends. The list runs the generator of the expression itself. */
interface Evaluation {
  readonly type: "evaluation";
  readonly run: SuspendEvaluate;
  /** Called with the value of the expression. */
  readonly finish: (value: unknown) => void;
}

/** One item of a list. */
export type ListPart = Part | Pause | Evaluation | Branch;

/** A list of statements, and the entry to its scope. */
export interface PartList {
  readonly enter: EnterScope | null;
  readonly parts: readonly ListPart[];
}

/**
 * Compiles the body of an async function or generator. Its host generator returns the body's
 * completion.
 */
export function suspendBody(context: Context, node: FunctionNode, scope: Scope): SuspendExecute {
  return timedSteps(context.meter, node, suspendWhole(context, node, scope));
}

function suspendWhole(context: Context, { body }: FunctionNode, scope: Scope): SuspendExecute {
  if (body.type !== "BlockStatement") return suspendArrowBody(context, body as Expression); // the body of an arrow function
  const prepare = compileBodyEntry(context, body.body, scope);
  const enter: EnterScope | null =
    prepare &&
    ((frame) => {
      prepare(frame);
      return frame;
    });
  return suspendStatements(context, body.body, enter);
}

function suspendArrowBody(context: Context, body: Expression): SuspendExecute {
  const pause = returnPause(context, body);
  if (pause) return suspendList({ enter: null, parts: [pause] });
  if (body.type === "ConditionalExpression") return suspendEitherBody(context, body);
  const value = suspendExpression(context, body);
  return function* (frame) {
    return new Return(yield* value(frame));
  };
}

/**
 * Compiles a body of the form `test ? a : b`. Each branch is compiled as if it were the whole body,
 * so it needs no additional generators.
 */
function suspendEitherBody(context: Context, { test, consequent, alternate }: ConditionalExpression): SuspendExecute {
  const condition = testStepOf(context, test);
  const whenTrue = suspendArrowBody(context, consequent);
  const whenFalse = suspendArrowBody(context, alternate);
  return (frame) => runEither(frame, condition, whenTrue, whenFalse);
}

function* runEither(
  frame: Frame,
  condition: Step,
  whenTrue: SuspendExecute,
  whenFalse: SuspendExecute,
): Generator<unknown, Completion | undefined, unknown> {
  const decided = condition.plain ? condition.plain(frame) : yield* condition.suspending(frame);
  return yield* decided ? whenTrue(frame) : whenFalse(frame);
}

/** Compiles a list of statements in the same scope. `enter` enters the scope, if that is needed. */
export function suspendStatements(
  context: Context,
  statements: readonly Statement[],
  enter: EnterScope | null = null,
): SuspendExecute {
  return suspendList({ enter, parts: partsOf(context, statements) });
}

/** Compiles a list from its items, some of which may suspend. */
export function suspendList(list: PartList): SuspendExecute {
  const { enter, parts } = list;
  const [first, second] = parts;
  if (!enter && first?.type === "suspending" && !second) return first.run;
  return (frame) => runList(frame, list);
}

/**
 * Runs the parts of a list in order. All lists share this one generator function, because the host
 * creates a prototype for each generator function. Creating it is slow, and the prototype retains
 * everything that the function captured.
 */
function* runList(outer: Frame, { enter, parts }: PartList): Generator<unknown, Completion | undefined, unknown> {
  const frame = enter ? enter(outer) : outer;
  for (let index = 0; index < parts.length; index++) {
    const listed = parts[index] as ListPart; // `index` is less than the length
    const part = listed.type === "branch" ? listed.choose(frame) : listed;
    if (part === null) continue;
    let completion: Completion | undefined;
    if (part.type === "pause") {
      const given = part.produce(frame);
      let resumed: unknown;
      try {
        resumed = yield given;
      } catch (caught) {
        throw part.fail(caught);
      }
      completion = part.finish(frame, resumed);
    } else if (part.type === "evaluation") part.finish(yield* part.run(frame));
    else completion = part.type === "plain" ? part.run(frame) : yield* part.run(frame);
    if (completion !== undefined) return completion;
  }
  return undefined;
}

/** Compiles a statement to a list: the statements of a block, or the statement itself. */
export function partListOf(context: Context, statement: Statement): PartList {
  if (statement.type !== "BlockStatement") return { enter: null, parts: partsOf(context, [statement]) };
  const inner = inside(context, statement);
  const parts = partsOf(inner, statement.body);
  const hoist = compileHoisted(inner, statement.body);
  const enter = scopeEntry(inner.scope);
  if (!hoist) return { enter, parts };
  return {
    enter: (frame) => {
      const own = enter ? enter(frame) : frame;
      hoist(own);
      return own;
    },
    parts,
  };
}

/** Compiles one statement of a list. */
export function partOf(context: Context, statement: Statement): Part {
  if (!suspends(context, statement)) return { type: "plain", run: compileStatement(context, statement) };
  return { type: "suspending", run: suspendStatement(context, statement) };
}

function partsOf(context: Context, statements: readonly Statement[]): readonly ListPart[] {
  return statements.filter(hasEffect).map((statement) => listPartOf(context, statement));
}

function listPartOf(context: Context, statement: Statement): ListPart {
  if (!suspends(context, statement)) return partOf(context, statement);
  return (
    pauseOf(context, statement) ??
    evaluationOf(context, statement) ??
    branchOf(context, statement) ??
    partOf(context, statement)
  );
}

function evaluationOf(context: Context, statement: Statement): Evaluation | null {
  if (statement.type !== "ExpressionStatement") return null;
  const { onValue } = context;
  const run = suspendExpression(context, statement.expression);
  return { type: "evaluation", run, finish: (value) => onValue?.(value) };
}

function branchOf(context: Context, statement: Statement): Branch | null {
  if (statement.type !== "IfStatement" || suspends(context, statement.test)) return null;
  const test = compileNotingTest(context, statement.test);
  const whenTrue = onlyPartOf(context, statement.consequent);
  const whenFalse = statement.alternate ? onlyPartOf(context, statement.alternate) : null;
  const choose: Branch["choose"] = (frame) => {
    const chosen = test(frame) ? whenTrue : whenFalse;
    return chosen?.type === "branch" ? chosen.choose(frame) : chosen;
  };
  return { type: "branch", choose };
}

/**
 * Compiles a statement to a single item. A block of one statement becomes the item of that
 * statement.
 */
function onlyPartOf(context: Context, statement: Statement): ListPart {
  if (!suspends(context, statement)) return partOf(context, statement);
  const list = partListOf(context, statement);
  const [only, second] = list.parts;
  return !list.enter && only && !second ? only : { type: "suspending", run: suspendList(list) };
}
