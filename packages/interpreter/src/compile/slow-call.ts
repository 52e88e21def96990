// Calls of functions that are not simple: built-ins, async functions, generators, and functions
// with defaults, patterns or rest. Throws if the value is not a function.

import type { CallExpression, Node } from "acorn";
import type { FunctionSlots } from "../function-object.ts";
import { type Position, throwMissing } from "../guest-throw.ts";
import { errorSlots } from "../slots/error.ts";
import { type Context, positionOf } from "./context.ts";
import { located } from "./operators.ts";

const longText = 8_192;

/**
 * Calls a function that is not simple, with up to three arguments. Built-ins get the arguments
 * without a list.
 */
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
    // The first built-in that reads a long concatenated string makes the host copy the string. This
    // takes time, so the clock is checked earlier than usual.
    if (typeof thisValue === "string" && thisValue.length > longText)
      context.meter.checkClockSooner(thisValue.length / longText);
    const result = callNative(native, thisValue, count, first, second, third);
    if (slots.code.construct !== "none") markError(context, node, result);
    return result;
  } catch (caught) {
    throw located(context, caught, node);
  }
}

/** Calls any value, through the `enter` of its code. Exceptions get the position of the call. */
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

/** Records the position of a `new` in the error object that it created. */
export function markMadeError(object: unknown, position: Position): void {
  const slots = errorSlots(object);
  if (slots) slots.position = position;
}

/** Returns the source text of an expression, for a message. */
export function textOf({ source }: Context, { start, end }: Node): string {
  const text = source.text.slice(start, end);
  return text.length <= 60 ? `"${text}"` : "the expression";
}

/**
 * Calls a built-in with exactly `count` arguments, because a built-in can see how many arguments it
 * gets. `receiver` is `this`, or `new.target`.
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

/** Records the position of a call such as `Error("...")` in the error object that it created. */
function markError(context: Context, node: Node, result: unknown): void {
  const slots = errorSlots(result);
  if (slots && !slots.position) slots.position = positionOf(context, node);
}
