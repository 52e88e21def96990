// Type conversion. The functions are named after the operations of the specification. The only
// guest code that can run here is a conversion method of an object.

import { throwError, throwRangeError, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots } from "../guest-value.ts";
import { chargeReading, checkClockSooner, requireTime } from "../limits.ts";
import type { Realm } from "../realm/realm.ts";
import { bitLength, chargeBigints, chargeDigits, textToBigint } from "./bigint-cost.ts";
import { call, getMethodOf, isCallable } from "./call.ts";
import { get, type PropertyKeyValue, prototypeOfPrimitive } from "./property.ts";
import { valueText } from "./text.ts";

/** A value that is not an object. */
export type Primitive = string | number | bigint | boolean | symbol | undefined | null;

/**
 * The slots of a Number, Boolean, Symbol, BigInt or String object. (A String object is, in
 * addition, a String object of the host.)
 */
export class PrimitiveSlots implements Slots {
  readonly type = "primitive";
  readonly value: Primitive;

  constructor(value: Primitive) {
    this.value = value;
  }

  get held(): readonly unknown[] {
    return [this.value];
  }
}

/** Converts an object to a primitive by its own methods. Returns primitives as they are. */
export function toPrimitive(value: unknown, hint: "default" | "number" | "string" = "default"): Primitive {
  if (!isObject(value)) return value as Primitive; // host functions are never guest values, so any other value is primitive
  const exotic = getMethodOf(value, Symbol.toPrimitive);
  if (exotic === undefined) return ordinaryToPrimitive(value, hint === "default" ? "number" : hint);
  const result = call(exotic, value, hint);
  if (isObject(result)) return throwTypeError("[Symbol.toPrimitive] returned an object");
  return result as Primitive; // host functions are never guest values
}

/** The same as {@link toPrimitive}, but ignores `Symbol.toPrimitive`. */
export function ordinaryToPrimitive(object: GuestObject, hint: "number" | "string"): Primitive {
  for (const key of hint === "string" ? ["toString", "valueOf"] : ["valueOf", "toString"]) {
    const method = get(object, key);
    if (!isCallable(method)) continue;
    const result = call(method, object);
    if (!isObject(result)) return result as Primitive; // host functions are never guest values
  }
  return throwTypeError(`cannot convert ${valueText(object)} to a primitive value`);
}

/** Converts a value to a boolean, like `!!value`. */
export function toBoolean(value: unknown): boolean {
  return Boolean(value);
}

/** Converts a value to a number. @throws a guest TypeError for symbols and bigints */
export function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  const primitive = toPrimitive(value, "number");
  if (typeof primitive === "symbol") return throwTypeError("cannot convert a symbol to a number");
  if (typeof primitive === "bigint") return throwTypeError("cannot convert a bigint to a number; write Number(value)");
  if (typeof primitive === "string") chargeReading(2 * primitive.length);
  return Number(primitive);
}

/** Converts a value to a number, but keeps bigints. */
export function toNumeric(value: unknown): number | bigint {
  if (typeof value === "number") return value;
  const primitive = toPrimitive(value, "number");
  return typeof primitive === "bigint" ? primitive : toNumber(primitive);
}

/** Converts a value to a string. @throws a guest TypeError for symbols */
export function toStringValue(value: unknown): string {
  if (typeof value === "string") return value;
  const primitive = toPrimitive(value, "string");
  if (typeof primitive === "symbol") return throwTypeError("cannot convert a symbol to a string");
  return textOf(primitive);
}

function textOf(primitive: Exclude<Primitive, symbol>): string {
  if (typeof primitive === "bigint") chargeBigintText(primitive);
  return String(primitive);
}

/** Charges for the decimal digits of a bigint. */
function chargeBigintText(number: bigint): void {
  const bits = bitLength(number);
  if (bits > 64) chargeDigits(bits >>> 2);
}

/**
 * Converts a value to a property key. May run guest code, so call it only once for each evaluated
 * key.
 */
export function toPropertyKey(value: unknown): PropertyKeyValue {
  if (typeof value === "string") return value.length > longKey ? countedKey(value) : value;
  if (typeof value === "symbol") return value;
  if (typeof value === "number" && value >= 0 && value < 2 ** 31 && Math.floor(value) === value) return value;
  const primitive = toPrimitive(value, "string");
  return typeof primitive === "symbol" ? primitive : countedKey(textOf(primitive));
}

/**
 * The maximum length of a property key that costs nothing extra. A longer key is charged by its
 * length, because the host copies each string that becomes a key, and looks it up among all keys.
 */
export const longKey = 512;

