// `try` with an `await` or `yield` inside.

import type { BlockStatement, TryStatement } from "acorn";
import type { Completion } from "../../completion.ts";
import { thrownValue } from "../../guest-throw.ts";
import { type Context, inside, suspends } from "../context.ts";
import { scopeEntry } from "../scope-entry.ts";
import { chargeThrow, compileCatchEntry, rethrowPastFinally } from "../try.ts";
import type { SuspendExecute } from "./list.ts";
import { suspendPattern } from "./pattern.ts";
import { suspendStatement } from "./statement.ts";

/** Compiles `try`. */
export function suspendTry(context: Context, { block, handler, finalizer }: TryStatement): SuspendExecute {
  const guarded = suspendStatement(context, block);
  const caught = handler ? suspendCatch(context, guarded, handler) : guarded;
  return finalizer ? suspendFinally(context, caught, finalizer) : caught;
}

function suspendCatch(
  context: Context,
  guarded: SuspendExecute,
  handler: NonNullable<TryStatement["handler"]>,
): SuspendExecute {
  const inner = inside(context, handler);
  const isPlain = !suspends(context, handler.param);
  const enterPlain = isPlain ? compileCatchEntry(context, handler) : null;
  const enter = scopeEntry(inner.scope);
  const store = handler.param && !isPlain ? suspendPattern(inner, handler.param, "initialize") : null;
  const body = suspendStatement(inner, handler.body);
  const { realm, meter } = context;
  return function* (frame) {
    const { depth } = meter;
    let value: unknown;
    try {
      return yield* guarded(frame);
    } catch (caught) {
      value = thrownValue(realm, caught);
      chargeThrow(meter, depth);
      meter.depth = Math.min(depth, meter.depth);
    }
    if (enterPlain) return yield* body(enterPlain(frame, value));
    const own = enter ? enter(frame) : frame;
    if (store) yield* store(own, value);
    return yield* body(own);
  };
}

function suspendFinally(context: Context, guarded: SuspendExecute, finalizer: BlockStatement): SuspendExecute {
  const finish = suspendStatement({ ...context, onValue: null }, finalizer);
  return function* (frame) {
    let completion: Completion | undefined;
    try {
      completion = yield* guarded(frame);
    } catch (caught) {
      rethrowPastFinally(context, caught);
      chargeThrow(context.meter, context.meter.depth);
      const override = yield* finish(frame);
      if (override !== undefined) return override;
      throw caught;
    }
    return (yield* finish(frame)) ?? completion;
  };
}
