// Methods of Array.prototype that change the array itself. For plain arrays, they are simple loops.
// These have the same effect as the steps of the specification, because they read and write the
// same properties. (The host's own methods would not be faster: they are fast only for arrays with
// the host's prototype.) The work is charged before it starts. For all other objects, the methods
// go through the steps of the specification one by one.

import { throwTypeError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { lengthOfArrayLike, relativeIndex, toIntegerOrInfinity, toObject } from "../../operations/conversion.ts";
import { beforeElement, beforeLengthChange, mayBeTable, noteTable } from "../../operations/holes.ts";
import { deletePropertyOrThrow, get, setOrThrow } from "../../operations/property.ts";
import { counted, type MethodTable, withLength } from "../define.ts";
import type { Realm } from "../realm.ts";
import { hasElement, isPlainArray, maxArrayLength, setHostLength } from "./plain-array.ts";
import { ResultArray } from "./result-array.ts";
import { comparatorOf, sortedValues } from "./sort.ts";

/** Creates the methods that change the array. */
export function arrayChangeMethods(realm: Realm): MethodTable {
  return { ...endMethods(realm), ...rangeMethods(realm), ...orderMethods(realm) };
}

/** Creates the methods that add or remove elements at an end. */
function endMethods(realm: Realm): MethodTable {
  return {
    pop: counted((thisValue) => {
      const object = toObject(realm, thisValue);
      const length = lengthOfArrayLike(object);
      if (length === 0) return setLength(object, 0);
      const value = get(object, length - 1);
      if (isPlainArray(realm, object) && shorten(object, length - 1)) return value;
      deletePropertyOrThrow(object, length - 1);
      setLength(object, length - 1);
      return value;
    }),
    push: counted(
      withLength(1, (thisValue, ...items) => {
        const object = toObject(realm, thisValue);
        if (items.length === 1 && isPlainArray(realm, object)) {
          realm.meter.allocateElement(object, object.length);
          if (append(object, items[0])) return object.length;
        }
        const length = lengthOfArrayLike(object);
        realm.meter.allocate(8 * items.length);
        storeAll(realm, object, length, items);
        setLengthAfter(realm, object, items.length, length + items.length);
        return length + items.length;
      }),
    ),
    shift: counted((thisValue) => {
      const object = toObject(realm, thisValue);
      const length = lengthOfArrayLike(object);
      if (length === 0) return setLength(object, 0);
      const first = get(object, 0);
      moveElements(realm, object, 1, 0, length - 1);
      if (isPlainArray(realm, object) && shorten(object, length - 1)) return first;
      deletePropertyOrThrow(object, length - 1);
      setLength(object, length - 1);
      return first;
    }),
    unshift: counted(
      withLength(1, (thisValue, ...items) => {
        const object = toObject(realm, thisValue);
        const length = lengthOfArrayLike(object);
        if (items.length > 0) {
          requireRoom(length + items.length);
          growAndMove(realm, object, 0, items.length, length);
          storeAll(realm, object, 0, items);
        }
        setLengthAfter(realm, object, items.length, length + items.length);
        return length + items.length;
      }),
    ),
  };
}

/** Creates the methods that change a range of elements. */
function rangeMethods(realm: Realm): MethodTable {
  return {
    copyWithin: counted(
      withLength(2, (thisValue, target, start, end) => {
        const object = toObject(realm, thisValue);
        const length = lengthOfArrayLike(object);
        const to = relativeIndex(target, length, 0);
        const from = relativeIndex(start, length, 0);
        const final = relativeIndex(end, length, length);
        moveElements(realm, object, from, to, Math.min(final - from, length - to));
        return object;
      }),
    ),
    fill: counted(
      withLength(1, (thisValue, value, start, end) => {
        const object = toObject(realm, thisValue);
        const length = lengthOfArrayLike(object);
        const from = relativeIndex(start, length, 0);
        const final = relativeIndex(end, length, length);
        if (isPlainArray(realm, object) && final <= object.length) {
          realm.meter.allocate(8 * Math.max(0, final - from));
          inBlocks(realm, final - from, (offset, count) => fillWithin(object, from + offset, count, value));
          return object;
        }
        for (let index = from; index < final; index++) storeElement(realm, object, index, value);
        return object;
      }),
    ),
    splice: counted(withLength(2, (thisValue, ...args) => splice(realm, toObject(realm, thisValue), args))),
  };
}

/** Creates the methods that change the order of elements. */
function orderMethods(realm: Realm): MethodTable {
  return {
    reverse: counted((thisValue) => {
      const object = toObject(realm, thisValue);
      const length = lengthOfArrayLike(object);
      for (let lower = 0; lower < Math.floor(length / 2); lower++) {
        realm.meter.charge(1);
        swap(realm, object, lower, length - 1 - lower);
      }
      return object;
    }),
    sort: counted((thisValue, comparator) => {
      const compare = comparatorOf(comparator, "sort");
      const object = toObject(realm, thisValue);
      const length = lengthOfArrayLike(object);
      const sorted = sortedValues(realm, presentElements(realm, object, length), compare);
      storeSorted(realm, object, sorted);
      for (let index = sorted.length; index < length; index++) {
        realm.meter.charge(1);
        if (hasElement(realm, object, index)) deletePropertyOrThrow(object, index);
      }
      return object;
    }),
  };
}

/**
 * Removes the last elements. Returns false if that is not possible. Then the caller goes through
 * the steps of the specification, which throw the right error.
 */
function shorten(array: unknown[], length: number): boolean {
  const before = array.length;
  beforeLengthChange(array, length);
  try {
    array.length = length;
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The host removed elements until it reached one that cannot be removed, and set the length to
    // match. In the specification, an error leaves the length unchanged, because the length is set
    // last. So restore the old length.
    if (array.length !== before) array.length = before;
    return false;
  }
}

// Up to this many elements, the access to each is fast. A longer array may be a hash table, in
// which each element must be looked up.
const maxBlockLength = 4_000;

// The maximum number of elements that are changed before the clock is checked. In an array with
// holes that is a hash table, changing an element can take several times longer than charged.
const maxLengthAtOnce = 1 << 16;

/** Divides a range into blocks. For each block, charges for it and then calls `change`. */
function inBlocks(realm: Realm, count: number, change: (offset: number, count: number) => void): void {
  for (let offset = 0; offset < count || offset === 0; offset += maxLengthAtOnce) {
    const length = Math.max(0, Math.min(maxLengthAtOnce, count - offset));
    chargeBlock(realm, length);
    change(offset, length);
  }
}

function chargeBlock(realm: Realm, count: number): void {
  realm.meter.charge(1 + (count > maxBlockLength ? count >>> 1 : count >>> 3));
}

function fillWithin(array: unknown[], from: number, count: number, value: unknown): void {
  const isTable = mayBeTable(array);
  for (let index = from; index < from + count; index++) {
    if (isTable) beforeElement(array, index, value);
    array[index] = value;
  }
}

/**
 * Adds an element at the end. Returns false if that is not possible. Then the caller goes through
 * the steps of the specification, which throw the right error.
 */
function append(array: unknown[], value: unknown): boolean {
  return array.length < maxArrayLength - 1 && Object.isExtensible(array) && store(array, array.length, value);
}

/** Stores an element. Returns false if that is not possible. */
function store(array: unknown[], index: number, value: unknown): boolean {
  beforeElement(array, index, value);
  try {
    array[index] = value;
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function setLength(object: GuestObject, length: number): void {
  setOrThrow(object, "length", length);
}

/**
 * Sets the length after `added` elements were added; `added` is negative if elements were removed.
 * A plain array has the right length already.
 */
function setLengthAfter(realm: Realm, object: GuestObject, added: number, length: number): void {
  if (added === 0 || !isPlainArray(realm, object) || object.length !== length) setLength(object, length);
}

function requireRoom(length: number): void {
  if (length > Number.MAX_SAFE_INTEGER) throwTypeError("an array-like object cannot become longer than 2 ** 53 - 1");
}

function storeAll(realm: Realm, object: GuestObject, start: number, items: readonly unknown[]): void {
  requireRoom(start + items.length);
  for (let index = 0; index < items.length; index++) storeElement(realm, object, start + index, items[index]);
}

function storeSorted(realm: Realm, object: GuestObject, sorted: readonly unknown[]): void {
  const isPlain = isPlainArray(realm, object) && sorted.length <= object.length && Object.isExtensible(object);
  if (!isPlain) {
    for (let index = 0; index < sorted.length; index++) storeElement(realm, object, index, sorted[index]);
    return;
  }
  realm.meter.charge(sorted.length);
  for (let index = 0; index < sorted.length; index++) {
    beforeElement(object, index, sorted[index]);
    object[index] = sorted[index];
  }
}

/** Assigns `object[index] = value`, and charges for it as an operation. */
function storeElement(realm: Realm, object: GuestObject, index: number, value: unknown): void {
  realm.meter.charge(1);
  if (isPlainArray(realm, object) && index < object.length && Object.isExtensible(object)) {
    beforeElement(object, index, value);
    object[index] = value;
    return;
  }
  realm.meter.allocateElement(object, index);
  if (!isPlainArray(realm, object) || index !== object.length || !append(object, value))
    setOrThrow(object, index, value);
}

/**
 * Moves a range of elements, including holes, within an object. Starts with the first or the last
 * element, so that no element is overwritten before it is moved.
 */
function moveElements(realm: Realm, object: GuestObject, from: number, to: number, count: number): void {
  if (count <= 0 || from === to) return touch(realm, object, from, count);
  const isBackwards = from < to && to < from + count;
  if (isPlainArray(realm, object) && Math.max(from, to) + count <= object.length) {
    const step = isBackwards ? -1 : 1;
    if (count <= maxLengthAtOnce) {
      chargeBlock(realm, count);
      return moveWithin(object, from, to, count, step);
    }
    return inBlocks(realm, count, (offset, length) => {
      const start = isBackwards ? count - offset - length : offset;
      moveWithin(object, from + start, to + start, length, step);
    });
  }
  for (let done = 0; done < count; done++) {
    realm.meter.charge(1);
    const offset = isBackwards ? count - 1 - done : done;
    moveElement(realm, object, from + offset, to + offset);
  }
}

/** Does the work of {@link moveElements} for a plain array. */
function moveWithin(array: unknown[], from: number, to: number, count: number, step: 1 | -1): void {
  let offset = step === 1 ? 0 : count - 1;
  const isTable = mayBeTable(array);
  let hasDeleted = false;
  for (let left = count; left > 0; left--) {
    const value = array[from + offset];
    if (value !== undefined || from + offset in array) {
      if (isTable) beforeElement(array, to + offset, value);
      array[to + offset] = value;
    } else {
      delete array[to + offset];
      hasDeleted = true;
    }
    offset += step;
  }
  if (hasDeleted) noteTable(array);
}

/**
 * Reads and stores each element. Getters and setters can observe this, so it must happen even if a
 * range is moved onto itself.
 */
function touch(realm: Realm, object: GuestObject, from: number, count: number): void {
  if (isPlainArray(realm, object)) return;
  for (let index = from; index < from + count; index++) {
    realm.meter.charge(1);
    moveElement(realm, object, index, index);
  }
}

function moveElement(realm: Realm, object: GuestObject, from: number, to: number): void {
  if (hasElement(realm, object, from)) setOrThrow(object, to, get(object, from));
  else deletePropertyOrThrow(object, to);
}

/** The same as {@link moveElements}, for a move that may make the object longer. */
function growAndMove(realm: Realm, object: GuestObject, from: number, to: number, length: number): void {
  const count = length - from;
  const newLength = to + count;
  if (isPlainArray(realm, object) && newLength < 2 ** 32 && Object.isExtensible(object) && isLengthWritable(object))
    setHostLength(realm, object, newLength);
  moveElements(realm, object, from, to, count);
}

function isLengthWritable(array: readonly unknown[]): boolean {
  return Object.getOwnPropertyDescriptor(array, "length")?.writable === true;
}

/** Assigns `object[index] = value` for an index within an array. */
function replaceElement(realm: Realm, object: GuestObject, index: number, value: unknown): void {
  if (!isPlainArray(realm, object) || !Object.isExtensible(object) || !store(object, index, value))
    setOrThrow(object, index, value);
}

/** Exchanges two elements. A hole is moved, too. */
function swap(realm: Realm, object: GuestObject, lower: number, upper: number): void {
  const hasLower = hasElement(realm, object, lower);
  const lowerValue = hasLower ? get(object, lower) : undefined;
  const hasUpper = hasElement(realm, object, upper);
  const upperValue = hasUpper ? get(object, upper) : undefined;
  if (hasUpper) replaceElement(realm, object, lower, upperValue);
  else if (hasLower) deletePropertyOrThrow(object, lower);
  if (hasLower) replaceElement(realm, object, upper, lowerValue);
  else if (hasUpper) deletePropertyOrThrow(object, upper);
}

function presentElements(realm: Realm, object: GuestObject, length: number): unknown[] {
  const list: unknown[] = [];
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    if (!hasElement(realm, object, index)) continue;
    realm.meter.allocateElement(list, list.length);
    list.push(get(object, index));
  }
  return list;
}

function splice(realm: Realm, object: GuestObject, args: readonly unknown[]): GuestObject {
  const length = lengthOfArrayLike(object);
  const start = relativeIndex(args[0], length, 0);
  const removedCount = deleteCount(args, length, start);
  const items = args.slice(2);
  requireRoom(length + items.length - removedCount);
  const removed = new ResultArray(realm, object, removedCount);
  for (let index = 0; index < removedCount; index++) {
    realm.meter.charge(1);
    if (hasElement(realm, object, start + index)) removed.define(index, get(object, start + index));
  }
  removed.setLength(removedCount);
  closeOrOpenGap(realm, object, start, removedCount, items.length, length);
  storeAll(realm, object, start, items);
  setLengthAfter(realm, object, items.length - removedCount, length + items.length - removedCount);
  return removed.array;
}

function deleteCount(args: readonly unknown[], length: number, start: number): number {
  if (args.length === 0) return 0;
  if (args.length === 1) return length - start;
  return Math.min(Math.max(toIntegerOrInfinity(args[1]), 0), length - start);
}

function closeOrOpenGap(
  realm: Realm,
  object: GuestObject,
  start: number,
  removedCount: number,
  addedCount: number,
  length: number,
): void {
  if (addedCount > removedCount) return growAndMove(realm, object, start + removedCount, start + addedCount, length);
  if (addedCount === removedCount) return;
  moveElements(realm, object, start + removedCount, start + addedCount, length - start - removedCount);
  if (isPlainArray(realm, object) && shorten(object, length - removedCount + addedCount)) {
    realm.meter.charge(removedCount - addedCount);
    return;
  }
  for (let index = length - 1; index >= length - removedCount + addedCount; index--) {
    realm.meter.charge(1);
    deletePropertyOrThrow(object, index);
  }
}
