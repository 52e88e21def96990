// Compiles calls. Calls with up to three arguments and without spreads are compiled by
// plain-call.ts, all others by `generalCall`.

import type { CallExpression, Expression, MemberExpression } from "acorn";
import { calleeSlots } from "../function-object.ts";
import { compileArguments, hasFewArguments } from "./arguments.ts";
import { compileCallee, compileMethodRead, generalCallee, type Receiver } from "./callee.ts";
import type { Context, Evaluate } from "./context.ts";
import { compileExpression } from "./expression.ts";
import { mayBeSkipped, skipped } from "./member.ts";
import { plainFunctionCall, plainMethodCall } from "./plain-call.ts";
import { compileArgument } from "./printed-argument.ts";
import { callSlowly } from "./slow-call.ts";
import { compileSuperCall } from "./super-call.ts";
import { compileThisValue } from "./this-value.ts";

/** Compiles a call. */
export function compileCall(context: Context, node: CallExpression): Evaluate {
  const { callee, optional } = node;
  if (callee.type === "Super") return compileSuperCall(context, node, callee);
  if (optional || !hasFewArguments(node) || !isPlainCallee(callee)) return generalCall(context, node);
  return callee.type === "MemberExpression"
    ? methodCall(context, node, callee)
    : plainFunctionCall(
        context,
        node,
        compileCallee(context, callee),
        node.arguments.map((argument) => compileArgument(context, node, argument as Expression)), // here and below, the arguments contain no spread
      );
}

function isPlainCallee(callee: Expression): boolean {
  if (callee.type !== "MemberExpression") return callee.type !== "ChainExpression" && !mayBeSkipped(callee);
  const { object, optional } = callee;
  return !optional && !mayBeSkipped(object);
}

function methodCall(context: Context, node: CallExpression, callee: MemberExpression): Evaluate {
  const args = node.arguments.map((argument) => compileArgument(context, node, argument as Expression));
  const { object } = callee;
  const base = object.type === "Super" ? compileThisValue(context, object) : compileExpression(context, object);
  return plainMethodCall(context, node, base, compileMethodRead(context, callee), args);
}

/** Compiles a call with spreads, many arguments or optional parts. */
function generalCall(context: Context, node: CallExpression): Evaluate {
  const callee = generalCallee(context, node.callee as Expression); // `super(...)` was handled above
  const args = compileArguments(context, node.arguments);
  const { optional } = node;
  return (frame) => {
    const receiver: Receiver = { thisValue: undefined };
    const value = callee(frame, receiver);
    if (value === skipped || (optional && (value === undefined || value === null))) return skipped;
    return callSlowly(context, node, calleeSlots(value), receiver.thisValue, args(frame));
  };
}
