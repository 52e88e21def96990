// Where a promise shows nothing of its value, and the language is silent about it: conditions and comparisons. In realms that watch promises they look.

import type { Expression, Node } from "acorn";
import { isStrictlyEqual } from "../operations/comparison.ts";
import type { PromiseWatch } from "../operations/promise-watch.ts";
import { type Context, type Evaluate, positionOf } from "./context.ts";
import { compileExpression, evaluateOf } from "./expression.ts";
import type { Operand } from "./generated/operators.gen.ts";
import { located } from "./operators.ts";
import { type Step, stepOf } from "./suspend/expression.ts";

/** What is said of a promise that decided something. */
export const asCondition = "was used as a condition, where every promise counts as true";

/** Compiles an expression that decides: the test of an `if`, a loop, `?:`, the left of `&&`, the operand of `!`. */
export function compileTest(context: Context, node: Expression): Evaluate {
  return watchedTest(context, node, compileExpression(context, node));
}

/** {@link compileTest} where the test may suspend. */
export function testStepOf(context: Context, node: Expression | null | undefined): Step {
  const step = stepOf(context, node);
  return step.plain && node ? { ...step, plain: watchedTest(context, node, step.plain) } : step;
}

function watchedTest(context: Context, node: Expression, test: Evaluate): Evaluate {
  const watch = context.realm.promiseWatch;
  if (!watch || !mayBePromise(node)) return test;
  const note = noteOf(watch, context, node, asCondition);
  return (frame) => {
    const value = test(frame);
    if (typeof value === "object" && value !== null) note(value);
    return value;
  };
}

/** Notes a value that is a promise; null where nobody watches. */
export function watched(context: Context, node: Node, what: string): ((value: unknown) => void) | null {
  const watch = context.realm.promiseWatch;
  return watch && noteOf(watch, context, node, what);
}

function noteOf(watch: PromiseWatch, context: Context, node: Node, what: string): (value: unknown) => void {
  return (value) => watch.note(value, what, positionOf(context, node));
}

/** The two sides of a comparison. */
interface Sides {
  readonly left: Expression;
  readonly right: Expression;
}

/** `left === right`; null where neither can be a promise, or nobody watches. */
export function watchedEquality(
  context: Context,
  node: Node,
  sides: Sides,
  leftOperand: Operand,
  rightOperand: Operand,
): Evaluate | null {
  const differ = differenceOf(context, node);
  if (!differ || (!mayBePromise(sides.left) && !mayBePromise(sides.right))) return null;
  const left = evaluateOf(context, sides.left, leftOperand);
  const right = evaluateOf(context, sides.right, rightOperand);
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    return isStrictlyEqual(a, b) || ((typeof a === "object" || typeof b === "object") && differ(a, b));
  };
}

/** How a `switch` compares: a case's value with its own. */
export function watchedMatch(context: Context, node: Node): (test: unknown, value: unknown) => boolean {
  const differ = differenceOf(context, node);
  return (test, value) => isStrictlyEqual(test, value) || (differ?.(test, value) ?? false);
}

/** What is done about two values that are not the same: gives false, or throws when a promise is compared with what is none. Null where nobody watches. */
function differenceOf(context: Context, node: Node): ((left: unknown, right: unknown) => boolean) | null {
  const watch = context.realm.promiseWatch;
  if (!watch) return null;
  return (left, right) => {
    try {
      watch.compared(left, right, () => positionOf(context, node));
      return false;
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/** Whether an expression can give a promise, as far as its form tells. */
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
