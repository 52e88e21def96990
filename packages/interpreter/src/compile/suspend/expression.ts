// Expressions that contain an `await` or `yield`, compiled to host generators.
//
// Most kinds of expressions need no second implementation. Their operands are evaluated in order
// into slots of the frame, up to the last one that suspends. Then the usual closure of the
// expression reads the slots. Only expressions with effects between their operands, or with
// operands that may be skipped, are implemented again here.

import type {
  AssignmentExpression,
  AwaitExpression,
  Class,
  Expression,
  Identifier,
  MemberExpression,
  YieldExpression,
} from "acorn";
import type { Frame } from "../../frame.ts";
import { toPropertyKey } from "../../operations/conversion.ts";
import type { HostGenerator } from "../../operations/generator.ts";
import { keepsOldValue } from "../assignment.ts";
import { compileInsideClass } from "../class.ts";
import { type Context, type Evaluate, inside, suspends } from "../context.ts";
import { compileExpression, compileNamed } from "../expression.ts";
import { skipped } from "../member.ts";
import { located, slowBinary } from "../operators.ts";
import { compilePlace } from "../place.ts";
import { scopeEntry } from "../scope-entry.ts";
import { fallbackStepOf, targetNote, testStepOf } from "../watched.ts";
import { suspendCall, suspendDelete, suspendMember, suspendNew, suspendTaggedTemplate } from "./call.ts";
import { suspendArray, suspendObject, suspendTemplate } from "./literal.ts";
import { evaluateIntoSlots, operandsOf, operandsOfClass, operandsOfTarget } from "./operands.ts";
import { suspendPattern } from "./pattern.ts";
import { type ExpressionPause, expressionPause } from "./pause.ts";
import { waitFor, yieldValue } from "./requests.ts";
import { delegateYield } from "./yield-delegate.ts";

/** A compiled expression that may suspend. */
export type SuspendEvaluate = (frame: Frame) => HostGenerator;

/** Compiles an expression that may suspend. */
export function suspendExpression(context: Context, node: Expression): SuspendEvaluate {
  if (!suspends(context, node)) return withoutSuspending(compileExpression(context, node));
  const pause = expressionPause(context, node);
  if (pause) return (frame) => runPause(frame, pause);
  switch (node.type) {
    case "AwaitExpression":
      return suspendAwait(context, node);
    case "YieldExpression":
      return suspendYield(context, node);
    case "ConditionalExpression":
      return suspendConditional(context, node.test, node.consequent, node.alternate);
    case "LogicalExpression":
      return suspendLogical(context, node.left, node.right, node.operator);
    case "SequenceExpression":
      return suspendSequence(context, node.expressions);
    case "AssignmentExpression":
      return suspendAssignment(context, node);
    case "MemberExpression":
      return suspendMember(context, node);
    case "CallExpression":
      return node.callee.type === "Super" ? suspendByOperands(context, node) : suspendCall(context, node);
    case "NewExpression":
      return suspendNew(context, node);
    case "ChainExpression":
      return endOfChain(suspendExpression(context, node.expression));
    case "ParenthesizedExpression":
      return suspendExpression(context, node.expression);
    case "ArrayExpression":
      return suspendArray(context, node);
    case "ObjectExpression":
      return suspendObject(context, node);
    case "TemplateLiteral":
      return suspendTemplate(context, node);
    case "TaggedTemplateExpression":
      return suspendTaggedTemplate(context, node);
    case "ClassExpression":
      return suspendClass(context, node);
    case "UnaryExpression":
      return node.operator === "delete" ? suspendDelete(context, node) : suspendByOperands(context, node);
    default:
      return suspendByOperands(context, node);
  }
}

/**
 * All expressions that suspend at exactly one point share one generator function. `runList`
 * explains why.
 */
function* runPause(frame: Frame, { produce, finish, fail }: ExpressionPause): HostGenerator {
  const given = produce(frame);
  let resumed: unknown;
  try {
    resumed = yield given;
  } catch (caught) {
    throw fail(caught);
  }
  return finish(frame, resumed);
}

/**
 * Compiles a class that suspends in its `extends` clause or in a computed key. `name` is the name
 * for an anonymous class.
 */
