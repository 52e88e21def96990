// Watches for promises in conditions and comparisons. In these places, the result does not depend
// on the promise's value, and the language reports no error. So a missing `await` would not be
// noticed.

import type { AssignmentExpression, Expression, Node } from "acorn";
import { isStrictlyEqual } from "../operations/comparison.ts";
import type { NoteTest, Test } from "./condition.ts";
import { type Context, type Evaluate, positionOf, promiseWatchOf } from "./context.ts";
import { compileExpression, evaluateOf } from "./expression.ts";
import type { Operand } from "./generated/operators.gen.ts";
import { located } from "./operators.ts";
import { type Step, stepOf } from "./suspend/expression.ts";
import { unboxed } from "./unboxed.ts";

/** Describes, in a warning, a promise that was used as a condition. */
const asCondition = "was used as a condition, where every promise counts as true";

/** Compiles a condition: the test of `if` or `?:`, the left side of `&&`, or the operand of `!`. */
export function compileTest(context: Context, node: Expression): Test {
  return { evaluate: compileExpression(context, node), note: testNote(context, node) };
}

/**
 * Compiles a condition to a closure that itself reports promises to the watch. Used for the
 * conditions of loops, and of statements with a branch that may suspend. For other conditions,
 * {@link compileTest} returns the observer separately.
 */
export function compileNotingTest(context: Context, node: Expression): Evaluate {
  return noting(compileExpression(context, node), testNote(context, node));
}

/** Compiles a condition that may suspend. */
export function testStepOf(context: Context, node: Expression | null | undefined): Step {
  const step = stepOf(context, node);
  return node ? withNote(step, testNote(context, node)) : step;
}

/** Compiles the left side of `||` or `??` if the right side does not suspend. */
export function compileFallbackTest(context: Context, operator: "||" | "??", node: Expression): Test {
  const note = operator === "||" ? testNote(context, node) : null;
  return {
    evaluate: compileExpression(context, node),
    note: both(note, fallbackNote(context, operator, calledName(node))),
  };
}

/** Compiles the left side of `||` or `??` if one of the sides may suspend. */
export function fallbackStepOf(
  context: Context,
  operator: "||" | "??",
  { left, right }: { readonly left: Expression; readonly right: Expression },
): Step {
  const step = operator === "||" ? testStepOf(context, left) : stepOf(context, left);
  return withNote(step, fallbackNote(context, operator, suspectPromises(left, right)));
}

/** Returns the observer for the target of `&&=`, `||=` or `??=`; null for other operators. */
export function targetNote(context: Context, { operator, left, right }: AssignmentExpression): NoteTest | null {
  switch (operator) {
    case "&&=":
      return watched(context, left, asCondition);
    case "||=":
      return both(
        watched(context, left, asCondition),
        fallbackNote(context, "||", suspectPromises(left as Expression, right)),
      );
    case "??=":
      return fallbackNote(context, "??", suspectPromises(left as Expression, right));
    default:
      return null;
  }
}

/**
 * The promises on the left side of `||` or `??` that are probably a mistake: those that the
 * function `callName` returned, or all promises if `callName` is null. Null if no promise is a
 * mistake.
 */
type Suspect = { readonly node: Node; readonly callName: string | null } | null;

/**
 * Returns which promises on the left side of `||` or `??` are probably a mistake. If the right side
 * awaits a value, any promise is a mistake. Otherwise only a promise that a call returned is a
 * mistake, because the program may store other promises and await them later.
 */
function suspectPromises(left: Expression, right: Expression): Suspect {
  return right.type === "AwaitExpression" ? { node: left, callName: null } : calledName(left);
}

function calledName(node: Expression): Suspect {
  return node.type === "CallExpression" && node.callee.type === "Identifier"
    ? { node, callName: node.callee.name }
    : null;
}

function fallbackNote(context: Context, operator: "||" | "??", meant: Suspect): NoteTest | null {
  const { realm } = context;
  const watch = promiseWatchOf(context);
  if (!watch || !meant) return null;
  return (value) => {
    if (realm.hasPromises) watch.noteFallback(value, meant.callName, operator, positionOf(context, meant.node));
  };
}

function both(one: NoteTest | null, other: NoteTest | null): NoteTest | null {
  if (!one || !other) return one ?? other;
  return (value) => {
    one(value);
    other(value);
  };
}

