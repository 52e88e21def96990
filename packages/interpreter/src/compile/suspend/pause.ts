// Statements and expressions that suspend at one place: `const x = await y`, `sum += await y`,
// `return f(await y)`, `yield y`. They are what most suspending code consists of. A statement needs
// no generator of its own: the list around it yields for it. An expression needs one. Values
// computed before the `await` go into slots of the frame, as in expression.ts.

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

/** Such a statement. */
export interface Pause {
  readonly type: "pause";
  /** The value that the host generator yields. */
  readonly give: Evaluate;
  /** The rest of the statement, with the value that the host generator is resumed with. */
  readonly finish: (frame: Frame, value: unknown) => Completion | undefined;
  /** The value to throw when the body is resumed with a throw. */
  readonly fail: (caught: unknown) => unknown;
}

/** The statement as a pause; null when it is none. */
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

/** `return` of an expression, or an arrow function's body, as a pause; null when it is none. */
export function returnPause(context: Context, expression: Expression): Pause | null {
  const pause = expressionPause(context, expression);
  return pause && { ...pause, type: "pause", finish: (frame, value) => new Return(pause.finish(frame, value)) };
}

/** An expression that suspends at one place; `finish` returns its value. */
export interface ExpressionPause<Value = unknown> {
  readonly give: Evaluate;
  readonly finish: (frame: Frame, value: unknown) => Value;
  readonly fail: (caught: unknown) => unknown;
}

function statementPause(pause: ExpressionPause | null, store: (frame: Frame, value: unknown) => void): Pause | null {
  if (!pause) return null;
  const { give, finish, fail } = pause;
  return {
    type: "pause",
    give,
    finish(frame, value) {
      store(frame, finish(frame, value));
      return undefined;
    },
    fail,
  };
}

/** The expression as a pause; null when it is none. */
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
  const give = compileExpression(context, node.argument);
  return { give, finish: (_frame, value) => value, fail: (caught) => located(context, caught, node) };
}

/** Whether all that an expression does after its operands is one plain closure. */
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
 * The one operand that suspends is a pause itself; those before it are evaluated into slots, and it
 * is as well.
 */
function operandPause(context: Context, node: Expression, operands: readonly Expression[]): ExpressionPause | null {
  const pause = pauseAmong(context, operands);
  if (!pause) return null;
  const { give, keep, fail, after } = pause;
  const rest = compileExpression(after, node);
  return {
    give,
    finish(frame, value) {
      keep(frame, value);
      return rest(frame);
    },
    fail,
  };
}

/**
 * A call of which one argument suspends, or the object whose method is called. What is called is
 * read before the arguments.
 */
function callPause(context: Context, node: CallExpression): ExpressionPause | null {
  const { callee } = node;
  if (callee.type === "Super" || mayBeSkipped(node)) return null;
  if (callee.type === "MemberExpression" && callee.object.type !== "Super" && suspends(context, callee.object)) {
    const others = [callee.property, ...node.arguments];
    return others.some((other) => suspends(context, other)) ? null : operandPause(context, node, [callee.object]);
  }
  if (suspends(context, callee) || node.arguments.some(({ type }) => type === "SpreadElement")) return null;
  const operands = node.arguments as readonly Expression[]; // no spreads here
  const pause = pauseAmong(context, operands);
  if (!pause) return null;
  const readCallee = generalCallee(context, callee);
  const calleeSlot = context.scope.newTemporary();
  const thisSlot = context.scope.newTemporary();
  const list = compileArguments(pause.after, operands);
  return {
    give(frame) {
      const receiver: Receiver = { thisValue: undefined };
      frame[calleeSlot] = readCallee(frame, receiver);
      frame[thisSlot] = receiver.thisValue;
      return pause.give(frame);
    },
    finish(frame, value) {
      pause.keep(frame, value);
      return callSlowly(context, node, functionSlots(frame[calleeSlot]), frame[thisSlot], list(frame));
    },
    fail: pause.fail,
  };
}

/** Operands of which one suspends, at one place. */
export interface OperandsPause {
  /** Evaluates those before it into slots. */
  readonly give: Evaluate;
  /** Keeps its own value in a slot. */
  readonly keep: (frame: Frame, value: unknown) => void;
  readonly fail: ExpressionPause["fail"];
  /** The context in which they are read from their slots. */
  readonly after: Context;
}

/**
 * The operands as a pause; null when none of them suspends, more than one, or one at more than one
 * place.
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
  const give: Evaluate = (frame) => {
    for (let index = 0; index < before.length; index++) {
      const step = before[index] as (typeof before)[number]; // the index is below the length
      frame[step.slot] = step.value(frame);
    }
    return inner.give(frame);
  };
  return {
    give: before.length === 0 ? inner.give : give,
    keep(frame, value) {
      frame[slot] = inner.finish(frame, value);
    },
    fail: inner.fail,
    after,
  };
}

/** `name += await y`: the variable is read before. */
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
    give(frame) {
      frame[slot] = read(frame);
      return inner.give(frame);
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
  const give: Evaluate = node.argument ? compileExpression(context, node.argument) : () => undefined;
  return { give, finish: (_frame, value) => value, fail: (caught) => caught };
}
