// Methods of typed arrays that read the elements without changing them, and the iterators of typed
// arrays.

import { isObject } from "../../guest-value.ts";
import { call, invoke, requireCallable } from "../../operations/call.ts";
import { sameValueZero } from "../../operations/comparison.ts";
import { relativeIndex, toIntegerOrInfinity, toStringValue } from "../../operations/conversion.ts";
import { type TypedArray, typedArrayLength } from "../../slots/typed-array.ts";
import { createArrayIterator } from "../array/iterator.ts";
import { brief, counted, type MethodTable, withLength } from "../define.ts";
import type { Realm } from "../realm.ts";
import { requireTypedArray } from "./receiver.ts";

/** Creates the methods that search for elements, convert them to text, or iterate. */
export function typedArraySearchMethods(realm: Realm): MethodTable {
  const iterating = (kind: "entries" | "keys" | "values") => (thisValue: unknown) =>
    createArrayIterator(realm, requireTypedArray(thisValue, kind), kind);
  return {
    at: brief((thisValue, position) => {
      const array = requireTypedArray(thisValue, "at");
      const length = typedArrayLength(array);
      const relative = toIntegerOrInfinity(position);
      return array[relative < 0 ? length + relative : relative];
    }),
    entries: brief(iterating("entries")),
    find: counted(finding(realm, "find")),
    findIndex: counted(finding(realm, "findIndex")),
    findLast: counted(finding(realm, "findLast")),
    findLastIndex: counted(finding(realm, "findLastIndex")),
    includes: counted(
      withLength(1, (thisValue, sought, from) => {
        const array = requireTypedArray(thisValue, "includes");
        const length = typedArrayLength(array);
        for (let index = length === 0 ? 0 : relativeIndex(from, length, 0); index < length; index++) {
          realm.meter.charge(1);
          if (sameValueZero(array[index], sought)) return true;
        }
        return false;
      }),
    ),
    indexOf: counted(
      withLength(1, (thisValue, sought, from) => {
        const array = requireTypedArray(thisValue, "indexOf");
        const length = typedArrayLength(array);
        const start = length === 0 ? 0 : relativeIndex(from, length, 0);
        if (isObject(sought) || sought === undefined) return -1;
        for (let index = start; index < length; index++) {
          realm.meter.charge(1);
          if (array[index] === sought) return index;
        }
        return -1;
      }),
    ),
    join: counted((thisValue, separator) => {
      const array = requireTypedArray(thisValue, "join");
      const length = typedArrayLength(array);
      return join(realm, array, length, separator === undefined ? "," : toStringValue(separator), String);
    }),
    keys: brief(iterating("keys")),
    lastIndexOf: counted(
      withLength(1, (thisValue, sought, ...from) => {
        const array = requireTypedArray(thisValue, "lastIndexOf");
        const length = typedArrayLength(array);
        if (length === 0) return -1;
        const start = from.length > 0 ? toIntegerOrInfinity(from[0]) : length - 1;
        if (sought === undefined) return -1;
        for (let index = start < 0 ? length + start : Math.min(start, length - 1); index >= 0; index--) {
          realm.meter.charge(1);
          if (array[index] === sought) return index;
        }
        return -1;
      }),
    ),
    toLocaleString: counted(
      withLength(0, (thisValue, locales, options) => {
        const array = requireTypedArray(thisValue, "toLocaleString");
        const toText = (value: unknown) => toStringValue(invoke(realm, value, "toLocaleString", locales, options));
        return join(realm, array, typedArrayLength(array), ",", toText);
      }),
    ),
    values: brief(iterating("values")),
  };
}

type FindMethod = "find" | "findIndex" | "findLast" | "findLastIndex";

function finding(realm: Realm, method: FindMethod) {
  const isLast = method === "findLast" || method === "findLastIndex";
  const returnsIndex = method === "findIndex" || method === "findLastIndex";
  return withLength(1, (thisValue, callback, thisArg) => {
    const array = requireTypedArray(thisValue, method);
    const length = typedArrayLength(array);
    const matches = requireCallable(callback, method);
    for (let count = 0; count < length; count++) {
      realm.meter.charge(1);
      const index = isLast ? length - 1 - count : count;
      const value = array[index];
      if (call(matches, thisArg, value, index, array)) return returnsIndex ? index : value;
    }
    return returnsIndex ? -1 : undefined;
  });
}

function join(
  realm: Realm,
  array: TypedArray,
  length: number,
  separator: string,
  toText: (value: unknown) => string,
): string {
  let text = "";
  let parts: string[] = [];
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    const value = array[index];
    const element = value === undefined ? "" : toText(value);
    realm.meter.allocate(16 + 2 * (element.length + separator.length));
    parts.push(element);
    // The parts are joined in batches. If they were concatenated one by one, the host would keep a
    // tree of all the concatenations.
    if (parts.length < partsAtOnce && index < length - 1) continue;
    text += (index < partsAtOnce ? "" : separator) + parts.join(separator);
    parts = [];
  }
  return text;
}

const partsAtOnce = 1_000;
