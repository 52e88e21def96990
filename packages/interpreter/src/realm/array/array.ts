// The constructor Array and its static functions. This file also makes Array.prototype from the
// methods of the other files.

import { throwRangeError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import {
  call,
  construct,
  getMethod,
  getPrototypeFromConstructor,
  isConstructor,
  requireCallable,
} from "../../operations/call.ts";
import { lengthOfArrayLike, toObject } from "../../operations/conversion.ts";
import { beforeElement } from "../../operations/holes.ts";
import { isArray } from "../../operations/is-array.ts";
import {
  getIteratorFromMethod,
  iterationEnd,
  iteratorCloseOnThrow,
  iteratorStepValue,
} from "../../operations/iterator.ts";
import { noteIfPromise } from "../../operations/promise-watch.ts";
import { createDataPropertyOrThrow, get, setOrThrow } from "../../operations/property.ts";
import {
  brief,
  counted,
  defineAccessors,
  defineConstructor,
  defineHidden,
  defineMethods,
  withLength,
} from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { arrayCallbackMethods } from "./callbacks.ts";
import { arrayChangeMethods } from "./change.ts";
import { arrayCopyMethods } from "./copy.ts";
import { arrayFromAsync } from "./from-async.ts";
import { createArrayIterator } from "./iterator.ts";
import { arrayCreate, isPlainArray, maxArrayLength } from "./plain-array.ts";
import { arraySearchMethods } from "./search.ts";

/** Array and Array.prototype. */
export const arrayFamily: IntrinsicFamily = {
  intrinsics: ["Array", "ArrayPrototypeToString", "ArrayPrototypeValues"],
  globals: ["Array"],
  eager: true,
  make: makeArray,
};

function makeArray(realm: Realm): MadeFamily {
  const prototype = realm.arrayPrototype;
  defineMethods(realm, prototype, {
    ...arraySearchMethods(realm),
    ...arrayCallbackMethods(realm),
    ...arrayChangeMethods(realm),
    ...arrayCopyMethods(realm),
    entries: counted((thisValue) => createArrayIterator(realm, toObject(realm, thisValue), "entries")),
    keys: counted((thisValue) => createArrayIterator(realm, toObject(realm, thisValue), "keys")),
    values: counted((thisValue) => createArrayIterator(realm, toObject(realm, thisValue), "values")),
  });
  defineHidden(prototype, Symbol.iterator, prototype["values"]);
  defineUnscopables(realm, prototype);
  const array = makeConstructor(realm, prototype);
  return {
    intrinsics: {
      Array: array,
      ArrayPrototypeToString: prototype["toString"] as unknown as GuestObject, // the methods above define both
      ArrayPrototypeValues: prototype["values"] as GuestObject,
    },
    globals: { Array: array },
  };
}

function makeConstructor(realm: Realm, prototype: GuestObject): GuestObject {
  const array = defineConstructor(realm, {
    name: "Array",
    length: 1,
    cost: "counted",
    prototype,
    construct: (newTarget, ...args) => {
      const made = constructArray(realm, args);
      const wanted = newTarget === array ? prototype : getPrototypeFromConstructor(realm, newTarget, "ArrayPrototype");
      if (wanted !== prototype) Object.setPrototypeOf(made, wanted);
      return made;
    },
    call: (_thisValue, ...args) => constructArray(realm, args),
    statics: {
      from: counted(
        withLength(1, (thisValue, items, mapper, thisArg) => arrayFrom(realm, thisValue, items, mapper, thisArg)),
      ),
      fromAsync: counted(
        withLength(1, (thisValue, items, mapper, thisArg) => arrayFromAsync(realm, thisValue, items, mapper, thisArg)),
      ),
      isArray: counted((_thisValue, value) => isArray(noteIfPromise(realm, value, "was asked whether it is an array"))),
      of: counted(withLength(0, (thisValue, ...items) => arrayOf(realm, thisValue, items))),
    },
  });
  defineAccessors(realm, array, { [Symbol.species]: brief((thisValue) => thisValue) });
  return array;
}

function constructArray(realm: Realm, args: readonly unknown[]): GuestObject {
  const [length] = args;
  if (args.length === 1) noteIfPromise(realm, length, "was used as the length of an array");
  if (args.length !== 1 || typeof length !== "number") return realm.newArray(args);
  if (length !== length >>> 0) return throwRangeError(`an array cannot have ${length} elements`);
  return arrayCreate(realm, length);
}

function arrayOf(realm: Realm, constructorFunction: unknown, items: readonly unknown[]): GuestObject {
  if (!isConstructor(constructorFunction) || constructorFunction === realm.intrinsic("Array"))
    return realm.newArray(items);
  const array = construct(constructorFunction, [items.length]);
  realm.meter.charge(items.length);
  for (const [index, item] of items.entries()) createDataPropertyOrThrow(array, index, item);
  setOrThrow(array, "length", items.length);
  return array;
}

function arrayFrom(
  realm: Realm,
  constructorFunction: unknown,
  items: unknown,
  mapper: unknown,
  thisArg: unknown,
): GuestObject {
  const map = mapper === undefined ? undefined : requireCallable(mapper, "Array.from");
  const method = getMethod(realm, items, Symbol.iterator);
  const change = (value: unknown, index: number) => (map ? call(map, thisArg, value, index) : value);
  return method
    ? fromIterable(realm, constructorFunction, items, method, change)
    : fromArrayLike(realm, constructorFunction, toObject(realm, items), change);
}

type Change = (value: unknown, index: number) => unknown;

function fromIterable(
  realm: Realm,
  constructorFunction: unknown,
  items: unknown,
  method: GuestObject,
  change: Change,
): GuestObject {
  const array = isConstructor(constructorFunction) ? construct(constructorFunction, []) : arrayCreate(realm, 0);
  const record = getIteratorFromMethod(items, method);
  let index = 0;
  for (let value = iteratorStepValue(record); value !== iterationEnd; value = iteratorStepValue(record)) {
    realm.meter.charge(1);
    try {
      appendElement(realm, array, index, change(value, index));
    } catch (caught) {
      iteratorCloseOnThrow(realm, record, caught);
    }
    index++;
  }
  setOrThrow(array, "length", index);
  return array;
}

function fromArrayLike(realm: Realm, constructorFunction: unknown, items: GuestObject, change: Change): GuestObject {
  const length = lengthOfArrayLike(items);
  const array = isConstructor(constructorFunction)
    ? arrayOfClass(realm, constructorFunction, length)
    : arrayCreate(realm, length);
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    appendElement(realm, array, index, change(get(items, index), index));
  }
  setOrThrow(array, "length", length);
  return array;
}