function testNote(context: Context, node: Expression): NoteTest | null {
  return mayBePromise(node) ? watched(context, node, asCondition) : null;
}

function noting(test: Evaluate, note: NoteTest | null): Evaluate {
  if (!note) return test;
  return (frame) => {
    const value = test(frame);
    if (typeof value === "object" && value !== null) note(value);
    return value;
  };
}

function withNote(step: Step, note: NoteTest | null): Step {
  if (!note) return step;
  if (step.plain) return { plain: noting(step.plain, note), suspending: null };
  const { suspending } = step;
  return {
    plain: null,
    *suspending(frame) {
      const value = yield* suspending(frame);
      if (typeof value === "object" && value !== null) note(value);
      return value;
    },
  };
}

/** Returns an observer that notes promises; null if there is no watch. */
export function watched(context: Context, node: Node, what: string): NoteTest | null {
  const { realm } = context;
  const watch = promiseWatchOf(context);
  if (!watch) return null;
  return (value) => {
    if (realm.hasPromises) watch.note(value, what, positionOf(context, node));
  };
}

/** The two sides of a comparison. */
interface Sides {
  readonly left: Expression;
  readonly right: Expression;
}

/**
 * Compiles `left === right` with a watch; null if neither side can be a promise, or if there is no
 * watch.
 */
export function watchedEquality(
  context: Context,
  node: Node,
  sides: Sides,
  leftOperand: Operand,
  rightOperand: Operand,
): Evaluate | null {
  const differ = differenceOf(context, node);
  if (!differ || (!mayBePromise(sides.left) && !mayBePromise(sides.right))) return null;
  if (rightOperand.kind === "constant")
    return equalsConstant(context, sides, leftOperand, unboxed(rightOperand.constant), differ);
  if (leftOperand.kind === "slot" && rightOperand.kind === "slot")
    return slotsAreEqual(leftOperand.slot, rightOperand.slot, differ);
  const left = evaluateOf(context, sides.left, leftOperand);
  const right = evaluateOf(context, sides.right, rightOperand);
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    return isStrictlyEqual(a, b) || ((typeof a === "object" || typeof b === "object") && differ(a, b));
  };
}

function equalsConstant(
  context: Context,
  { left }: Sides,
  operand: Operand,
  constant: number,
  differ: Difference,
): Evaluate {
  if (operand.kind === "slot") {
    const { slot } = operand;
    return (frame) => {
      const a = frame[slot];
      return a === constant || (typeof a === "object" && differ(a, constant));
    };
  }
  const evaluate = evaluateOf(context, left, operand);
  return (frame) => {
    const a = evaluate(frame);
    return a === constant || (typeof a === "object" && differ(a, constant));
  };
}

function slotsAreEqual(left: number, right: number, differ: Difference): Evaluate {
  return (frame) => {
    const a = frame[left];
    const b = frame[right];
    return isStrictlyEqual(a, b) || ((typeof a === "object" || typeof b === "object") && differ(a, b));
  };
}

/** Returns the function that compares the value of a `switch` with the value of a case. */
export function watchedMatch(context: Context, node: Node): (test: unknown, value: unknown) => boolean {
  const differ = differenceOf(context, node);
  return (test, value) => isStrictlyEqual(test, value) || (differ?.(test, value) ?? false);
}

/** Called with two values that are not equal. Returns false. */
type Difference = (left: unknown, right: unknown) => boolean;

/**
 * Returns the handler for two values that are not equal; null if there is no watch. The handler
 * returns false. It notes a promise that was compared with something else, and throws if that other
 * value is primitive.
 */
function differenceOf(context: Context, node: Node): Difference | null {
  const { realm } = context;
  const watch = promiseWatchOf(context);
  if (!watch) return null;
  return (left, right) => {
    if (!realm.hasPromises) return false;
    try {
      watch.compared(left, right, () => positionOf(context, node));
      return false;
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/** Says whether the value of an expression can be a promise, judged by its syntax. */
function mayBePromise(node: Expression): boolean {
  switch (node.type) {
    case "Literal":
    case "TemplateLiteral":
    case "BinaryExpression":
    case "UnaryExpression":
    case "UpdateExpression":
    case "AwaitExpression":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ClassExpression":
    case "ArrayExpression":
    case "ObjectExpression":
      return false;
    default:
      return true;
  }
}