/**
 * The maximum length of a string whose content V8 hashes. For a longer string, V8 uses the length
 * as the hash, so it compares all long strings of one length with each other.
 */
export const maxHashedLength: number = 16_383;

/** Returns `text` for use as a property key, and charges for its length. */
export function countedKey(text: string): string {
  if (text.length <= longKey) return text;
  chargeReading(2 * text.length);
  if (text.length > maxHashedLength) checkClockSooner((keysOfObject * text.length) / charactersComparedInOperation);
  return text;
}

// The assumed number of long keys of an object.
const keysOfObject = 64;
const charactersComparedInOperation = 2_048;

/**
 * Charges for looking up a key in a collection. Strings and bigints are charged by their length;
 * other keys cost almost nothing. `entries` is the size of the collection.
 */
export function chargeEntryKey(key: unknown, entries: number): void {
  if (typeof key === "string") {
    if (key.length > longKey) chargeLongEntryKey(key.length, entries);
  } else if (typeof key === "bigint") {
    chargeBigints(key);
    checkClockSooner(entries / 16); // V8 hashes only the last word of a bigint
  }
}

function chargeLongEntryKey(length: number, entries: number): void {
  chargeReading(2 * length);
  if (length > maxHashedLength) requireTime((entries * length) / charactersComparedInOperation);
}

/** Converts a value to an object. @throws a guest TypeError for undefined and null */
export function toObject(realm: Realm, value: unknown): GuestObject {
  if (isObject(value)) return value;
  if (value === undefined || value === null) return throwTypeError(`cannot convert ${value} to an object`);
  const primitive = value as Primitive; // the value is not an object
  if (typeof primitive === "string") return realm.newStringObject(primitive);
  realm.meter.allocate(96);
  const object = Object.create(prototypeOfPrimitive(realm, primitive)) as GuestObject;
  return brand(object, new PrimitiveSlots(primitive));
}

/** Returns the value. @throws a guest TypeError for undefined and null */
export function requireObjectCoercible<T>(value: T, what: string): T {
  if (value === undefined || value === null) throwTypeError(`${what} was called on ${value}`);
  return value;
}

/** Converts a value to a whole number or an infinity; NaN becomes 0. */
export function toIntegerOrInfinity(value: unknown): number {
  if (typeof value === "number") {
    const integer = value | 0;
    if (integer === value) return integer; // the usual case; `integer` is not -0
  }
  const number = toNumber(value);
  return Number.isNaN(number) ? 0 : Math.trunc(number) + 0;
}

/** Converts a value to a length: a whole number from 0 to 2^53 - 1. */
export function toLength(value: unknown): number {
  return Math.min(Math.max(toIntegerOrInfinity(value), 0), Number.MAX_SAFE_INTEGER);
}

/** Returns the length of an array-like object. */
export function lengthOfArrayLike(object: GuestObject): number {
  return toLength(get(object, "length"));
}

/**
 * Converts a value to a whole number from 0 to 2^53 - 1. @throws a guest RangeError for other
 * numbers
 */
export function toIndex(value: unknown): number {
  const integer = toIntegerOrInfinity(value);
  if (integer < 0 || integer > Number.MAX_SAFE_INTEGER) return throwRangeError(`${integer} is not a valid index`);
  return integer;
}

/** Converts a value to a 32-bit signed integer. */
export function toInt32(value: unknown): number {
  return toNumber(value) | 0;
}

/** Converts a value to a 32-bit unsigned integer. */
export function toUint32(value: unknown): number {
  return toNumber(value) >>> 0;
}

/**
 * Converts a value to a bigint. @throws a guest TypeError for numbers, a guest SyntaxError for a
 * string that is not a bigint
 */
export function toBigInt(value: unknown): bigint {
  const primitive = toPrimitive(value, "number");
  switch (typeof primitive) {
    case "bigint":
      return primitive;
    case "boolean":
      return BigInt(primitive);
    case "string":
      return parseBigInt(primitive);
    default:
      return throwTypeError(`cannot convert ${valueText(primitive)} to a bigint`);
  }
}

function parseBigInt(text: string): bigint {
  return textToBigint(text) ?? throwError("SyntaxError", `cannot convert ${valueText(text)} to a bigint`);
}

/**
 * Converts an argument to an index from 0 to `length`. Negative arguments count from the end.
 * `absent` is the index if there is no argument.
 */
export function relativeIndex(value: unknown, length: number, absent: number): number {
  if (value === undefined) return absent;
  const index = toIntegerOrInfinity(value);
  return index < 0 ? Math.max(length + index, 0) : Math.min(index, length);
}
