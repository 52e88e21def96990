// Equality and `instanceof`, under the spec's names.

import { functionSlots } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import { BoundSlots } from "./bound.ts";
import { call, getMethodOf } from "./call.ts";
import { toPrimitive } from "./conversion.ts";
import { get, getPrototypeOf } from "./property.ts";

/** `Object.is`, but 0 and -0 are the same. */
export function sameValueZero(left: unknown, right: unknown): boolean {
  return left === right || Object.is(left, right);
}

/** `left == right`. */
export function isLooselyEqual(left: unknown, right: unknown): boolean {
  if (isObject(left)) {
    if (isObject(right)) return left === right;
    return right !== undefined && right !== null && isLooselyEqual(toPrimitive(left), right);
  }
  if (isObject(right)) return left !== undefined && left !== null && isLooselyEqual(left, toPrimitive(right));
  // biome-ignore lint/suspicious/noDoubleEquals: between primitives the host's comparison is the language's
  return left == right;
}

/** `value instanceof target`. */
export function instanceofOperator(value: unknown, target: unknown): boolean {
  if (!isObject(target)) return throwTypeError("the right side of instanceof is not an object");
  const method = getMethodOf(target, Symbol.hasInstance);
  if (method !== undefined) return Boolean(call(method, target, value));
  if (!functionSlots(target)) return throwTypeError("the right side of instanceof is not callable");
  return ordinaryHasInstance(target, value);
}

/** What `Function.prototype[Symbol.hasInstance]` does. */
export function ordinaryHasInstance(constructorFunction: unknown, value: unknown): boolean {
  const slots = functionSlots(constructorFunction);
  if (!slots) return false;
  if (slots instanceof BoundSlots) return instanceofOperator(value, slots.target);
  if (!isObject(value)) return false;
  const prototype = get(slots.self, "prototype");
  if (!isObject(prototype)) return throwTypeError('the constructor\'s "prototype" is not an object');
  return isInPrototypeChain(value, prototype);
}

function isInPrototypeChain(value: GuestObject, prototype: GuestObject): boolean {
  for (let object = getPrototypeOf(value); object !== null; object = getPrototypeOf(object)) {
    if (object === prototype) return true;
  }
  return false;
}
