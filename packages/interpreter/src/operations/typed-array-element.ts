// Stores values that are not numbers into typed arrays. Numbers are left to the host. But the host
// cannot convert a guest object, because the conversion calls the object's own methods. And for a
// string that is not a bigint, it would throw a host error instead of a guest error.

import { throwRangeError } from "../guest-throw.ts";
import { isObject } from "../guest-value.ts";
import {
  holdsBigInts,
  type TypedArray,
  type TypedArrayKind,
  typedArrayKind,
  typedArrayLength,
} from "../slots/typed-array.ts";
import { toBigInt, toNumber } from "./conversion.ts";
import type { Descriptor, PropertyKeyValue } from "./property.ts";

/**
 * Assigns `array[key] = value` for a typed array. Returns undefined if `view` is not a typed array
 * or the key is not numeric. Then the caller must assign as for other objects.
 */
export function setElement(
  view: object,
  key: PropertyKeyValue,
  value: unknown,
  receiver: unknown,
): boolean | undefined {
  const kind = typedArrayKind(view);
  if (!kind || !isNumeric(key)) return undefined;
  if (receiver !== view) return isElementOf(view, key) ? undefined : true;
  const element = toElement(kind, value);
  if (isElementOf(view, key)) storeElement(view as TypedArray, Number(key), element); // `view` has a kind, so it is a typed array
  return true;
}

/**
 * Defines a property of a typed array. Returns undefined if `view` is not a typed array or the key
 * is not numeric. Then the caller must define the property as for other objects.
 */
export function defineElement(view: object, key: PropertyKeyValue, descriptor: Descriptor): boolean | undefined {
  const kind = typedArrayKind(view);
  if (!kind || !isNumeric(key) || !("value" in descriptor)) return undefined;
  const { configurable, enumerable, writable, value } = descriptor;
  if (!isElementOf(view, key) || configurable === false || enumerable === false || writable === false) return false;
  if ("get" in descriptor || "set" in descriptor) return false;
  const element = toElement(kind, value);
  if (isElementOf(view, key)) storeElement(view as TypedArray, Number(key), element); // `view` has a kind, so it is a typed array
  return true;
}

/**
 * Refuses to list the keys of a typed array that has too many elements. The host would make a
 * string of each index before the interpreter could count any of them.
 *
 * @throws a guest RangeError
 */
export function refuseHugeKeyList(view: object): void {
  if (hasHugeKeyList(view)) throwRangeError("a typed array with so many elements cannot list its keys; use its length");
}

/**
 * Says whether an object is a typed array with so many elements that the host must not list its
 * keys.
 */
function hasHugeKeyList(object: object): boolean {
  return typedArrayKind(object) !== undefined && typedArrayLength(object) > maxKeyListLength;
}

const maxKeyListLength = 1_000_000;

/** Says whether the host may be unable to do a store: see {@link setElement}. */
export function mayNeedConversion(object: unknown, value: unknown): object is object {
  return typeof value !== "number" && isObject(object) && ArrayBuffer.isView(object);
}

/**
 * Says whether a key is the canonical text of a number. On typed arrays such a key can only refer
 * to an element.
 */
function isNumeric(key: PropertyKeyValue): key is string | number {
  if (typeof key !== "string") return typeof key === "number";
  return key === "-0" || String(Number(key)) === key;
}

function isElementOf(array: object, key: string | number): boolean {
  const index = Number(key);
  return key !== "-0" && Number.isInteger(index) && index >= 0 && index < typedArrayLength(array);
}

/**
 * Converts a value to an element of this kind of typed array. May call the value's conversion
 * methods.
 */
export function toElement(kind: TypedArrayKind | undefined, value: unknown): number | bigint {
  return holdsBigInts(kind) ? toBigInt(value) : toNumber(value);
}

/** Stores an element. Does nothing if the index is outside the array. */
export function storeElement(array: TypedArray, index: number, value: number | bigint): void {
  if (index < typedArrayLength(array)) array[index] = value;
}
