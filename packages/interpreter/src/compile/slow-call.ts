// Calls of everything but simple functions: built-ins, functions with defaults, patterns or rest,
// async functions, generators, and values that are not functions.

import type { CallExpression, Node } from "acorn";
import type { FunctionSlots } from "../function-object.ts";
import { type Position, throwMissing } from "../guest-throw.ts";
import { errorSlots } from "../slots/error.ts";
import { type Context, positionOf } from "./context.ts";
import { located } from "./operators.ts";

const longText = 8_192;

/** Calls what is not simple with up to three arguments; built-ins get no list of them. */
export function callOther(
  context: Context,
  node: CallExpression,
  slots: FunctionSlots | undefined,
  thisValue: unknown,
  count: number,
  first?: unknown,
  second?: unknown,
  third?: unknown,
): unknown {
  const native = slots?.code.native;
  if (!slots || !native) return callSlowly(context, node, slots, thisValue, [first, second, third].slice(0, count));
  try {
    context.meter.charge(1);
    // A text that was joined is copied by the first built-in that reads it.
    if (typeof thisValue === "string" && thisValue.length > longText) context.meter.hasten(thisValue.length / longText);
    const result = callNative(native, thisValue, count, first, second, third);
    if (slots.code.construct !== "none") markError(context, node, result);
    return result;
  } catch (caught) {
    throw located(context, caught, node);
  }
}

/** Calls whatever was found, through its `enter`; what it throws gets the call's position. */
export function callSlowly(
  context: Context,
  node: CallExpression,
  slots: FunctionSlots | undefined,
  thisValue: unknown,
  args: readonly unknown[],
): unknown {
  try {
    if (!slots) return throwMissing(`${textOf(context, node.callee)} is not a function`, () => thisValue);
    const result = slots.code.enter(slots, thisValue, args, undefined);
    if (slots.code.construct !== "none" && slots.code.native) markError(context, node, result);
    return result;
  } catch (caught) {
    throw located(context, caught, node);
  }
}

/** Says of an error that `new` has made where that was. */
export function markMadeError(object: unknown, position: Position): void {
  const slots = errorSlots(object);
  if (slots) slots.position = position;
}

/** How an expression reads in a message. */
export function textOf({ source }: Context, { start, end }: Node): string {
  const text = source.text.slice(start, end);
  return text.length <= 60 ? `"${text}"` : "the expression";
}

/**
 * Calls a built-in, which sees how many arguments it is given. `receiver`: its `this`, or its new
 * target.
 */
export function callNative<Receiver, Result>(
  native: (receiver: Receiver, ...args: unknown[]) => Result,
  receiver: Receiver,
  count: number,
  first: unknown,
  second: unknown,
  third: unknown,
): Result {
  switch (count) {
    case 0:
      return native(receiver);
    case 1:
      return native(receiver, first);
    case 2:
      return native(receiver, first, second);
    default:
      return native(receiver, first, second, third);
  }
}

/** An error made by `Error("...")` without `new`. */
function markError(context: Context, node: Node, result: unknown): void {
  const slots = errorSlots(result);
  if (slots && !slots.position) slots.position = positionOf(context, node);
}
