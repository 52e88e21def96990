// The async iterator protocol, for `for await` and for `yield*` in async generators.

import { throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { call, getMethod, getMethodOf } from "./call.ts";
import {
  getIterator,
  getIteratorFromMethod,
  type IteratorRecord,
  iteratorCloseOnThrow,
  iteratorRecord,
} from "./iterator.ts";
import {
  createPromise,
  ownPromiseOf,
  type PromiseSlots,
  performPromiseThen,
  reasonOf,
  rejectPromise,
  resolvePromise,
} from "./promise.ts";
import { get } from "./property.ts";

/** Returns the async iterator of a value. A sync iterator is wrapped. */
export function getAsyncIterator(realm: Realm, value: unknown): IteratorRecord {
  const method = value === undefined || value === null ? undefined : getMethod(realm, value, Symbol.asyncIterator);
  if (method !== undefined) return getIteratorFromMethod(value, method);
  return wrapSyncIterator(realm, getIterator(realm, value));
}

/**
 * Returns the async iterator of a value, or null if the value is neither async iterable nor
 * iterable.
 */
export function asyncIteratorIfAny(realm: Realm, value: unknown): IteratorRecord | null {
  const method = getMethod(realm, value, Symbol.asyncIterator);
  if (method !== undefined) return getIteratorFromMethod(value, method);
  const syncMethod = getMethod(realm, value, Symbol.iterator);
  return syncMethod === undefined ? null : wrapSyncIterator(realm, getIteratorFromMethod(value, syncMethod));
}

/** The slots of an async iterator that wraps a sync one. */
class AsyncFromSyncSlots implements Slots {
  readonly type = "async-from-sync-iterator";
  readonly record: IteratorRecord;

  constructor(record: IteratorRecord) {
    this.record = record;
  }

  get held(): readonly unknown[] {
    return [this.record.iterator, this.record.next];
  }
}

/**
 * Implements `next`, `return` and `throw` of a wrapped iterator. Returns a promise of a result
 * object. If the value in this object is a promise, it is awaited first.
 */
export function continueWrapped(
  realm: Realm,
  thisValue: unknown,
  method: "next" | "return" | "throw",
  args: readonly unknown[],
): GuestObject {
  const promise = createPromise(realm);
  const slots = slotsOfKind(thisValue, AsyncFromSyncSlots);
  const { depth } = realm.meter;
  try {
    if (!slots) return throwTypeError("the receiver is not an async iterator");
    const result = callWrapped(slots.record, method, args);
    if (result === null) resolvePromise(realm, promise, realm.newIterResult(args[0], true));
    else {
      const done = Boolean(get(result, "done"));
      awaitResult(realm, promise, slots.record, get(result, "value"), { done, closes: method !== "return" && !done });
    }
  } catch (caught) {
    rejectPromise(realm, promise, reasonOf(realm, caught, depth));
  }
  return promise.self;
}

/**
 * Calls a method of the wrapped iterator. Returns null if `return` is called and the iterator has
 * no such method, because there is nothing to await then.
 */
function callWrapped(
  { iterator, next }: IteratorRecord,
  name: "next" | "return" | "throw",
  args: readonly unknown[],
): GuestObject | null {
  const method = name === "next" ? next : getMethodOf(iterator, name);
  if (method === undefined) return name === "return" ? null : throwWithoutMethod(iterator);
  const result = call(method, iterator, ...args);
  return isObject(result) ? result : throwTypeError("the iterator's result is not an object");
}

function throwWithoutMethod(iterator: GuestObject): never {
  const close = getMethodOf(iterator, "return");
  if (close && !isObject(call(close, iterator))) throwTypeError('the iterator\'s "return" did not return an object');
  return throwTypeError('the iterator has no "throw"');
}

function awaitResult(
  realm: Realm,
  promise: PromiseSlots,
  record: IteratorRecord,
  value: unknown,
  { done, closes }: { done: boolean; closes: boolean },
): void {
  let wrapped: PromiseSlots;
  try {
    wrapped = ownPromiseOf(realm, value);
  } catch (caught) {
    if (closes) iteratorCloseOnThrow(realm, record, caught);
    throw caught;
  }
  performPromiseThen(realm, wrapped, {
    onFulfilled: (given) => resolvePromise(realm, promise, realm.newIterResult(given, done)),
    onRejected: (reason) => {
      if (closes) closeQuietly(realm, record);
      rejectPromise(realm, promise, reason);
    },
  });
}

function closeQuietly(realm: Realm, { iterator }: IteratorRecord): void {
  try {
    const method = getMethodOf(iterator, "return");
    if (method !== undefined) call(method, iterator);
  } catch (caught) {
    realm.rethrowUnlessCatchable(caught);
  }
}

function wrapSyncIterator(realm: Realm, record: IteratorRecord): IteratorRecord {
  const iterator = brand(realm.newObjectFrom("AsyncFromSyncIteratorPrototype"), new AsyncFromSyncSlots(record));
  return iteratorRecord(iterator);
}
