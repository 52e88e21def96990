// Methods of Array.prototype that call a function for each element.

import { throwTypeError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { call, call3, requireCallable } from "../../operations/call.ts";
import { lengthOfArrayLike, toIntegerOrInfinity, toObject } from "../../operations/conversion.ts";
import { isArray } from "../../operations/is-array.ts";
import { isTruthyResult, noteCallbackResult, noteIfPromise } from "../../operations/promise-watch.ts";
import { get } from "../../operations/property.ts";
import { counted, type MethodTable, withLength } from "../define.ts";
import type { Realm } from "../realm.ts";
import { hasElement } from "./plain-array.ts";
import { ResultArray } from "./result-array.ts";

/** Creates the methods that take a callback, and `flat`. */
export function arrayCallbackMethods(realm: Realm): MethodTable {
  return {
    every: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { object, length, fn } = receiver(realm, thisValue, callback, "every");
        for (let index = 0; index < length; index++) {
          realm.meter.charge(1);
          if (!hasElement(realm, object, index)) continue;
          if (!isTruthyResult(realm, call3(realm, fn, thisArg, get(object, index), index, object), "every"))
            return false;
        }
        return true;
      }),
    ),
    filter: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { object, length, fn } = receiver(realm, thisValue, callback, "filter");
        const result = new ResultArray(realm, object, 0);
        let kept = 0;
        for (let index = 0; index < length; index++) {
          realm.meter.charge(1);
          if (!hasElement(realm, object, index)) continue;
          const value = get(object, index);
          const given = call3(realm, fn, thisArg, value, index, object);
          if (isTruthyResult(realm, given, "filter")) result.define(kept++, value);
        }
        return result.array;
      }),
    ),
    flat: counted(
      withLength(0, (thisValue, depth) => {
        const object = toObject(realm, thisValue);
        const length = lengthOfArrayLike(object);
        const levels = depth === undefined ? 1 : toIntegerOrInfinity(depth);
        const result = new ResultArray(realm, object, 0);
        flatten(realm, result, object, length, 0, levels);
        return result.array;
      }),
    ),
    flatMap: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { object, length, fn } = receiver(realm, thisValue, callback, "flatMap");
        const result = new ResultArray(realm, object, 0);
        flatten(realm, result, object, length, 0, 1, (value, index) => {
          const given = call3(realm, fn, thisArg, value, index, object);
          return noteIfPromise(realm, given, "was returned to flatMap, which flattens only arrays");
        });
        return result.array;
      }),
    ),
    forEach: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { object, length, fn } = receiver(realm, thisValue, callback, "forEach");
        for (let index = 0; index < length; index++) {
          realm.meter.charge(1);
          if (!hasElement(realm, object, index)) continue;
          const given = call3(realm, fn, thisArg, get(object, index), index, object);
          if (typeof given === "object") noteCallbackResult(realm, given, "forEach");
        }
      }),
    ),
    map: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { object, length, fn } = receiver(realm, thisValue, callback, "map");
        const result = new ResultArray(realm, object, length);
        for (let index = 0; index < length; index++) {
          realm.meter.charge(1);
          if (hasElement(realm, object, index))
            result.define(index, call3(realm, fn, thisArg, get(object, index), index, object));
        }
        return result.finish(length);
      }),
    ),
    reduce: counted(
      withLength(1, (thisValue, callback, ...initial) => {
        const { object, length, fn } = receiver(realm, thisValue, callback, "reduce");
        return reduceFrom(realm, object, fn, initial, { start: 0, end: length, step: 1 });
      }),
    ),
    reduceRight: counted(
      withLength(1, (thisValue, callback, ...initial) => {
        const { object, length, fn } = receiver(realm, thisValue, callback, "reduceRight");
        return reduceFrom(realm, object, fn, initial, { start: length - 1, end: -1, step: -1 });
      }),
    ),
    some: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { object, length, fn } = receiver(realm, thisValue, callback, "some");
        for (let index = 0; index < length; index++) {
          realm.meter.charge(1);
          if (!hasElement(realm, object, index)) continue;
          if (isTruthyResult(realm, call3(realm, fn, thisArg, get(object, index), index, object), "some")) return true;
        }
        return false;
      }),
    ),
  };
}

function receiver(realm: Realm, thisValue: unknown, callback: unknown, method: string) {
  const object = toObject(realm, thisValue);
  const length = lengthOfArrayLike(object);
  return { object, length, fn: requireCallable(callback, method) };
}

interface Direction {
  readonly start: number;
  readonly end: number;
  readonly step: 1 | -1;
}

function reduceFrom(
  realm: Realm,
  object: GuestObject,
  fn: GuestObject,
  initial: readonly unknown[],
  { start, end, step }: Direction,
): unknown {
  let accumulator = initial[0];
  let isStarted = initial.length > 0;
  for (let index = start; index !== end; index += step) {
    realm.meter.charge(1);
    if (!hasElement(realm, object, index)) continue;
    const value = get(object, index);
    accumulator = isStarted ? call(fn, undefined, accumulator, value, index, object) : value;
    isStarted = true;
  }
  return isStarted ? accumulator : throwTypeError("an empty array needs an initial value to be reduced");
}

/**
 * Appends the elements of `source`. Replaces arrays among them by their elements, up to `levels`
 * deep. Returns the next free index.
 */
function flatten(
  realm: Realm,
  result: ResultArray,
  source: GuestObject,
  length: number,
  start: number,
  levels: number,
  change?: (value: unknown, index: number) => unknown,
): number {
  let target = start;
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    if (!hasElement(realm, source, index)) continue;
    const element = get(source, index);
    const value = change ? change(element, index) : element;
    if (levels > 0 && isArray(value)) target = flattenNested(realm, result, value, target, levels - 1);
    else result.define(target++, value);
  }
  return target;
}

function flattenNested(realm: Realm, result: ResultArray, source: GuestObject, start: number, levels: number): number {
  const { meter } = realm;
  if (++meter.depth > meter.maxDepth) meter.stop("call-depth");
  const target = flatten(realm, result, source, lengthOfArrayLike(source), start, levels);
  meter.depth--;
  return target;
}
