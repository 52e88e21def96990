// Methods of Array.prototype that make a new array and do not change the original.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import { pushTo } from "../../long-lists.ts";
import { lengthOfArrayLike, relativeIndex, toIntegerOrInfinity, toObject } from "../../operations/conversion.ts";
import { isArray } from "../../operations/is-array.ts";
import { noteIfPromise } from "../../operations/promise-watch.ts";
import { get } from "../../operations/property.ts";
import { counted, type MethodTable, withLength } from "../define.ts";
import type { Realm } from "../realm.ts";
import { hasElement, maxArrayLength } from "./plain-array.ts";
import { ResultArray } from "./result-array.ts";
import { comparatorOf, sortedValues } from "./sort.ts";

/** Creates the methods that copy. */
export function arrayCopyMethods(realm: Realm): MethodTable {
  return {
    concat: counted(withLength(1, (thisValue, ...items) => concat(realm, toObject(realm, thisValue), items))),
    slice: counted((thisValue, start, end) => {
      const object = toObject(realm, thisValue);
      const length = lengthOfArrayLike(object);
      const from = relativeIndex(start, length, 0);
      const final = relativeIndex(end, length, length);
      const result = new ResultArray(realm, object, Math.max(final - from, 0));
      appendElements(realm, result, object, from, final, 0);
      result.setLength(Math.max(final - from, 0));
      return result.array;
    }),
    toReversed: counted((thisValue) => {
      const object = toObject(realm, thisValue);
      const length = lengthOfArrayLike(object);
      return realm.newArray(readBackwards(realm, object, requireShort(length)));
    }),
    toSorted: counted((thisValue, comparator) => {
      const compare = comparatorOf(comparator, "toSorted");
      const object = toObject(realm, thisValue);
      const length = requireShort(lengthOfArrayLike(object));
      return realm.newArray(sortedValues(realm, readElements(realm, object, 0, length), compare));
    }),
    toSpliced: counted(withLength(2, (thisValue, ...args) => toSpliced(realm, toObject(realm, thisValue), args))),
    with: counted((thisValue, position, value) => {
      const object = toObject(realm, thisValue);
      const length = lengthOfArrayLike(object);
      const relative = toIntegerOrInfinity(position);
      const index = relative < 0 ? length + relative : relative;
      if (index < 0 || index >= length) return throwRangeError(`index ${relative} is outside the array`);
      requireShort(length);
      const list = readElements(realm, object, 0, index);
      pushTo(list, value);
      for (const element of readElements(realm, object, index + 1, length)) pushTo(list, element);
      return realm.newArray(list);
    }),
  };
}

function concat(realm: Realm, object: GuestObject, items: readonly unknown[]): GuestObject {
  const result = new ResultArray(realm, object, 0);
  let count = 0;
  for (const item of [object, ...items]) {
    if (!isConcatSpreadable(item)) {
      requireRoom(count + 1);
      realm.meter.charge(1);
      result.define(count++, noteIfPromise(realm, item, "was passed to concat, which adds the promise itself"));
      continue;
    }
    const length = lengthOfArrayLike(item);
    requireRoom(count + length);
    appendElements(realm, result, item, 0, length, count);
    count += length;
  }
  result.setLength(count);
  return result.array;
}

function isConcatSpreadable(value: unknown): value is GuestObject {
  if (!isObject(value)) return false;
  const spreadable = get(value, Symbol.isConcatSpreadable);
  return spreadable === undefined ? isArray(value) : Boolean(spreadable);
}

function requireRoom(length: number): void {
  if (length > Number.MAX_SAFE_INTEGER) throwTypeError("an array-like object cannot become longer than 2 ** 53 - 1");
}

/** Copies a range of elements of `source`, including holes, to the end of `target`. */
function appendElements(
  realm: Realm,
  result: ResultArray,
  source: GuestObject,
  start: number,
  end: number,
  target: number,
): void {
  for (let index = start; index < end; index++) {
    realm.meter.charge(1);
    if (hasElement(realm, source, index)) result.define(target + index - start, get(source, index));
  }
}

function toSpliced(realm: Realm, object: GuestObject, args: readonly unknown[]): GuestObject {
  const length = lengthOfArrayLike(object);
  const start = relativeIndex(args[0], length, 0);
  const skipped = skipCount(args, length, start);
  const items = args.slice(2);
  const newLength = length + items.length - skipped;
  requireRoom(newLength);
  requireShort(newLength);
  const list = readElements(realm, object, 0, start);
  for (const item of items) pushTo(list, item);
  for (const element of readElements(realm, object, start + skipped, length)) pushTo(list, element);
  return realm.newArray(list);
}

function skipCount(args: readonly unknown[], length: number, start: number): number {
  if (args.length === 0) return 0;
  if (args.length === 1) return length - start;
  return Math.min(Math.max(toIntegerOrInfinity(args[1]), 0), length - start);
}

function requireShort(length: number): number {
  return length > maxArrayLength ? throwRangeError(`an array cannot have ${length} elements`) : length;
}

/**
 * Returns a range of elements, with undefined for holes. The result is a host array, which guest
 * code must not see.
 */
function readElements(realm: Realm, object: GuestObject, start: number, end: number): unknown[] {
  const list: unknown[] = [];
  for (let index = start; index < end; index++) {
    realm.meter.charge(1);
    realm.meter.allocateElement(list, list.length);
    list.push(get(object, index));
  }
  return list;
}

function readBackwards(realm: Realm, object: GuestObject, length: number): unknown[] {
  const list: unknown[] = [];
  for (let index = length - 1; index >= 0; index--) {
    realm.meter.charge(1);
    realm.meter.allocateElement(list, list.length);
    list.push(get(object, index));
  }
  return list;
}
