// `for (...; i < limit; i++)`, the most common loop in programs. If the counter is in a slot of the
// frame, the test and the update are part of the closure for one iteration.

import type { Expression, ForStatement } from "acorn";
import { continuesLoop, plainBreak } from "../completion.ts";
import type { Frame } from "../frame.ts";
import type { Meter } from "../limits.ts";
import type { Context, Execute } from "./context.ts";
import { operandOf } from "./expression.ts";
import { becameHot, Heat, type Round } from "./hot-spot.ts";
import { slowBinary } from "./operators.ts";
import { unboxed } from "./unboxed.ts";
import { advanceSlowly } from "./update.ts";
import { assignableSlot } from "./variable.ts";

/**
 * Compiles one iteration of a loop that counts up to a limit. Returns null for all other loops. The
 * loop's scope must not have its own frame.
 */
export function compileCountedRound(
  context: Context,
  { test, update }: ForStatement,
  body: Execute,
  labels: readonly string[],
): Round | null {
  if (test?.type !== "BinaryExpression" || test.operator !== "<" || test.left.type !== "Identifier") return null;
  if (update?.type !== "UpdateExpression" || update.operator !== "++" || update.argument.type !== "Identifier")
    return null;
  const slot = assignableSlot(context, update.argument);
  if (slot === 0 || slot !== assignableSlot(context, test.left)) return null;
  return countedRound(context.meter, {
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
    case "constant": {
      const end = unboxed(constant);
      return () => end;
    }
    case "expression":
      return evaluate;
    default:
      return kind satisfies never;
  }
}

interface CountedParts {
  readonly slot: number;
  readonly limit: (frame: Frame) => unknown;
  readonly body: Execute;
  readonly labels: readonly string[];
  /** Computes `counter < limit`, for values that are not both numbers. */
  readonly isLess: (counter: unknown, limit: unknown) => unknown;
  /** Returns the next value of a counter that is not a number. */
  readonly advance: (counter: unknown) => unknown;
}

function countedRound(meter: Meter, { slot, limit, body, labels, isLess, advance }: CountedParts): Round {
  const heat = new Heat();
  return (frame) => {
    const count = frame[slot];
    const end = limit(frame);
    if (!(typeof count === "number" && typeof end === "number" ? count < end : isLess(count, end))) return plainBreak;
    const isHot = --meter.left < 0 && heat.becomesHot(meter.refill());
    const completion = body(frame);
    if (completion !== undefined && !continuesLoop(completion, labels)) return completion;
    const done = frame[slot];
    frame[slot] = typeof done === "number" ? done + 1 : advance(done);
    return isHot ? becameHot : undefined;
  };
}
