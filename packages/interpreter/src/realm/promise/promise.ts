// Promise: the constructor and the prototype. Operations on promises are in operations/promise.ts;
// `all`, `race` and similar functions are in combinators.ts.

import { functionSlots } from "../../function-object.ts";
import { throwTypeError, throwValue } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import type { PromiseReaction } from "../../jobs.ts";
import {
  call,
  callWith,
  invoke,
  isCallable,
  ordinaryCreateFromConstructor,
  speciesConstructor,
} from "../../operations/call.ts";
import {
  brandPromise,
  createResolvingFunctions,
  newPromiseCapability,
  type PromiseCapability,
  type PromiseSlots,
  performPromiseThen,
  promiseResolve,
  promiseSlots,
  reasonOf,
  rejectCapability,
  resolveCapability,
} from "../../operations/promise.ts";
import { createDataPropertyOrThrow } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import {
  brief,
  counted,
  defineAccessors,
  defineConstructor,
  defineMethods,
  defineTag,
  type MethodTable,
  withLength,
} from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { promiseCombinators } from "./combinators.ts";

/** The built-in Promise. */
export const promiseFamily: IntrinsicFamily = {
  intrinsics: ["Promise", "PromisePrototype"],
  globals: ["Promise"],
  make: makePromise,
};

function makePromise(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const promise = defineConstructor(realm, {
    name: "Promise",
    length: 1,
    cost: "counted",
    prototype,
    construct: (newTarget, executor) => constructPromise(realm, newTarget, executor),
    statics: { ...promiseStatics(realm), ...promiseCombinators(realm) },
  });
  defineAccessors(realm, promise, { [Symbol.species]: brief((thisValue) => thisValue) });
  defineMethods(realm, prototype, {
    catch: counted((thisValue, onRejected) => invoke(realm, thisValue, "then", undefined, onRejected)),
    finally: counted((thisValue, onFinally) => finallyDo(realm, thisValue, onFinally)),
    then: counted((thisValue, onFulfilled, onRejected) => then(realm, thisValue, onFulfilled, onRejected)),
  });
  defineTag(prototype, "Promise");
  return { intrinsics: { Promise: promise, PromisePrototype: prototype }, globals: { Promise: promise } };
}

function promiseStatics(realm: Realm): MethodTable {
  return {
    reject: counted((thisValue, reason) => {
      const capability = newPromiseCapability(realm, thisValue);
      rejectCapability(realm, capability, reason);
      return capability.promise;
    }),
    resolve: counted((thisValue, value) => {
      if (!isObject(thisValue)) return throwTypeError(`Promise.resolve was called on ${valueText(thisValue)}`);
      return promiseResolve(realm, thisValue, value);
    }),
    try: counted(
      withLength(1, (thisValue, callback, ...args) => {
        if (!isObject(thisValue)) return throwTypeError(`Promise.try was called on ${valueText(thisValue)}`);
        const capability = newPromiseCapability(realm, thisValue);
        settleBy(realm, capability, callback, args);
        return capability.promise;
      }),
    ),
    withResolvers: counted((thisValue) => {
      const { promise, resolve, reject } = capabilityWithFunctions(realm, thisValue);
      const result = realm.newObject();
      createDataPropertyOrThrow(result, "promise", promise);
      createDataPropertyOrThrow(result, "resolve", resolve);
      createDataPropertyOrThrow(result, "reject", reject);
      return result;
    }),
  };
}

function constructPromise(realm: Realm, newTarget: GuestObject, executor: unknown): GuestObject {
  if (!isCallable(executor)) return throwTypeError(`a promise needs a function, got ${valueText(executor)}`);
  realm.hasPromises = true;
  realm.meter.allocate(96);
  const promise = brandPromise(ordinaryCreateFromConstructor(realm, newTarget, "PromisePrototype"));
  const { resolve, reject } = createResolvingFunctions(realm, promise);
  const { depth } = realm.meter;
  try {
    call(executor, undefined, resolve, reject);
  } catch (caught) {
    call(reject, undefined, reasonOf(realm, caught, depth));
  }
  return promise.self;
}

