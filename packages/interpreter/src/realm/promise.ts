// Promise: the constructor and the prototype. (The machinery: operations/promise.ts. all, race and the like: promise-combinators.ts.)

import { thrownValue, throwTypeError, throwValue } from "../guest-throw.ts";
import { brand, type GuestObject, isObject } from "../guest-value.ts";
import { call, invoke, isCallable, ordinaryCreateFromConstructor, speciesConstructor } from "../operations/call.ts";
import {
  createResolvingFunctions,
  newPromiseCapability,
  type PromiseCapability,
  PromiseSlots,
  performPromiseThen,
  promiseResolve,
  promiseSlots,
  rejectCapability,
  resolveCapability,
} from "../operations/promise.ts";
import { createDataPropertyOrThrow } from "../operations/property.ts";
import { valueText } from "../operations/text.ts";
import {
  defineAccessors,
  defineConstructor,
  defineMethods,
  defineTag,
  type MethodTable,
  withLength,
} from "./define.ts";
import type { IntrinsicFamily, MadeFamily } from "./intrinsics.ts";
import { promiseCombinators } from "./promise-combinators.ts";
import type { Realm } from "./realm.ts";

/** Promise. */
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
    prototype,
    construct: (newTarget, executor) => constructPromise(realm, newTarget, executor),
    statics: { ...promiseStatics(realm), ...promiseCombinators(realm) },
  });
  defineAccessors(realm, promise, { [Symbol.species]: (thisValue) => thisValue });
  defineMethods(realm, prototype, {
    catch: (thisValue, onRejected) => invoke(realm, thisValue, "then", undefined, onRejected),
    finally: (thisValue, onFinally) => finallyDo(realm, thisValue, onFinally),
    then: (thisValue, onFulfilled, onRejected) => then(realm, thisValue, onFulfilled, onRejected),
  });
  defineTag(prototype, "Promise");
  return { intrinsics: { Promise: promise, PromisePrototype: prototype }, globals: { Promise: promise } };
}

function promiseStatics(realm: Realm): MethodTable {
  return {
    reject(thisValue, reason) {
      const capability = newPromiseCapability(realm, thisValue);
      rejectCapability(realm, capability, reason);
      return capability.promise;
    },
    resolve(thisValue, value) {
      if (!isObject(thisValue)) return throwTypeError(`Promise.resolve was called on ${valueText(thisValue)}`);
      return promiseResolve(realm, thisValue, value);
    },
    try: withLength(1, (thisValue, callback, ...args) => {
      if (!isObject(thisValue)) return throwTypeError(`Promise.try was called on ${valueText(thisValue)}`);
      const capability = newPromiseCapability(realm, thisValue);
      settleBy(realm, capability, () => call(callback, undefined, ...args));
      return capability.promise;
    }),
    withResolvers(thisValue) {
      const { promise, resolve, reject } = capabilityWithFunctions(realm, thisValue);
      const result = realm.newObject();
      createDataPropertyOrThrow(result, "promise", promise);
      createDataPropertyOrThrow(result, "resolve", resolve);
      createDataPropertyOrThrow(result, "reject", reject);
      return result;
    },
  };
}

function constructPromise(realm: Realm, newTarget: GuestObject, executor: unknown): GuestObject {
  if (!isCallable(executor)) return throwTypeError(`a promise needs a function, got ${valueText(executor)}`);
  realm.meter.allocate(96);
  const promise = brand(ordinaryCreateFromConstructor(realm, newTarget, "PromisePrototype"), new PromiseSlots());
  const { resolve, reject } = createResolvingFunctions(realm, promise);
  try {
    call(executor, undefined, resolve, reject);
  } catch (caught) {
    call(reject, undefined, thrownValue(realm, caught));
  }
  return promise;
}

/** A capability whose functions guests can hold. */
function capabilityWithFunctions(realm: Realm, constructorFunction: unknown) {
  const { promise, resolve, reject } = newPromiseCapability(realm, constructorFunction);
  return resolve && reject ? { promise, resolve, reject } : { promise, ...createResolvingFunctions(realm, promise) };
}

/** Settles a capability with what a function gives or throws. */
function settleBy(realm: Realm, capability: PromiseCapability, act: () => unknown): void {
  let value: unknown;
  try {
    value = act();
  } catch (caught) {
    return rejectCapability(realm, capability, thrownValue(realm, caught));
  }
  resolveCapability(realm, capability, value);
}

function then(realm: Realm, thisValue: unknown, onFulfilled: unknown, onRejected: unknown): GuestObject {
  if (!promiseSlots(thisValue))
    return throwTypeError(`then was called on ${valueText(thisValue)}, which is no promise`);
  const promise = thisValue as GuestObject; // it has slots
  const capability = newPromiseCapability(realm, speciesConstructor(promise, realm.intrinsic("Promise")));
  realm.meter.allocate(256);
  performPromiseThen(realm, promise, {
    onFulfilled: isCallable(onFulfilled)
      ? (value) => settleBy(realm, capability, () => call(onFulfilled, undefined, value))
      : (value) => resolveCapability(realm, capability, value),
    onRejected: isCallable(onRejected)
      ? (reason) => settleBy(realm, capability, () => call(onRejected, undefined, reason))
      : (reason) => rejectCapability(realm, capability, reason),
  });
  return capability.promise;
}

function finallyDo(realm: Realm, promise: unknown, onFinally: unknown): unknown {
  if (!isObject(promise)) return throwTypeError(`finally was called on ${valueText(promise)}`);
  const species = speciesConstructor(promise, realm.intrinsic("Promise"));
  if (!isCallable(onFinally)) return invoke(realm, promise, "then", onFinally, onFinally);
  const afterwards = (native: (value: unknown) => unknown) =>
    realm.newNativeFunction("", 1, (_thisValue, value) => {
      const done = promiseResolve(realm, species, call(onFinally, undefined));
      return invoke(
        realm,
        done,
        "then",
        realm.newNativeFunction("", 0, () => native(value)),
      );
    });
  const thenFinally = afterwards((value) => value);
  const catchFinally = afterwards(throwValue);
  return invoke(realm, promise, "then", thenFinally, catchFinally);
}
