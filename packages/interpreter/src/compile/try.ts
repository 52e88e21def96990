// `try`. When a limit or another Breach ends the program, neither `catch` nor `finally` runs. When
// a generator is closed from outside, only `finally` runs.

import type { BlockStatement, CatchClause, TryStatement } from "acorn";
import type { Completion } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { ReturnSignal, thrownValue } from "../guest-throw.ts";
import type { Meter } from "../limits.ts";
import { type Context, type Execute, inside } from "./context.ts";
import { initializePattern } from "./pattern.ts";
import { scopeEntry } from "./scope-entry.ts";
import { compileStatement } from "./statement.ts";

/** Compiles `try`. */
export function compileTry(context: Context, { block, handler, finalizer }: TryStatement): Execute {
  const guarded = compileStatement(context, block);
  const caught = handler ? withCatch(context, guarded, handler) : guarded;
  return finalizer ? withFinally(context, caught, finalizer) : caught;
}

/**
 * Compiles the entry to a catch clause: it enters the scope and binds the caught value to the
 * parameter.
 */
export function compileCatchEntry(context: Context, handler: CatchClause): (frame: Frame, value: unknown) => Frame {
  const inner = inside(context, handler);
  const enter = scopeEntry(inner.scope);
  const store = handler.param ? initializePattern(inner, handler.param) : null;
  return (frame, value) => {
    const own = enter ? enter(frame) : frame;
    store?.(own, value);
    return own;
  };
}

/** Rethrows exceptions for which `finally` must not run. */
export function rethrowPastFinally({ realm }: Context, caught: unknown): void {
  if (!(caught instanceof ReturnSignal)) realm.rethrowUnlessCatchable(caught);
}

const operationsOfThrow = 48;

/**
 * Charges for an exception that was caught at this call depth. The cost grows with the number of
 * calls that the exception ended, because the host unwinds them one by one.
 */
export function chargeThrow(meter: Meter, depth: number): void {
  meter.charge(operationsOfThrow * (1 + Math.max(0, meter.depth - depth)));
}

function withCatch(context: Context, guarded: Execute, handler: CatchClause): Execute {
  const enter = compileCatchEntry(context, handler);
  const body = compileStatement(inside(context, handler), handler.body as BlockStatement);
  const { realm, meter } = context;
  return (frame) => {
    const { depth } = meter;
    let value: unknown;
    try {
      return guarded(frame);
    } catch (caught) {
      value = thrownValue(realm, caught);
      chargeThrow(meter, depth);
      meter.depth = depth;
    }
    return body(enter(frame, value));
  };
}

function withFinally(context: Context, guarded: Execute, finalizer: BlockStatement): Execute {
  const finish = compileStatement({ ...context, onValue: null }, finalizer);
  const { meter } = context;
  return (frame) => {
    const { depth } = meter;
    let completion: Completion | undefined;
    try {
      completion = guarded(frame);
    } catch (caught) {
      rethrowPastFinally(context, caught);
      chargeThrow(meter, depth);
      meter.depth = depth;
      const override = finish(frame);
      if (override !== undefined) return override;
      throw caught;
    }
    return finish(frame) ?? completion;
  };
}
