// Pauses: statements and expressions that suspend at exactly one point. Examples are
// `const x = await y`, `sum += await y`, `return f(await y)` and `yield y`. Most suspending code
// consists of pauses.
//
// A pause that is a statement needs no generator, because the list that contains the statement
// yields for it. A pause that is an expression needs a generator. Values that are computed before
// the `await` are stored in slots of the frame, as in expression.ts.

import type {
  AssignmentExpression,
  AwaitExpression,
  CallExpression,
  Expression,
  Statement,
  YieldExpression,
} from "acorn";
import { type Completion, Return } from "../../completion.ts";
import type { Frame } from "../../frame.ts";
import { functionSlots } from "../../function-object.ts";
import { compileArguments } from "../arguments.ts";
import { generalCallee, type Receiver } from "../callee.ts";
import { type Context, type Evaluate, suspends } from "../context.ts";
import { compileExpression } from "../expression.ts";
import { specialOperation } from "../generated/operators.gen.ts";
import { mayBeSkipped } from "../member.ts";
import { located, slowBinary } from "../operators.ts";
import { initializePattern } from "../pattern.ts";
import { callSlowly } from "../slow-call.ts";
import { assignIdentifier, readIdentifier } from "../variable.ts";
import { arrayPause, objectPause, templatePause } from "./literal-pause.ts";
import { evaluateIntoSlots, operandsOf } from "./operands.ts";

/** A statement that suspends at exactly one point. */
export interface Pause {
  readonly type: "pause";
  /** Computes the value that the host generator yields. */
  readonly produce: Evaluate;
  /**
   * Runs the rest of the statement. `value` is the value with which the host generator was resumed.
   */
  readonly finish: (frame: Frame, value: unknown) => Completion | undefined;
  /** Returns the exception to throw if the generator is resumed with an exception. */
  readonly fail: (caught: unknown) => unknown;
}

/** Returns the {@link Pause} for a statement; null if it does not suspend at exactly one point. */
export function pauseOf(context: Context, statement: Statement): Pause | null {
  switch (statement.type) {
    case "VariableDeclaration": {
      const [declarator, more] = statement.declarations;
      if (!declarator?.init || more || suspends(context, declarator.id)) return null;
      const store = initializePattern(context, declarator.id);
      return statementPause(expressionPause(context, declarator.init), store);
    }
    case "ReturnStatement": {
      return statement.argument ? returnPause(context, statement.argument) : null;
    }
    case "ExpressionStatement": {
      const { onValue } = context;
      const store = (_frame: Frame, value: unknown): void => onValue?.(value);
      return statementPause(expressionPause(context, statement.expression), store);
    }
    default:
      return null;
  }
}

/**
 * Returns the {@link Pause} for a `return` of an expression, or for the body of an arrow function;
 * null if the expression does not suspend at exactly one point.
 */
export function returnPause(context: Context, expression: Expression): Pause | null {
  const pause = expressionPause(context, expression);
  return pause && { ...pause, type: "pause", finish: (frame, value) => new Return(pause.finish(frame, value)) };
}

/** An expression that suspends at exactly one point. `finish` returns its value. */
export interface ExpressionPause<Value = unknown> {
  readonly produce: Evaluate;
  readonly finish: (frame: Frame, value: unknown) => Value;
  readonly fail: (caught: unknown) => unknown;
}

function statementPause(pause: ExpressionPause | null, store: (frame: Frame, value: unknown) => void): Pause | null {
  if (!pause) return null;
  const { produce, finish, fail } = pause;
  return {
    type: "pause",
    produce,
    finish(frame, value) {
      store(frame, finish(frame, value));
      return undefined;
    },
    fail,
  };
}

/**
 * Returns the {@link ExpressionPause} for an expression; null if it does not suspend at exactly one
 * point.
 */
export function expressionPause(context: Context, node: Expression): ExpressionPause | null {
  if (context.functionKind === "async-generator" || !suspends(context, node)) return null;
  switch (node.type) {
    case "AwaitExpression":
      return awaitPause(context, node);
    case "YieldExpression":
      return yieldPause(context, node);
    case "ParenthesizedExpression":
      return expressionPause(context, node.expression);
    case "CallExpression":
      return callPause(context, node);
    case "ArrayExpression":
      return arrayPause(context, node);
    case "ObjectExpression":
      return objectPause(context, node);
    case "TemplateLiteral":
      return templatePause(context, node);
    default:
      if (node.type === "AssignmentExpression" && node.operator !== "=") return compoundPause(context, node);
      return isFinishedByOperands(node) ? operandPause(context, node, operandsOf(node)) : null;
  }
}

function awaitPause(context: Context, node: AwaitExpression): ExpressionPause | null {
  if (suspends(context, node.argument)) return null;
  const produce = compileExpression(context, node.argument);
  return { produce, finish: (_frame, value) => value, fail: (caught) => located(context, caught, node) };
}

/**
 * Says whether an expression needs only one plain closure after its operands have been evaluated.
 */
