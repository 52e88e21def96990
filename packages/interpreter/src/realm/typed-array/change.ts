// Methods of typed arrays that change the elements.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { call } from "../../operations/call.ts";
import {
  lengthOfArrayLike,
  relativeIndex,
  toIntegerOrInfinity,
  toNumber,
  toObject,
} from "../../operations/conversion.ts";
import { get } from "../../operations/property.ts";
import { storeElement, toElement } from "../../operations/typed-array-element.ts";
import {
  holdsBigInts,
  hostMethods,
  isOutOfBounds,
  type TypedArray,
  typedArrayKind,
  typedArrayLength,
} from "../../slots/typed-array.ts";
import { comparatorOf, mergeSort } from "../array/sort.ts";
import { counted, type MethodTable, withLength } from "../define.ts";
import type { Realm } from "../realm.ts";
import { requireAnyTypedArray, requireTypedArray } from "./receiver.ts";

/** Creates the methods that change the elements in place. */
export function typedArrayChangeMethods(realm: Realm): MethodTable {
  return {
    copyWithin: counted(
      withLength(2, (thisValue, target, start, end) => {
        const array = requireTypedArray(thisValue, "copyWithin");
        const length = typedArrayLength(array);
        const to = relativeIndex(target, length, 0);
        const from = relativeIndex(start, length, 0);
        const final = relativeIndex(end, length, length);
        const count = Math.min(final - from, length - to);
        if (count <= 0) return array;
        requireTypedArray(array, "copyWithin");
        realm.meter.charge(length >>> 6);
        hostMethods.copyWithin.call(array, to, from, from + count);
        return array;
      }),
    ),
    fill: counted(
      withLength(1, (thisValue, value, start, end) => {
        const array = requireTypedArray(thisValue, "fill");
        const length = typedArrayLength(array);
        const element = toElement(typedArrayKind(array), value);
        const first = relativeIndex(start, length, 0);
        const final = relativeIndex(end, length, length);
        requireTypedArray(array, "fill");
        realm.meter.charge(length >>> 6);
        hostMethods.fill.call(array, element, first, final);
        return array;
      }),
    ),
    reverse: counted((thisValue) => {
      const array = requireTypedArray(thisValue, "reverse");
      realm.meter.charge(typedArrayLength(array) >>> 4);
      hostMethods.reverse.call(array);
      return array;
    }),
    set: counted(
      withLength(1, (thisValue, source, offset) => {
        const array = requireAnyTypedArray(thisValue, "set");
        const start = toIntegerOrInfinity(offset);
        if (start < 0) return throwRangeError(`the offset ${start} is below 0`);
        if (typedArrayKind(source))
          setFromTypedArray(realm, array, start, source as TypedArray); // `source` is a typed array
        else setFromArrayLike(realm, array, start, source);
        return undefined;
      }),
    ),
    sort: counted((thisValue, comparator) => {
      const compare = comparatorOf(comparator, "sort");
      const array = requireTypedArray(thisValue, "sort");
      if (compare)
        storeAll(
          array,
          sortedElements(realm, array, (left, right) => call(compare, undefined, left, right)),
        );
      else sortByValue(realm, array);
      return array;
    }),
  };
}

/**
 * Returns the elements, sorted by a guest's comparator. The result is a host array, which guest
 * code must not see.
 */
export function sortedElements(
  realm: Realm,
  array: TypedArray,
  compare: (left: unknown, right: unknown) => unknown,
): (number | bigint)[] {
  const length = typedArrayLength(array);
  realm.meter.charge(length);
  realm.meter.allocate(8 * length);
  const elements: (number | bigint)[] = [];
  for (let index = 0; index < length; index++) elements.push(array[index] as number | bigint); // `index` is less than the length
  return mergeSort(realm, elements, (left, right) => toNumber(compare(left, right)));
}

/** Sorts a typed array in place, smallest element first. */
export function sortByValue(realm: Realm, array: TypedArray): void {
  const length = typedArrayLength(array);
  realm.meter.charge(Math.ceil(length * Math.log2(length + 1)) >>> 3);
  hostMethods.sort.call(array);
}

/** Stores these elements, beginning at index 0. */
export function storeAll(array: TypedArray, elements: readonly (number | bigint)[]): void {
  for (const [index, element] of elements.entries()) storeElement(array, index, element);
}

function setFromTypedArray(realm: Realm, target: TypedArray, start: number, source: TypedArray): void {
  requireInBounds(target);
  requireInBounds(source);
  if (holdsBigInts(typedArrayKind(target)) !== holdsBigInts(typedArrayKind(source)))
    throwTypeError(
      `a ${typedArrayKind(source)} cannot be put into a ${typedArrayKind(target)}: one of them contains bigints`,
    );
  const count = typedArrayLength(source);
  requireRoom(target, start, count);
  realm.meter.charge(count >>> 4);
  hostMethods.set.call(target, source, start);
}

function setFromArrayLike(realm: Realm, target: TypedArray, start: number, source: unknown): void {
  requireInBounds(target);
  const room = typedArrayLength(target);
  const object = toObject(realm, source);
  const count = lengthOfArrayLike(object);
  requireRoom(target, start, count, room);
  const kind = typedArrayKind(target);
  for (let index = 0; index < count; index++) {
    realm.meter.charge(1);
    storeElement(target, start + index, toElement(kind, get(object, index)));
  }
}

function requireInBounds(array: TypedArray): void {
  if (isOutOfBounds(array)) throwTypeError("the typed array's buffer is gone");
}

function requireRoom(target: TypedArray, start: number, count: number, room: number = typedArrayLength(target)): void {
  if (start + count > room)
    throwRangeError(`${count} elements do not fit into a typed array of ${room} at offset ${start}`);
}
