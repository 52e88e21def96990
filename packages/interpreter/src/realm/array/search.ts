// Methods of Array.prototype that search without changing the array.

import type { GuestObject } from "../../guest-value.ts";
import { call, call3, invoke, isCallable, requireCallable } from "../../operations/call.ts";
import { isStrictlyEqual, sameValueZero } from "../../operations/comparison.ts";
import {
  lengthOfArrayLike,
  relativeIndex,
  toIntegerOrInfinity,
  toObject,
  toStringValue,
} from "../../operations/conversion.ts";
import { isPlainlyIterable } from "../../operations/iterator.ts";
import { isTruthyResult, noteIfPromise } from "../../operations/promise-watch.ts";
import { get } from "../../operations/property.ts";
import { counted, type MethodTable, withLength } from "../define.ts";
import { objectToString } from "../object/prototype.ts";
import type { Realm } from "../realm.ts";
import { hasElement } from "./plain-array.ts";

/** Creates the methods that search for elements, and those that convert them to text. */
export function arraySearchMethods(realm: Realm): MethodTable {
  return {
    at: counted((thisValue, position) => {
      const object = toObject(realm, thisValue);
      const length = lengthOfArrayLike(object);
      const relative = toIntegerOrInfinity(position);
      const index = relative < 0 ? length + relative : relative;
      return index < 0 || index >= length ? undefined : get(object, index);
    }),
    find: counted(
      withLength(1, (thisValue, callback, thisArg) => findIn(realm, thisValue, callback, thisArg, "find").value),
    ),
    findIndex: counted(
      withLength(1, (thisValue, callback, thisArg) => findIn(realm, thisValue, callback, thisArg, "findIndex").index),
    ),
    findLast: counted(
      withLength(
        1,
        (thisValue, callback, thisArg) => findLastIn(realm, thisValue, callback, thisArg, "findLast").value,
      ),
    ),
    findLastIndex: counted(
      withLength(
        1,
        (thisValue, callback, thisArg) => findLastIn(realm, thisValue, callback, thisArg, "findLastIndex").index,
      ),
    ),
    includes: counted(
      withLength(1, (thisValue, sought, from) => {
        const object = toObject(realm, thisValue);
        const length = lengthOfArrayLike(object);
        for (let index = length === 0 ? 0 : relativeIndex(from, length, 0); index < length; index++) {
          realm.meter.charge(1);
          if (sameValueZero(get(object, index), sought)) return true;
        }
        noteSearch(realm, object, sought);
        return false;
      }),
    ),
    indexOf: counted(
      withLength(1, (thisValue, sought, from) => {
        const object = toObject(realm, thisValue);
        const length = lengthOfArrayLike(object);
        for (let index = length === 0 ? 0 : relativeIndex(from, length, 0); index < length; index++) {
          realm.meter.charge(1);
          if (hasElement(realm, object, index) && isStrictlyEqual(get(object, index), sought)) return index;
        }
        noteSearch(realm, object, sought);
        return -1;
      }),
    ),
    lastIndexOf: counted(
      withLength(1, (thisValue, sought, ...from) => {
        const object = toObject(realm, thisValue);
        const length = lengthOfArrayLike(object);
        for (let index = lastStart(length, from); index >= 0; index--) {
          realm.meter.charge(1);
          if (hasElement(realm, object, index) && isStrictlyEqual(get(object, index), sought)) return index;
        }
        return -1;
      }),
    ),
    join: counted((thisValue, separator) => {
      const object = toObject(realm, thisValue);
      const length = lengthOfArrayLike(object);
      const text = separator === undefined ? "," : toStringValue(separator);
      return joinElements(realm, object, length, text, toStringValue);
    }),
    toLocaleString: counted(
      withLength(0, (thisValue, locales, options) => {
        const object = toObject(realm, thisValue);
        const length = lengthOfArrayLike(object);
        const toText = (value: unknown) => toStringValue(invoke(realm, value, "toLocaleString", locales, options));
        return joinElements(realm, object, length, ",", toText);
      }),
    ),
    toString: counted((thisValue: unknown) => {
      const object = toObject(realm, thisValue);
      const join = get(object, "join");
      return isCallable(join) ? call(join, object) : objectToString(realm, object);
    }),
  };
}

/**
 * Called when a search found nothing. Records the sought value and the elements that are promises,
 * because the program may have forgotten to await them.
 */
function noteSearch(realm: Realm, object: GuestObject, sought: unknown): void {
  if (!realm.promiseWatch) return;
  noteIfPromise(realm, sought, "was searched for in an array");
  if (!isPlainlyIterable(realm, object)) return;
  for (let index = 0; index < Math.min(object.length, maxChecked); index++)
    noteIfPromise(realm, object[index], "was in an array that was searched for another value");
}

const maxChecked = 64;

interface Found {
  readonly index: number;
  readonly value: unknown;
}

const nothing: Found = { index: -1, value: undefined };

function findIn(realm: Realm, thisValue: unknown, callback: unknown, thisArg: unknown, method: string): Found {
  const object = toObject(realm, thisValue);
  const length = lengthOfArrayLike(object);
  const matches = requireCallable(callback, method);
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    const value = get(object, index);
    if (isTruthyResult(realm, call3(realm, matches, thisArg, value, index, object), method)) return { index, value };
  }
  return nothing;
}

function findLastIn(realm: Realm, thisValue: unknown, callback: unknown, thisArg: unknown, method: string): Found {
  const object = toObject(realm, thisValue);
  const length = lengthOfArrayLike(object);
  const matches = requireCallable(callback, method);
  for (let index = length - 1; index >= 0; index--) {
    realm.meter.charge(1);
    const value = get(object, index);
    if (isTruthyResult(realm, call3(realm, matches, thisArg, value, index, object), method)) return { index, value };
  }
  return nothing;
}

/**
 * Returns the index at which `lastIndexOf` starts. If the argument is present but undefined, that
 * is 0.
 */
function lastStart(length: number, from: readonly unknown[]): number {
  if (length === 0) return -1;
  const start = from.length > 0 ? toIntegerOrInfinity(from[0]) : length - 1;
  return start < 0 ? length + start : Math.min(start, length - 1);
}

// The objects whose elements are being joined now. An object that contains itself is joined as "",
// as in every engine. All sessions can share the set, because they do not share objects.
const joining = new Set<GuestObject>();

function joinElements(
  realm: Realm,
  object: GuestObject,
  length: number,
  separator: string,
  toText: (value: unknown) => string,
): string {
  if (joining.has(object)) return "";
  joining.add(object);
  try {
    let text = "";
    for (let index = 0; index < length; index++) {
      const value = get(object, index);
      const element = value === undefined || value === null ? "" : toText(value);
      realm.meter.charge(1);
      realm.meter.allocate(48 + 2 * (element.length + separator.length));
      text += index === 0 ? element : separator + element;
    }
    return text;
  } finally {
    joining.delete(object);
  }
}
