// Calls with up to three arguments and without spreads. If a call of a function needs only a frame,
// the arguments are stored in the frame without creating a list of them. Other functions are called
// by slow-call.ts.

import type { CallExpression } from "acorn";
import { calleeSlots, type FunctionSlots } from "../function-object.ts";
import type { Meter } from "../limits.ts";
import { enterSimple } from "../operations/call.ts";
import type { Context, Evaluate, ReadMethod } from "./context.ts";
import { callOther } from "./slow-call.ts";

/** Compiles a call of a function with up to three arguments and without spreads. */
export function plainFunctionCall(
  context: Context,
  node: CallExpression,
  callee: Evaluate,
  args: readonly Evaluate[],
): Evaluate {
  const { meter } = context;
  const [first, second, third] = args as [Evaluate, Evaluate, Evaluate]; // an argument is used only if it exists
  switch (args.length) {
    case 0:
      return (frame) => {
        const slots = calleeSlots(callee(frame));
        if (!slots?.code.simple) return callOther(context, node, slots, undefined, 0);
        const result = slots.code.run(enterSimple(meter, slots, undefined));
        meter.depth--;
        return result;
      };
    case 1:
      return (frame) => {
        const slots = calleeSlots(callee(frame));
        const a = first(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, undefined, 1, a);
        return runWith1(meter, slots, undefined, a);
      };
    case 2:
      return (frame) => {
        const slots = calleeSlots(callee(frame));
        const a = first(frame);
        const b = second(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, undefined, 2, a, b);
        return runWith2(meter, slots, undefined, a, b);
      };
    default:
      return (frame) => {
        const slots = calleeSlots(callee(frame));
        const a = first(frame);
        const b = second(frame);
        const c = third(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, undefined, 3, a, b, c);
        return runWith3(meter, slots, undefined, a, b, c);
      };
  }
}

/** Compiles a call of a method with up to three arguments and without spreads. */
export function plainMethodCall(
  context: Context,
  node: CallExpression,
  object: Evaluate,
  method: ReadMethod,
  args: readonly Evaluate[],
): Evaluate {
  const { meter } = context;
  const [first, second, third] = args as [Evaluate, Evaluate, Evaluate]; // an argument is used only if it exists
  switch (args.length) {
    case 0:
      return (frame) => {
        const base = object(frame);
        const slots = calleeSlots(method(frame, base));
        if (!slots?.code.simple) return callOther(context, node, slots, base, 0);
        const result = slots.code.run(enterSimple(meter, slots, base));
        meter.depth--;
        return result;
      };
    case 1:
      return (frame) => {
        const base = object(frame);
        const slots = calleeSlots(method(frame, base));
        const a = first(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, base, 1, a);
        return runWith1(meter, slots, base, a);
      };
    case 2:
      return (frame) => {
        const base = object(frame);
        const slots = calleeSlots(method(frame, base));
        const a = first(frame);
        const b = second(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, base, 2, a, b);
        return runWith2(meter, slots, base, a, b);
      };
    default:
      return (frame) => {
        const base = object(frame);
        const slots = calleeSlots(method(frame, base));
        const a = first(frame);
        const b = second(frame);
        const c = third(frame);
        if (!slots?.code.simple) return callOther(context, node, slots, base, 3, a, b, c);
        return runWith3(meter, slots, base, a, b, c);
      };
  }
}

function runWith1(meter: Meter, slots: FunctionSlots, thisValue: unknown, a: unknown): unknown {
  const { code } = slots;
  const inner = enterSimple(meter, slots, thisValue);
  if (code.parameterCount > 0) inner[1] = a;
  const result = code.run(inner);
  meter.depth--;
  return result;
}

function runWith2(meter: Meter, slots: FunctionSlots, thisValue: unknown, a: unknown, b: unknown): unknown {
  const { code } = slots;
  const inner = enterSimple(meter, slots, thisValue);
  if (code.parameterCount > 0) inner[1] = a;
  if (code.parameterCount > 1) inner[2] = b;
  const result = code.run(inner);
  meter.depth--;
  return result;
}

function runWith3(meter: Meter, slots: FunctionSlots, thisValue: unknown, a: unknown, b: unknown, c: unknown): unknown {
  const { code } = slots;
  const inner = enterSimple(meter, slots, thisValue);
  if (code.parameterCount > 0) inner[1] = a;
  if (code.parameterCount > 1) inner[2] = b;
  if (code.parameterCount > 2) inner[3] = c;
  const result = code.run(inner);
  meter.depth--;
  return result;
}
