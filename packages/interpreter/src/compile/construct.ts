// Compiles `new`.

import type { Expression, NewExpression } from "acorn";
import { calleeSlots, type NativeConstruct } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { construct3 } from "../operations/call.ts";
import { compileArguments, hasFewArguments } from "./arguments.ts";
import { type Context, type Evaluate, positionOf } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { located } from "./operators.ts";
import { callNative, markMadeError, textOf } from "./slow-call.ts";

/** Compiles `new`. */
export function compileNew(context: Context, node: NewExpression): Evaluate {
  if (!hasFewArguments(node)) return generalNew(context, node);
  const { realm } = context;
  const callee = compileExpression(context, node.callee);
  const [first, second, third] = node.arguments.map((argument) => compileExpression(context, argument as Expression)); // the arguments contain no spread
  const count = node.arguments.length;
  const position = positionOf(context, node);
  return (frame) => {
    const target = callee(frame);
    const a = first?.(frame);
    const b = second?.(frame);
    const c = third?.(frame);
    const slots = calleeSlots(target);
    if (!slots?.code.simpleConstruct) {
      const native = slots?.code.nativeConstruct;
      if (!native) return constructSlowly(context, node, target, [a, b, c].slice(0, count));
      return constructNatively(context, node, native, target as GuestObject, count, a, b, c); // `target` has slots, so it is an object
    }
    try {
      const object = construct3(realm, slots, slots, count, a, b, c);
      if (slots.code.construct === "derived") markMadeError(object, position);
      return object;
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/**
 * Calls a built-in constructor without creating a list of the arguments. Passes exactly `count`
 * arguments, because a built-in can see how many it gets.
 */
function constructNatively(
  context: Context,
  node: NewExpression,
  native: NativeConstruct,
  target: GuestObject,
  count: number,
  first: unknown,
  second: unknown,
  third: unknown,
): GuestObject {
  try {
    context.meter.charge(2);
    const object = callNative(native, target, count, first, second, third);
    markMadeError(object, positionOf(context, node));
    return object;
  } catch (caught) {
    throw located(context, caught, node);
  }
}

function generalNew(context: Context, node: NewExpression): Evaluate {
  const callee = compileExpression(context, node.callee);
  const args = compileArguments(context, node.arguments);
  return (frame) => {
    const target = callee(frame);
    return constructSlowly(context, node, target, args(frame));
  };
}

function constructSlowly(context: Context, node: NewExpression, target: unknown, args: readonly unknown[]): unknown {
  try {
    const slots = calleeSlots(target);
    if (!slots || slots.code.construct === "none")
      return throwTypeError(`${textOf(context, node.callee)} is not a constructor`);
    const { code } = slots;
    const object = code.enter(slots, undefined, args, target as GuestObject); // `target` has slots, so it is an object
    // Only built-in constructors and classes derived from them can create error objects.
    if (code.nativeConstruct || code.construct === "derived") markMadeError(object, positionOf(context, node));
    return object;
  } catch (caught) {
    throw located(context, caught, node);
  }
}
