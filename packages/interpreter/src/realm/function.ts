// Function.prototype, and the constructor Function, which always throws. Strings cannot be run as
// code, because then the compiler could be needed at any time. Programs can contain the same code
// directly instead.

import { functionName, functionSlots } from "../function-object.ts";
import { throwError, throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import { pushTo } from "../long-lists.ts";
import { boundFunctionCreate } from "../operations/bound.ts";
import { callWith, isCallable } from "../operations/call.ts";
import { hasInstance } from "../operations/comparison.ts";
import { lengthOfArrayLike, toIntegerOrInfinity } from "../operations/conversion.ts";
import { defineOwnProperty, get, hasOwn } from "../operations/property.ts";
import { valueText } from "../operations/text.ts";
import { brief, counted, defineConstructor, defineMethods, withLength } from "./define.ts";
import type { IntrinsicFamily, MadeFamily } from "./intrinsics.ts";
import type { Realm } from "./realm.ts";

/** Function and Function.prototype. */
export const functionFamily: IntrinsicFamily = {
  intrinsics: ["Function"],
  globals: ["Function"],
  eager: true,
  make: makeFunction,
};

// The maximum number of arguments of a call. The host passes them on its stack, which has room for
// about this many in addition to everything else.
const maxArguments = 60_000;

function makeFunction(realm: Realm): MadeFamily {
  const prototype = realm.functionPrototype;
  defineMethods(realm, prototype, {
    apply: counted((thisValue, thisArg, args) => {
      if (!isCallable(thisValue)) return throwTypeError("Function.prototype.apply was called on something else");
      return callWith(thisValue, thisArg, args === undefined || args === null ? [] : argumentList(realm, args));
    }),
    bind: counted(withLength(1, (thisValue, thisArg, ...args) => bind(realm, thisValue, thisArg, args))),
    call: counted(
      withLength(1, (thisValue, thisArg, ...args) => {
        if (!isCallable(thisValue)) return throwTypeError("Function.prototype.call was called on something else");
        return callWith(thisValue, thisArg, args);
      }),
    ),
    toString: brief((thisValue: unknown) => {
      const slots = functionSlots(thisValue);
      return slots
        ? slots.code.sourceText()
        : throwTypeError("Function.prototype.toString was called on something else");
    }),
  });
  Object.defineProperty(prototype, Symbol.hasInstance, {
    value: realm.newNativeFunction("[Symbol.hasInstance]", 1, hasInstance),
    writable: false,
    enumerable: false,
    configurable: false,
  });
  const thrower = realm.throwTypeErrorFunction;
  for (const key of ["caller", "arguments"]) {
    defineOwnProperty(prototype, key, { get: thrower, set: thrower, enumerable: false, configurable: true });
  }
  const constructorFunction = defineConstructor(realm, {
    name: "Function",
    length: 1,
    cost: "counted",
    prototype,
    construct: refuseStringCode,
    call: refuseStringCode,
  });
  return { intrinsics: { Function: constructorFunction }, globals: { Function: constructorFunction } };
}

/** Throws the error for calls of `eval`, `Function` and similar constructors. */
export function refuseStringCode(): never {
  return throwError("EvalError", "code in a string cannot be run here; write the code directly");
}

/**
 * Returns the elements of an array-like object, as arguments for a call. The result is a host
 * array, which guest code must not see.
 */
export function argumentList(realm: Realm, value: unknown): unknown[] {
  const list = createListFromArrayLike(realm, value);
  if (list.length > maxArguments)
    return throwError("RangeError", `${list.length} arguments are too many; pass the array itself, or use reduce`);
  return list;
}

/**
 * Returns the elements of an array-like object. The result is a host array, which guest code must
 * not see.
 */
function createListFromArrayLike(realm: Realm, value: unknown): unknown[] {
  if (!isObject(value)) return throwTypeError(`expected an array, got ${valueText(value)}`);
  const length = lengthOfArrayLike(value);
  realm.meter.charge(length);
  realm.meter.allocate(8 * length);
  const list: unknown[] = [];
  for (let index = 0; index < length; index++) pushTo(list, get(value, index));
  return list;
}

function bind(realm: Realm, target: unknown, thisArg: unknown, args: readonly unknown[]): GuestObject {
  if (!isCallable(target)) return throwTypeError("Function.prototype.bind was called on something else");
  const bound = boundFunctionCreate(realm, target, thisArg, args);
  const name = boundName(target, args.length);
  for (const [key, value] of [
    ["length", name.length],
    ["name", name.name],
  ] as const) {
    Object.defineProperty(bound, key, { value, writable: false, enumerable: false, configurable: true });
  }
  return bound;
}

function boundName(target: GuestObject, boundCount: number): { readonly length: number; readonly name: string } {
  const length = hasOwn(target, "length") ? get(target, "length") : 0;
  const rest = typeof length === "number" ? Math.max(0, toIntegerOrInfinity(length) - boundCount) : 0;
  const name = get(target, "name");
  return { length: rest, name: functionName(typeof name === "string" ? name : "", "bound") };
}
