// Stores values other than numbers into typed arrays. The host stores numbers by itself. Objects
// become numbers through their own methods, which the host could not call, and texts that are not
// bigints throw errors of the guest.

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
 * `array[key] = value` on any view; undefined when the key names no element, and the view is an
 * object like others.
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
  if (isElementOf(view, key)) storeElement(view as TypedArray, Number(key), element); // it has a kind
  return true;
}

/**
 * Defines a property of any view; undefined when the key names no element, and the view is an
 * object like others.
 */
export function defineElement(view: object, key: PropertyKeyValue, descriptor: Descriptor): boolean | undefined {
  const kind = typedArrayKind(view);
  if (!kind || !isNumeric(key) || !("value" in descriptor)) return undefined;
  const { configurable, enumerable, writable, value } = descriptor;
  if (!isElementOf(view, key) || configurable === false || enumerable === false || writable === false) return false;
  if ("get" in descriptor || "set" in descriptor) return false;
  const element = toElement(kind, value);
  if (isElementOf(view, key)) storeElement(view as TypedArray, Number(key), element); // it has a kind
  return true;
}

/**
 * Refuses to list the keys of a typed array that has too many: the host would make a text of each
 * before any of them could be counted.
 *
 * @throws a guest RangeError
 */
export function refuseHugeKeyList(view: object): void {
  if (hasHugeKeyList(view)) throwRangeError("a typed array of so many elements cannot list its keys; go by its length");
}

/**
 * Whether the host must not be asked for the keys of an object, because it is a typed array with
 * very many elements.
 */
function hasHugeKeyList(object: object): boolean {
  return typedArrayKind(object) !== undefined && typedArrayLength(object) > longestKeyList;
}

const longestKeyList = 1_000_000;

/** Whether a store must go by {@link setElement} or {@link defineElement}. */
export function mayNeedConversion(object: unknown, value: unknown): object is object {
  return typeof value !== "number" && isObject(object) && ArrayBuffer.isView(object);
}

/**
 * Whether a key is a number in its canonical text, which on typed arrays can name nothing but an
 * element.
 */
function isNumeric(key: PropertyKeyValue): key is string | number {
  if (typeof key !== "string") return typeof key === "number";
  return key === "-0" || String(Number(key)) === key;
}

function isElementOf(array: object, key: string | number): boolean {
  const index = Number(key);
  return key !== "-0" && Number.isInteger(index) && index >= 0 && index < typedArrayLength(array);
}

/** The value as an element of a kind of typed array. May call the value's conversion methods. */
export function toElement(kind: TypedArrayKind | undefined, value: unknown): number | bigint {
  return holdsBigInts(kind) ? toBigInt(value) : toNumber(value);
}

/** Stores an element; an index without a place is passed over. */
export function storeElement(array: TypedArray, index: number, value: number | bigint): void {
  if (index < typedArrayLength(array)) array[index] = value;
}