export function suspendClass(context: Context, node: Class, name: string | null = null): SuspendEvaluate {
  const inner = inside(context, node);
  const { steps, after } = evaluateFirst(inner, operandsOfClass(node), (operand, value) =>
    operand === node.superClass ? value : toPropertyKey(value),
  );
  const enter = scopeEntry(inner.scope);
  const finish = compileInsideClass(after, node, name);
  return (frame) => runSteps(enter ? enter(frame) : frame, steps, finish);
}

/** Converts a plain expression to an expression that may suspend. */
export function withoutSuspending(evaluate: Evaluate): SuspendEvaluate {
  return (frame) => runPlain(frame, evaluate);
}

// biome-ignore lint/correctness/useYield: callers expect a generator
function* runPlain(frame: Frame, evaluate: Evaluate): HostGenerator {
  return evaluate(frame);
}

/**
 * A compiled expression: `plain` if it never suspends, otherwise `suspending`. A plain one needs no
 * generator.
 */
export type Step =
  | { readonly plain: Evaluate; readonly suspending: null }
  | { readonly plain: null; readonly suspending: SuspendEvaluate };

/** Compiles an expression to a {@link Step}. If there is no expression, the value is undefined. */
export function stepOf(context: Context, node: Expression | null | undefined, name: string | null = null): Step {
  if (!node) return { plain: () => undefined, suspending: null };
  if (suspends(context, node)) {
    const suspending = name === null ? suspendExpression(context, node) : suspendNamed(context, node, name);
    return { plain: null, suspending };
  }
  return {
    plain: name === null ? compileExpression(context, node) : compileNamed(context, node, name),
    suspending: null,
  };
}

