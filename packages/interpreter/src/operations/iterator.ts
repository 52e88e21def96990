// The iterator protocol. The functions are named after the operations of the specification.

import { calleeSlots, type FunctionCode } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject, slotsOf } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { call, callWith, getMethod, getMethodOf } from "./call.ts";
import { get, hasProperty } from "./property.ts";
import { valueText } from "./text.ts";

/** An iterator and its `next` method, which is read only once. */
export interface IteratorRecord {
  readonly iterator: GuestObject;
  readonly next: unknown;
  /**
   * The code of `next`, if it is a built-in that can return the next value without making a result
   * object; otherwise null.
   */
  readonly stepper: FunctionCode | null;
  done: boolean;
}

/** Creates the record of an iterator. Reads the iterator's property `next`. */
export function iteratorRecord(iterator: GuestObject): IteratorRecord {
  const next = get(iterator, "next");
  const code = calleeSlots(next)?.code;
  return { iterator, next, stepper: code?.step ? code : null, done: false };
}

/** Returns the iterator of an iterable. @throws a guest TypeError when the value is not iterable */
export function getIterator(realm: Realm, value: unknown): IteratorRecord {
  const method = value === undefined || value === null ? undefined : getMethod(realm, value, Symbol.iterator);
  if (method === undefined) return refuseItems(realm, value);
  return getIteratorFromMethod(value, method);
}

function refuseItems({ promiseWatch }: Realm, value: unknown): never {
  if (promiseWatch && isObject(value) && hasProperty(value, Symbol.asyncIterator)) promiseWatch.noteAsyncItems();
  return throwTypeError(`${valueText(value)} is not iterable`);
}

/** Calls `method` on a value, and returns the iterator that the method returns. */
export function getIteratorFromMethod(value: unknown, method: GuestObject): IteratorRecord {
  const iterator = call(method, value);
  if (!isObject(iterator)) return throwTypeError("the iterator is not an object");
  return iteratorRecord(iterator);
}

/** Returns the next result object, or null at the end. */
function iteratorStep(record: IteratorRecord): GuestObject | null {
  const result = iteratorNext(record);
  try {
    if (!get(result, "done")) return result;
  } catch (caught) {
    record.done = true;
    throw caught;
  }
  record.done = true;
  return null;
}

/** The result of {@link iteratorStepValue} at the end. */
export const iterationEnd: unique symbol = Symbol("end of iteration");

/**
 * Returns the next value, or {@link iterationEnd}. If the iterator throws, the record is marked as
 * done.
 */
export function iteratorStepValue(record: IteratorRecord): unknown {
  if (record.stepper !== null) return stepDirectly(record, record.stepper);
  const result = iteratorStep(record);
  if (result === null) return iterationEnd;
  try {
    return get(result, "value");
  } catch (caught) {
    record.done = true;
    throw caught;
  }
}

function stepDirectly(record: IteratorRecord, { meter, step }: FunctionCode): unknown {
  try {
    meter.charge(1);
    const value = step?.(record.iterator);
    if (value === iterationEnd) record.done = true;
    return value;
  } catch (caught) {
    record.done = true;
    throw caught;
  }
}

// An empty list of arguments. All calls share it, because callees never change their list.
const noArguments: readonly unknown[] = [];

/** Calls `next` and checks that its result is an object. */
function iteratorNext(record: IteratorRecord): GuestObject {
  try {
    const result = callWith(record.next, record.iterator, noArguments);
    return isObject(result) ? result : throwTypeError("the iterator's result is not an object");
  } catch (caught) {
    record.done = true;
    throw caught;
  }
}

/** Closes an iterator after a `break` or a `return`: calls its `return` method. */
export function iteratorClose(record: IteratorRecord): void {
  const method = getMethodOf(record.iterator, "return");
  if (method === undefined) return;
  const result = call(method, record.iterator);
  if (!isObject(result)) throwTypeError('the iterator\'s "return" did not return an object');
}

/**
 * Closes an iterator after an exception. Ignores an exception that the closing itself throws.
 *
 * @returns never: throws `caught`, or the {@link Breach} that interrupted the closing
 */
export function iteratorCloseOnThrow(realm: Realm, record: IteratorRecord, caught: unknown): never {
  realm.rethrowUnlessCatchable(caught);
  try {
    const method = getMethodOf(record.iterator, "return");
    if (method !== undefined) call(method, record.iterator);
  } catch (caughtWhileClosing) {
    realm.rethrowUnlessCatchable(caughtWhileClosing);
  }
  throw caught;
}

/**
 * Runs `visit` for each value of an iterable. Each call costs one operation. Closes the iterator
 * when `visit` throws.
 *
 * @param visit - a false result ends the loop and closes the iterator
 */
export function forEachOf(realm: Realm, iterable: unknown, visit: (value: unknown) => unknown): void {
  if (isPlainlyIterable(realm, iterable)) return forEachElement(realm, iterable, visit);
  const record = getIterator(realm, iterable);
  for (let value = iteratorStepValue(record); value !== iterationEnd; value = iteratorStepValue(record)) {
    realm.meter.charge(1);
    let continues: unknown;
    try {
      continues = visit(value);
    } catch (caught) {
      iteratorCloseOnThrow(realm, record, caught);
    }
    if (continues === false) return iteratorClose(record);
  }
}

/**
 * Says whether a value is an array whose iteration the program has not changed, so that its
 * elements can be read by index.
 */
export function isPlainlyIterable(realm: Realm, value: unknown): value is unknown[] {
  // Exclude proxies of arrays, which have slots, because reading the prototype of a proxy would
  // call a trap.
  if (!Array.isArray(value) || slotsOf(value) !== undefined) return false;
  return (
    Object.getPrototypeOf(value) === realm.arrayPrototype &&
    realm.arraysIteratePlainly &&
    !Object.hasOwn(value, Symbol.iterator)
  );
}

function forEachElement(realm: Realm, array: unknown[], visit: (value: unknown) => unknown): void {
  for (let index = 0; index < array.length; index++) {
    realm.meter.charge(1);
    if (visit(array[index]) === false) return;
  }
}

/** Returns all values of an iterable as a host array, which guest code must not see. */
export function iterableToList(realm: Realm, iterable: unknown): unknown[] {
  const list: unknown[] = [];
  forEachOf(realm, iterable, (value) => {
    realm.meter.allocateElement(list, list.length);
    list.push(value);
  });
  return list;
}
