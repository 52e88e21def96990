// Array.fromAsync. Unlike most built-ins, it awaits values, like an async function.

import { thrownValue, throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import { asyncIteratorIfAny } from "../../operations/async-iterator.ts";
import { call, callWith, construct, getMethodOf, isConstructor, requireCallable } from "../../operations/call.ts";
import { lengthOfArrayLike, toObject } from "../../operations/conversion.ts";
import { driveAsync } from "../../operations/drive-async.ts";
import type { HostGenerator } from "../../operations/generator.ts";
import type { IteratorRecord } from "../../operations/iterator.ts";
import { createPromise, rejectPromise, resolvePromise } from "../../operations/promise.ts";
import { createDataPropertyOrThrow, get, setOrThrow } from "../../operations/property.ts";
import type { Realm } from "../realm.ts";
import { arrayCreate } from "./plain-array.ts";

/**
 * Returns a promise of an array with the values of an async iterable, an iterable or an array-like
 * object.
 */
export function arrayFromAsync(
  realm: Realm,
  constructorFunction: unknown,
  items: unknown,
  mapper: unknown,
  thisArg: unknown,
): GuestObject {
  const promise = createPromise(realm);
  driveAsync(realm, fromAsyncSteps(realm, constructorFunction, items, mapper, thisArg), {
    onReturn: (array) => resolvePromise(realm, promise, array),
    onThrow: (caught) => rejectPromise(realm, promise, thrownValue(realm, caught)),
  });
  return promise.self;
}

function* fromAsyncSteps(
  realm: Realm,
  constructorFunction: unknown,
  items: unknown,
  mapper: unknown,
  thisArg: unknown,
): HostGenerator {
  const map = mapper === undefined ? undefined : requireCallable(mapper, "Array.fromAsync");
  const change: Change | null = map ? (value, index) => call(map, thisArg, value, index) : null;
  const record = asyncIteratorIfAny(realm, items);
  return record
    ? yield* fromIterator(realm, constructorFunction, record, change)
    : yield* fromArrayLike(realm, constructorFunction, toObject(realm, items), change);
}

type Change = (value: unknown, index: number) => unknown;

function* fromIterator(
  realm: Realm,
  constructorFunction: unknown,
  record: IteratorRecord,
  change: Change | null,
): HostGenerator {
  const array = isConstructor(constructorFunction) ? construct(constructorFunction, []) : arrayCreate(realm, 0);
  for (let index = 0; ; index++) {
    realm.meter.charge(1);
    const result = yield callWith(record.next, record.iterator, []);
    if (!isObject(result)) return throwTypeError("the iterator's result is not an object");
    if (get(result, "done")) {
      setOrThrow(array, "length", index);
      return array;
    }
    const value = get(result, "value");
    try {
      appendElement(realm, array, index, change ? yield change(value, index) : value);
    } catch (caught) {
      yield* closeOnThrow(realm, record, caught);
    }
  }
}

function* fromArrayLike(
  realm: Realm,
  constructorFunction: unknown,
  items: GuestObject,
  change: Change | null,
): HostGenerator {
  const length = lengthOfArrayLike(items);
  const array = isConstructor(constructorFunction)
    ? construct(constructorFunction, [length])
    : arrayCreate(realm, length);
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    const value = yield get(items, index);
    appendElement(realm, array, index, change ? yield change(value, index) : value);
  }
  setOrThrow(array, "length", length);
  return array;
}

function appendElement(realm: Realm, array: GuestObject, index: number, value: unknown): void {
  realm.meter.allocate(12); // this includes spare room in the array
  createDataPropertyOrThrow(array, index, value);
}

/**
 * Closes the iterator, then throws the exception that stopped the loop. An exception from the
 * closing is ignored.
 */
function* closeOnThrow(realm: Realm, { iterator }: IteratorRecord, caught: unknown): HostGenerator {
  realm.rethrowUnlessCatchable(caught);
  try {
    const method = getMethodOf(iterator, "return");
    if (method !== undefined) yield call(method, iterator);
  } catch (caughtWhileClosing) {
    realm.rethrowUnlessCatchable(caughtWhileClosing);
  }
  throw caught;
}