function suspendAwait(context: Context, node: AwaitExpression): SuspendEvaluate {
  const value = suspendExpression(context, node.argument);
  return function* (frame) {
    const awaited = yield* value(frame);
    try {
      return yield* waitFor(context, awaited);
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

function suspendYield(context: Context, { argument, delegate }: YieldExpression): SuspendEvaluate {
  if (delegate) return suspendDelegate(context, stepOf(context, argument));
  const value = argument ? suspendExpression(context, argument) : withoutSuspending(() => undefined);
  return function* (frame) {
    const yielded = yield* value(frame);
    return yield* yieldValue(context, yielded);
  };
}

function suspendDelegate(context: Context, value: Step): SuspendEvaluate {
  const { plain, suspending } = value;
  if (plain) return (frame) => delegateYield(context, plain(frame));
  return function* (frame) {
    return yield* delegateYield(context, yield* suspending(frame));
  };
}

function suspendConditional(
  context: Context,
  test: Expression,
  consequent: Expression,
  alternate: Expression,
): SuspendEvaluate {
  const condition = testStepOf(context, test);
  const whenTrue = stepOf(context, consequent);
  const whenFalse = stepOf(context, alternate);
  return (frame) => runConditional(frame, condition, whenTrue, whenFalse);
}

function* runConditional(frame: Frame, condition: Step, whenTrue: Step, whenFalse: Step): HostGenerator {
  const decided = condition.plain ? condition.plain(frame) : yield* condition.suspending(frame);
  const chosen = decided ? whenTrue : whenFalse;
  return chosen.plain ? chosen.plain(frame) : yield* chosen.suspending(frame);
}

function suspendLogical(
  context: Context,
  left: Expression,
  right: Expression,
  operator: "&&" | "||" | "??",
): SuspendEvaluate {
  const first = operator === "&&" ? testStepOf(context, left) : fallbackStepOf(context, operator, { left, right });
  const second = stepOf(context, right);
  const stays = keepsOldValue(`${operator}=`);
  return function* (frame) {
    const value = first.plain ? first.plain(frame) : yield* first.suspending(frame);
    if (stays(value)) return value;
    return second.plain ? second.plain(frame) : yield* second.suspending(frame);
  };
}

function suspendSequence(context: Context, expressions: readonly Expression[]): SuspendEvaluate {
  const parts = expressions.map((expression) => suspendExpression(context, expression));
  return function* (frame) {
    let value: unknown;
    for (const part of parts) value = yield* part(frame);
    return value;
  };
}

function suspendAssignment(context: Context, node: AssignmentExpression): SuspendEvaluate {
  const { left, right, operator } = node;
  if (operator !== "=") return suspendCompoundAssignment(context, node);
  if (left.type !== "ObjectPattern" && left.type !== "ArrayPattern") return suspendByOperands(context, node);
  const value = suspendExpression(context, right);
  const assign = suspendPattern(context, left, "assign");
  return function* (frame) {
    const assigned = yield* value(frame);
    yield* assign(frame, assigned);
    return assigned;
  };
}

/** Compiles a compound assignment. The target is read before the right side is evaluated. */
function suspendCompoundAssignment(context: Context, node: AssignmentExpression): SuspendEvaluate {
  const { left, right, operator } = node;
  const { steps, after } = evaluateFirst(context, operandsOfTarget(left as Identifier | MemberExpression)); // the target is not a pattern here
  const place = compilePlace(after, left as Identifier | MemberExpression);
  const isLogical = operator === "&&=" || operator === "||=" || operator === "??=";
  const value =
    isLogical && left.type === "Identifier"
      ? suspendNamed(context, right, left.name)
      : suspendExpression(context, right);
  const stays = isLogical ? keepsOldValue(operator) : () => false;
  const note = targetNote(context, node);
  const combine = isLogical
    ? (_before: unknown, given: unknown) => given
    : slowBinary(context, operator.slice(0, -1), node);
  return function* (frame) {
    yield* steps(frame);
    const locatedPlace = place.locate(frame);
    const before = place.read(frame, locatedPlace);
    if (note && typeof before === "object" && before !== null) note(before);
    if (stays(before)) return before;
    const result = combine(before, yield* value(frame));
    place.write(frame, locatedPlace, result);
    return result;
  };
}

function endOfChain(value: SuspendEvaluate): SuspendEvaluate {
  return function* (frame) {
    const result = yield* value(frame);
    return result === skipped ? undefined : result;
  };
}

/** Compiles an expression: first the operands that suspend, then the expression itself as usual. */
export function suspendByOperands(context: Context, node: Expression): SuspendEvaluate {
  const { steps, after } = evaluateFirst(context, operandsOf(node));
  const finish = compileExpression(after, node);
  return (frame) => runSteps(frame, steps, finish);
}

function* runSteps(frame: Frame, steps: Steps, finish: Evaluate): HostGenerator {
  yield* steps(frame);
  return finish(frame);
}

/** Work that must be done before a plain closure can run. */
export type Steps = (frame: Frame) => Generator<unknown, void, unknown>;

/**
 * Compiles the evaluation of operands into slots, in order, up to the last one that suspends.
 * `after` is the context for code that reads them from the slots. `convert` is called with each
 * value before it is stored.
 */
export function evaluateFirst(
  context: Context,
  operands: readonly Expression[],
  convert: (operand: Expression, value: unknown) => unknown = (_operand, value) => value,
): { steps: Steps; after: Context } {
  const last = operands.findLastIndex((operand) => suspends(context, operand));
  const { steps, after } = evaluateIntoSlots(context, operands.slice(0, last + 1));
  const values = steps.map(({ operand, slot }) => ({ operand, slot, value: suspendExpression(context, operand) }));
  return { after, steps: (frame) => fillSlots(frame, values, convert) };
}

interface SlotStep {
  readonly operand: Expression;
  readonly slot: number;
  readonly value: SuspendEvaluate;
}

function* fillSlots(
  frame: Frame,
  values: readonly SlotStep[],
  convert: (operand: Expression, value: unknown) => unknown,
): Generator<unknown, void, unknown> {
  for (const { operand, slot, value } of values) frame[slot] = convert(operand, yield* value(frame));
}

/**
 * Compiles an expression that may suspend. If it is an anonymous function or class, it gets this
 * name.
 */
export function suspendNamed(context: Context, node: Expression, name: string): SuspendEvaluate {
  if (!suspends(context, node)) return withoutSuspending(compileNamed(context, node, name));
  return node.type === "ClassExpression" ? suspendClass(context, node, name) : suspendExpression(context, node);
}