function isFinishedByOperands(node: Expression): boolean {
  switch (node.type) {
    case "BinaryExpression":
      return true;
    case "UnaryExpression":
      return node.operator !== "delete";
    case "AssignmentExpression":
      return node.left.type === "Identifier" || node.left.type === "MemberExpression";
    case "MemberExpression":
      return !mayBeSkipped(node) && node.property.type !== "PrivateIdentifier" && node.object.type !== "Super";
    default:
      return false;
  }
}

/**
 * Returns the {@link ExpressionPause} for an expression, based on the pause of its suspending
 * operand. The values of this operand and of the operands before it are stored in slots.
 */
function operandPause(context: Context, node: Expression, operands: readonly Expression[]): ExpressionPause | null {
  const pause = pauseAmong(context, operands);
  if (!pause) return null;
  const { produce, keep, fail, after } = pause;
  const rest = compileExpression(after, node);
  return {
    produce,
    finish(frame, value) {
      keep(frame, value);
      return rest(frame);
    },
    fail,
  };
}

/**
 * Returns the {@link ExpressionPause} for a call in which one argument, or the object of the
 * method, suspends. The function is read before the arguments.
 */
function callPause(context: Context, node: CallExpression): ExpressionPause | null {
  const { callee } = node;
  if (callee.type === "Super" || mayBeSkipped(node)) return null;
  if (callee.type === "MemberExpression" && callee.object.type !== "Super" && suspends(context, callee.object)) {
    const others = [callee.property, ...node.arguments];
    return others.some((other) => suspends(context, other)) ? null : operandPause(context, node, [callee.object]);
  }
  if (suspends(context, callee) || node.arguments.some(({ type }) => type === "SpreadElement")) return null;
  const operands = node.arguments as readonly Expression[]; // the arguments contain no spread
  const pause = pauseAmong(context, operands);
  if (!pause) return null;
  const readCallee = generalCallee(context, callee);
  const calleeSlot = context.scope.newTemporary();
  const thisSlot = context.scope.newTemporary();
  const list = compileArguments(pause.after, operands);
  return {
    produce(frame) {
      const receiver: Receiver = { thisValue: undefined };
      frame[calleeSlot] = readCallee(frame, receiver);
      frame[thisSlot] = receiver.thisValue;
      return pause.produce(frame);
    },
    finish(frame, value) {
      pause.keep(frame, value);
      return callSlowly(context, node, functionSlots(frame[calleeSlot]), frame[thisSlot], list(frame));
    },
    fail: pause.fail,
  };
}

/** A list of operands. Exactly one of them suspends, at exactly one point. */
export interface OperandsPause {
  /**
   * Evaluates the operands before the suspending one into slots, then returns the value to yield.
   */
  readonly produce: Evaluate;
  /** Stores the value of the suspending operand in a slot. */
  readonly keep: (frame: Frame, value: unknown) => void;
  readonly fail: ExpressionPause["fail"];
  /** The context in which code reads the operands from their slots. */
  readonly after: Context;
}

/**
 * Returns the {@link OperandsPause} for operands that together suspend at exactly one point.
 * Returns null for all other operands.
 */
export function pauseAmong(context: Context, operands: readonly Expression[]): OperandsPause | null {
  const suspending = operands.filter((operand) => suspends(context, operand));
  const [only] = suspending;
  const inner = only && suspending.length === 1 ? expressionPause(context, only) : null;
  if (!only || !inner) return null;
  const { steps, slotOf, after } = evaluateIntoSlots(context, operands.slice(0, operands.indexOf(only) + 1));
  const before = steps
    .filter(({ operand }) => operand !== only)
    .map(({ operand, slot }) => ({ slot, value: compileExpression(context, operand) }));
  const slot = slotOf(only);
  const produce: Evaluate = (frame) => {
    for (let index = 0; index < before.length; index++) {
      const step = before[index] as (typeof before)[number]; // `index` is less than the length
      frame[step.slot] = step.value(frame);
    }
    return inner.produce(frame);
  };
  return {
    produce: before.length === 0 ? inner.produce : produce,
    keep(frame, value) {
      frame[slot] = inner.finish(frame, value);
    },
    fail: inner.fail,
    after,
  };
}

/**
 * Returns the {@link ExpressionPause} for `name += await y`. The variable is read before the
 * `await`.
 */
function compoundPause(context: Context, node: AssignmentExpression): ExpressionPause | null {
  const { left, right, operator } = node;
  if (left.type !== "Identifier" || operator === "&&=" || operator === "||=" || operator === "??=") return null;
  const inner = expressionPause(context, right);
  if (!inner) return null;
  const read = readIdentifier(context, left);
  const write = assignIdentifier(context, left);
  const combine = specialOperation(operator.slice(0, -1), slowBinary(context, operator.slice(0, -1), node));
  const slot = context.scope.newTemporary();
  return {
    produce(frame) {
      frame[slot] = read(frame);
      return inner.produce(frame);
    },
    finish(frame, value) {
      const result = combine(frame[slot], inner.finish(frame, value));
      write(frame, result);
      return result;
    },
    fail: inner.fail,
  };
}

function yieldPause(context: Context, node: YieldExpression): ExpressionPause | null {
  if (node.delegate || suspends(context, node.argument)) return null;
  const produce: Evaluate = node.argument ? compileExpression(context, node.argument) : () => undefined;
  return { produce, finish: (_frame, value) => value, fail: (caught) => caught };
}
