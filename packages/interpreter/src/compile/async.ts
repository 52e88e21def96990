// Bodies of async functions. A body with `await` is compiled to a host generator, which
// operations/drive-async.ts runs. A body without `await` is compiled like the body of a plain
// function.

import type { Function as FunctionNode } from "acorn";
import type { Scope } from "../analyse/scope.ts";
import { type Completion, returnedValue } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { thrownValue } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { type AsyncEnd, driveAsync } from "../operations/drive-async.ts";
import { createPromise, type PromiseSlots, rejectPromise, resolvePromise } from "../operations/promise.ts";
import type { Realm } from "../realm/realm.ts";
import { type Context, promiseWatchOf, suspends } from "./context.ts";
import { compileBody } from "./function-body.ts";
import { suspendBody } from "./suspend/list.ts";

/**
 * Compiles the body of an async function. The closure returns the promise of its result. `scope` is
 * the scope of the function; the body may have a separate scope.
 */
export function compileAsyncBody(context: Context, node: FunctionNode, scope: Scope): (frame: Frame) => GuestObject {
  return suspends(context, node.body)
    ? compileSuspendingBody(context, node, scope)
    : compilePlainBody(context, node, scope);
}

function compileSuspendingBody(context: Context, node: FunctionNode, scope: Scope): (frame: Frame) => GuestObject {
  const { realm } = context;
  const body = suspendBody(context, node, scope);
  const code = { source: context.source, node };
  const watch = promiseWatchOf(context);
  return (frame) => {
    const promise = createPromise(realm);
    promise.body = code;
    const end = new PromiseEnd(realm, promise, frame);
    driveAsync(realm, body(frame), end);
    watch?.noteUnfinished(end);
    return promise.self;
  };
}

function compilePlainBody(context: Context, node: FunctionNode, scope: Scope): (frame: Frame) => GuestObject {
  const { realm, meter } = context;
  const body = compileBody(context, node, scope);
  return (frame) => {
    const promise = createPromise(realm);
    const { depth } = meter;
    let value: unknown;
    try {
      value = body(frame);
    } catch (caught) {
      rejectPromise(realm, promise, thrownValue(realm, caught));
      meter.depth = depth;
      return promise.self;
    }
    resolvePromise(realm, promise, value);
    return promise.self;
  };
}

/**
 * Creates the promise of an async function that threw while its arguments were bound, before its
 * body began.
 */
export function rejectedCall(realm: Realm, caught: unknown): GuestObject {
  const promise = createPromise(realm);
  rejectPromise(realm, promise, thrownValue(realm, caught));
  return promise.self;
}

/** Settles the promise of an async function when its body ends. */
class PromiseEnd implements AsyncEnd<Completion | undefined> {
  readonly realm: Realm;
  readonly promise: PromiseSlots;
  readonly frame: Frame;

  constructor(realm: Realm, promise: PromiseSlots, frame: Frame) {
    this.realm = realm;
    this.promise = promise;
    this.frame = frame;
  }

  onReturn(completion: Completion | undefined): void {
    resolvePromise(this.realm, this.promise, returnedValue(completion));
  }

  onThrow(caught: unknown): void {
    rejectPromise(this.realm, this.promise, thrownValue(this.realm, caught));
  }
}