/** Creates a promise and the functions that settle it, which may be passed to guest code. */
function capabilityWithFunctions(realm: Realm, constructorFunction: unknown) {
  const capability = newPromiseCapability(realm, constructorFunction);
  if (capability.type === "foreign") return capability;
  const { promise, slots } = capability;
  return { promise, ...createResolvingFunctions(realm, slots) };
}

/** Settles a promise with the result or the exception of a callback. */
function settleBy(realm: Realm, capability: PromiseCapability, callback: unknown, args: readonly unknown[]): void {
  const { depth } = realm.meter;
  let value: unknown;
  try {
    value = callWith(callback, undefined, args);
  } catch (caught) {
    return rejectCapability(realm, capability, reasonOf(realm, caught, depth));
  }
  resolveCapability(realm, capability, value);
}

function then(realm: Realm, thisValue: unknown, onFulfilled: unknown, onRejected: unknown): GuestObject {
  const slots = promiseSlots(thisValue);
  if (!slots) return throwTypeError(`then was called on ${valueText(thisValue)}, which is not a promise`);
  const capability = newPromiseCapability(realm, speciesConstructor(slots.self, realm.promiseConstructor));
  realm.meter.allocate(256);
  performPromiseThen(realm, slots, new ThenReaction(realm, capability, onFulfilled, onRejected));
  if (capability.type === "own") noteUnfinished(realm, capability.slots, onFulfilled);
  return capability.promise;
}

/** Records that a promise is settled only after this guest function has run. */
function noteUnfinished({ promiseWatch }: Realm, promise: PromiseSlots | undefined, calls: unknown): void {
  if (promiseWatch && promise && functionSlots(calls)?.code.node) promiseWatch.noteUnfinished({ promise, calls });
}

/**
 * The reaction that `then` adds to a promise. It calls the guest's function and settles the promise
 * that `then` returned.
 */
class ThenReaction implements PromiseReaction {
  readonly realm: Realm;
  readonly capability: PromiseCapability;
  readonly fulfilled: unknown;
  readonly rejected: unknown;

  constructor(realm: Realm, capability: PromiseCapability, fulfilled: unknown, rejected: unknown) {
    this.realm = realm;
    this.capability = capability;
    this.fulfilled = isCallable(fulfilled) ? fulfilled : undefined;
    this.rejected = isCallable(rejected) ? rejected : undefined;
  }

  get leadsTo(): PromiseSlots | undefined {
    const own = this.capability.type === "own" ? this.capability.slots : undefined;
    return this.realm.promiseWatch?.settledBy(this.fulfilled) ?? own;
  }

  get calls(): unknown {
    return this.fulfilled;
  }

  get held(): readonly unknown[] {
    return [this.rejected, this.capability.promise];
  }

  onFulfilled(value: unknown): void {
    if (this.fulfilled === undefined) resolveCapability(this.realm, this.capability, value);
    else settleBy(this.realm, this.capability, this.fulfilled, [value]);
  }

  onRejected(reason: unknown): void {
    if (this.rejected === undefined) rejectCapability(this.realm, this.capability, reason);
    else settleBy(this.realm, this.capability, this.rejected, [reason]);
  }
}

function finallyDo(realm: Realm, promise: unknown, onFinally: unknown): unknown {
  if (!isObject(promise)) return throwTypeError(`finally was called on ${valueText(promise)}`);
  const species = speciesConstructor(promise, realm.promiseConstructor);
  if (!isCallable(onFinally)) return invoke(realm, promise, "then", onFinally, onFinally);
  const afterwards = (native: (value: unknown) => unknown) =>
    realm.newNativeFunction(
      "",
      1,
      (_thisValue, value) => {
        const done = promiseResolve(realm, species, call(onFinally, undefined));
        return invoke(
          realm,
          done,
          "then",
          realm.newNativeFunction("", 0, () => native(value), { held: [value] }),
        );
      },
      { held: [onFinally] },
    );
  const thenFinally = afterwards((value) => value);
  const catchFinally = afterwards(throwValue);
  const settled = invoke(realm, promise, "then", thenFinally, catchFinally);
  noteUnfinished(realm, promiseSlots(settled), onFinally);
  return settled;
}
