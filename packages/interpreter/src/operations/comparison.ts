// Equality, order and `instanceof`. The functions are named after the operations of the
// specification.

import { functionSlots, type Native } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import { isObject } from "../guest-value.ts";
import { chargeReading } from "../limits.ts";
import { chargeBigints, compareTextWithBigint } from "./bigint-cost.ts";
import { BoundSlots } from "./bound.ts";
import { call, getMethodOf } from "./call.ts";
import { toPrimitive } from "./conversion.ts";
import { get } from "./property.ts";

/**
 * Computes `left === right`. Long strings and bigints are charged by their length, because the host
 * compares them piece by piece.
 */
export function isStrictlyEqual(left: unknown, right: unknown): boolean {
  return typeof left === "string" || typeof left === "bigint" ? isSameLong(left, right) : left === right;
}

/** The same as {@link isStrictlyEqual}, if the left value is a string or a bigint. */
export function isSameLong(left: string | bigint, right: unknown): boolean {
  if (typeof left === "bigint") {
    if (typeof right === "bigint") chargeBigints(left, right);
  } else if (left.length > shortText && typeof right === "string" && right.length === left.length) {
    chargeReading(left.length);
  }
  return left === right;
}

// The maximum length of a string whose comparison costs nothing extra. Most strings that programs
// compare are names and words, which are shorter.
const shortText = 512;

/** Says whether two values are the same, like `Object.is`. */
export function sameValue(left: unknown, right: unknown): boolean {
  return typeof left === "string" || typeof left === "bigint" ? isSameLong(left, right) : Object.is(left, right);
}

/** Says whether two values are the same. Unlike `===`, NaN equals NaN. */
export function sameValueZero(left: unknown, right: unknown): boolean {
  return isStrictlyEqual(left, right) || (left !== left && right !== right); // only NaN differs from itself
}

/** Computes `left == right`. */
export function isLooselyEqual(left: unknown, right: unknown): boolean {
  if (isObject(left)) {
    if (isObject(right)) return left === right;
    return right !== undefined && right !== null && isLooselyEqual(toPrimitive(left), right);
  }
  if (isObject(right)) return left !== undefined && left !== null && isLooselyEqual(left, toPrimitive(right));
  if (typeof left === "string") return isTextLooselyEqual(left, right);
  if (typeof right === "string") return isTextLooselyEqual(right, left);
  if (typeof left === "bigint" && typeof right === "bigint") return isSameLong(left, right);
  // biome-ignore lint/suspicious/noDoubleEquals: the host compares primitives as specified
  return left == right;
}

function isTextLooselyEqual(text: string, other: unknown): boolean {
  if (typeof other === "string") return isSameLong(text, other);
  if (typeof other === "bigint") return compareTextWithBigint(text, other) === 0;
  chargeReading(text.length);
  // biome-ignore lint/suspicious/noDoubleEquals: see isLooselyEqual
  return text == other;
}

/** Compares two strings by their code units. */
export function compareTexts(left: string, right: string): number {
  chargeReading(Math.min(left.length, right.length));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Computes `value instanceof target`. */
export function instanceofOperator(value: unknown, target: unknown): boolean {
  if (!isObject(target)) return throwTypeError("the right side of instanceof is not an object");
  const method = getMethodOf(target, Symbol.hasInstance);
  const code = functionSlots(method)?.code;
  if (code?.native === hasInstance) {
    code.meter.charge(2);
    return ordinaryHasInstance(target, value);
  }
  if (method !== undefined) return Boolean(call(method, target, value));
  if (!functionSlots(target)) return throwTypeError("the right side of instanceof is not callable");
  return ordinaryHasInstance(target, value);
}

/** Implements `Function.prototype[Symbol.hasInstance]`. */
export const hasInstance: Native = (thisValue, value) => ordinaryHasInstance(thisValue, value);

/** Says whether the `prototype` of a constructor is on the value's prototype chain. */
export function ordinaryHasInstance(constructorFunction: unknown, value: unknown): boolean {
  const slots = functionSlots(constructorFunction);
  if (!slots) return false;
  if (slots instanceof BoundSlots) return instanceofOperator(value, slots.target);
  if (!isObject(value)) return false;
  const prototype = get(slots.self, "prototype");
  if (!isObject(prototype)) return throwTypeError('the constructor\'s "prototype" is not an object');
  // Let the host walk the chain. It visits the prototypes in the order that the specification
  // requires.
  const { instances } = slots;
  if (instances?.site && instances.prototype === prototype) return value instanceof instances.site;
  return isPrototypeOf.call(prototype, value);
}

const { isPrototypeOf } = Object.prototype;
