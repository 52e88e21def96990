// `for (...; i < limit; i++)`: the loop that programs have most. Its test and its update are part of the loop's own closure when the counter
// lives in a slot of the frame.

import type { Expression, ForStatement } from "acorn";
import type { Frame } from "../frame.ts";
import type { Context, Execute } from "./context.ts";
import { operandOf } from "./expression.ts";
import type { CountedParts } from "./hot-closures.ts";
import { hotCopyFor } from "./hot-copy.ts";
import { slowBinary } from "./operators.ts";
import { advanceSlowly } from "./update.ts";
import { assignableSlot } from "./variable.ts";

/** Compiles a loop whose scope has no frame of its own; null when it does not count in this way. */
export function compileCountedLoop(
  context: Context,
  { init, test, update, body: round }: ForStatement,
  { start, body, labels }: Pick<CountedParts, "start" | "body" | "labels">,
): Execute | null {
  if (test?.type !== "BinaryExpression" || test.operator !== "<" || test.left.type !== "Identifier") return null;
  if (update?.type !== "UpdateExpression" || update.operator !== "++" || update.argument.type !== "Identifier")
    return null;
  const slot = assignableSlot(context, update.argument);
  if (slot === 0 || slot !== assignableSlot(context, test.left)) return null;
  return hotCopyFor(init, test.right, round).closures.countedLoop(context.meter, {
    start,
    slot,
    limit: limitOf(context, test.right),
    body,
    labels,
    isLess: slowBinary(context, "<", test),
    advance: advanceSlowly(context, update),
  });
}

function limitOf(context: Context, node: Expression): (frame: Frame) => unknown {
  const { kind, slot, constant, evaluate } = operandOf(context, node);
  switch (kind) {
    case "slot":
      return (frame) => frame[slot];
    case "constant":
      return () => constant;
    case "expression":
      return evaluate;
    default:
      return kind satisfies never;
  }
}
