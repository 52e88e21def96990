// `for (...; i < limit; i++)`: the loop that programs have most. Its test and its update are part of the loop's own closure when the counter
// lives in a slot of the frame.

import type { Expression, ForStatement } from "acorn";
import type { Frame } from "../frame.ts";
import { advanceSlowly } from "./assignment.ts";
import { type Completion, continuesLoop, loopCompletion } from "./completion.ts";
import type { Context, Execute } from "./context.ts";
import { operandOf } from "./expression.ts";
import { slowBinary } from "./operators.ts";
import { assignableSlot } from "./variable.ts";

/** What a loop runs beside its test and update. */
export interface CountedBody {
  readonly start: (frame: Frame) => unknown;
  readonly body: Execute;
  readonly labels: readonly string[];
}

/** Compiles a loop whose scope has no frame of its own; null when it does not count in this way. */
export function compileCountedLoop(
  context: Context,
  { test, update }: ForStatement,
  { start, body, labels }: CountedBody,
): Execute | null {
  if (test?.type !== "BinaryExpression" || test.operator !== "<" || test.left.type !== "Identifier") return null;
  if (update?.type !== "UpdateExpression" || update.operator !== "++" || update.argument.type !== "Identifier")
    return null;
  const slot = assignableSlot(context, update.argument);
  if (slot === 0 || slot !== assignableSlot(context, test.left)) return null;
  const { meter } = context;
  const limit = limitOf(context, test.right);
  const isLess = slowBinary(context, "<", test);
  const advance = advanceSlowly(context, update);
  return (frame) => {
    start(frame);
    for (;;) {
      const count = frame[slot];
      const end = limit(frame);
      if (!(typeof count === "number" && typeof end === "number" ? count < end : isLess(count, end))) return undefined;
      if (--meter.left < 0) meter.refill();
      const completion: Completion | undefined = body(frame);
      if (completion !== undefined && !continuesLoop(completion, labels)) return loopCompletion(completion);
      const done = frame[slot];
      frame[slot] = typeof done === "number" ? done + 1 : advance(done);
    }
  };
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
