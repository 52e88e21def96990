// Async functions: a driver around the host generator that the body was compiled to. What the host generator yields is awaited.

import type { Function as FunctionNode } from "acorn";
import type { Scope } from "../analyse/scope.ts";
import { type Completion, returnedValue } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { GuestThrow, thrownValue } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import type { PromiseReaction } from "../jobs.ts";
import { awaitValue, createPromise, type PromiseSlots, rejectPromise, resolvePromise } from "../operations/promise.ts";
import type { Realm } from "../realm/realm.ts";
import { type Context, suspends } from "./context.ts";
import { compileBody } from "./function-body.ts";
import { suspendBody } from "./suspend/list.ts";

/** Compiles the body of an async function: gives the promise of its end. `scope` is the function's, which may be apart from the body's. */
export function compileAsyncBody(context: Context, node: FunctionNode, scope: Scope): (frame: Frame) => GuestObject {
  return suspends(context, node.body)
    ? compileSuspendingBody(context, node, scope)
    : compilePlainBody(context, node, scope);
}

function compileSuspendingBody(context: Context, node: FunctionNode, scope: Scope): (frame: Frame) => GuestObject {
  const { realm } = context;
  const body = suspendBody(context, node, scope);
  return (frame) => {
    const promise = createPromise(realm);
    new Driver(realm, body(frame), new PromiseEnd(realm, promise)).onFulfilled(undefined);
    return promise.self;
  };
}

/** Without an `await` no host generator is needed. */
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

/** The promise of an async function that threw before its body began. */
export function rejectedCall(realm: Realm, caught: unknown): GuestObject {
  const promise = createPromise(realm);
  rejectPromise(realm, promise, thrownValue(realm, caught));
  return promise.self;
}

/** What becomes of a driven body. `onThrow` gets what the host caught. */
export interface AsyncEnd<Result> {
  onReturn(result: Result): void;
  onThrow(caught: unknown): void;
}

/** Runs a body until it ends, waiting where it yields. */
export function driveAsync<Result>(
  realm: Realm,
  host: Generator<unknown, Result, unknown>,
  end: AsyncEnd<Result>,
): void {
  new Driver(realm, host, end).onFulfilled(undefined);
}

/** The end of an async function's body. */
class PromiseEnd implements AsyncEnd<Completion | undefined> {
  readonly realm: Realm;
  readonly promise: PromiseSlots;

  constructor(realm: Realm, promise: PromiseSlots) {
    this.realm = realm;
    this.promise = promise;
  }

  onReturn(completion: Completion | undefined): void {
    resolvePromise(this.realm, this.promise, returnedValue(completion));
  }

  onThrow(caught: unknown): void {
    rejectPromise(this.realm, this.promise, thrownValue(this.realm, caught));
  }
}

/** A body that is going on; itself the reaction to all that the body waits for. */
class Driver<Result> implements PromiseReaction {
  readonly realm: Realm;
  readonly host: Generator<unknown, Result, unknown>;
  readonly end: AsyncEnd<Result>;

  constructor(realm: Realm, host: Generator<unknown, Result, unknown>, end: AsyncEnd<Result>) {
    this.realm = realm;
    this.host = host;
    this.end = end;
  }

  onFulfilled(value: unknown): void {
    const { depth } = this.realm.meter;
    let result: IteratorResult<unknown, Result>;
    try {
      result = this.host.next(value);
    } catch (caught) {
      return this.fail(caught, depth);
    }
    this.goOn(result);
  }

  onRejected(reason: unknown): void {
    const { depth } = this.realm.meter;
    let result: IteratorResult<unknown, Result>;
    try {
      result = this.host.throw(new GuestThrow(reason));
    } catch (caught) {
      return this.fail(caught, depth);
    }
    this.goOn(result);
  }

  goOn(result: IteratorResult<unknown, Result>): void {
    if (result.done) return this.end.onReturn(result.value);
    try {
      awaitValue(this.realm, result.value, this);
    } catch (caught) {
      this.onRejected(thrownValue(this.realm, caught));
    }
  }

  fail(caught: unknown, depth: number): void {
    this.realm.rethrowUnlessCatchable(caught);
    this.realm.meter.depth = depth;
    this.end.onThrow(caught);
  }
}