/**
 * Creates the array that `Array.from` and `Array.of` fill. A plain array starts empty, because
 * adding elements in order is faster than filling holes.
 */
function arrayOfClass(realm: Realm, constructorFunction: GuestObject, length: number): GuestObject {
  if (constructorFunction !== realm.intrinsic("Array")) return construct(constructorFunction, [length]);
  return length > maxArrayLength ? throwRangeError(`an array cannot have ${length} elements`) : realm.newArray();
}

/** Defines an element. A plain assignment is enough if it is the next element of a plain array. */
function appendElement(realm: Realm, array: GuestObject, index: number, value: unknown): void {
  realm.meter.allocateElement(array, index);
  if (isPlainArray(realm, array) && index === array.length && index < maxArrayLength && Object.isExtensible(array)) {
    beforeElement(array, index, value);
    array[index] = value;
  } else createDataPropertyOrThrow(array, index, value);
}

const unscopableNames = [
  "at",
  "copyWithin",
  "entries",
  "fill",
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "flat",
  "flatMap",
  "includes",
  "keys",
  "toReversed",
  "toSorted",
  "toSpliced",
  "values",
];

function defineUnscopables(realm: Realm, prototype: GuestObject): void {
  const list = realm.newObject();
  Object.setPrototypeOf(list, null);
  for (const name of unscopableNames) list[name] = true;
  Object.defineProperty(prototype, Symbol.unscopables, {
    value: list,
    writable: false,
    enumerable: false,
    configurable: true,
  });
}
