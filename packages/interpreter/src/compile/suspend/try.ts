// `try` statements that contain an `await` or `yield`.

import type { BlockStatement, TryStatement } from "acorn";
import type { Completion } from "../../completion.ts";
import type { Frame } from "../../frame.ts";
import { thrownValue } from "../../guest-throw.ts";
import { type Context, inside, suspends } from "../context.ts";
import { scopeEntry } from "../scope-entry.ts";
import { chargeThrow, compileCatchEntry, rethrowPastFinally } from "../try.ts";
import type { SuspendExecute } from "./list.ts";
import { type SuspendStore, suspendPattern } from "./pattern.ts";
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
  const handle = enterPlain
    ? (frame: Frame, value: unknown) => body(enterPlain(frame, value))
    : (frame: Frame, value: unknown) => storeAndRun(enter ? enter(frame) : frame, value, store, body);
  return (frame) => runGuarded(context, frame, guarded, handle);
}

type Handle = (frame: Frame, value: unknown) => ReturnType<SuspendExecute>;

/** All `try` statements share one generator function. `runList` explains why. */
function* runGuarded(
  { realm, meter }: Context,
  frame: Frame,
  guarded: SuspendExecute,
  handle: Handle,
): ReturnType<SuspendExecute> {
  const { depth } = meter;
  let value: unknown;
  try {
    return yield* guarded(frame);
  } catch (caught) {
    value = thrownValue(realm, caught);
    chargeThrow(meter, depth);
    meter.depth = Math.min(depth, meter.depth);
  }
  return yield* handle(frame, value);
}

function* storeAndRun(
  frame: Frame,
  value: unknown,
  store: SuspendStore | null,
  body: SuspendExecute,
): ReturnType<SuspendExecute> {
  if (store) yield* store(frame, value);
  return yield* body(frame);
}

function suspendFinally(context: Context, guarded: SuspendExecute, finalizer: BlockStatement): SuspendExecute {
  const finish = suspendStatement({ ...context, onValue: null }, finalizer);
  return (frame) => runFinally(context, frame, guarded, finish);
}

function* runFinally(
  context: Context,
  frame: Frame,
  guarded: SuspendExecute,
  finish: SuspendExecute,
): ReturnType<SuspendExecute> {
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
}
