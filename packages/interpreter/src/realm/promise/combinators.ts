// Promise.all, allSettled, any and race.

import { throwTypeError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { call, invoke, isCallable } from "../../operations/call.ts";
import {
  getIterator,
  type IteratorRecord,
  iterationEnd,
  iteratorCloseOnThrow,
  iteratorStepValue,
} from "../../operations/iterator.ts";
import {
  createResolvingFunctions,
  newPromiseCapability,
  type PromiseCapability,
  type PromiseSlots,
  reasonOf,
} from "../../operations/promise.ts";
import { createDataPropertyOrThrow, get } from "../../operations/property.ts";
import { counted, defineHidden, type MethodTable } from "../define.ts";
import type { Realm } from "../realm.ts";

/** Creates the functions that combine several promises into one. */
export function promiseCombinators(realm: Realm): MethodTable {
  return {
    all: counted((thisValue, iterable) =>
      combine(realm, thisValue, iterable, (combination) => {
        const values = combination.collection((list) => combination.resolve(realm.newArray(list)));
        return (promise) => {
          const place = values.add();
          combination.then(
            promise,
            combination.once((value) => place(value)),
            combination.rejectFunction,
          );
        };
      }),
    ),
    allSettled: counted((thisValue, iterable) =>
      combine(realm, thisValue, iterable, (combination) => {
        const values = combination.collection((list) => combination.resolve(realm.newArray(list)));
        return (promise) => {
          const place = values.add();
          const [onFulfilled, onRejected] = combination.onceOfTwo(
            (value) => place(outcome(realm, "fulfilled", "value", value)),
            (reason) => place(outcome(realm, "rejected", "reason", reason)),
          );
          combination.then(promise, onFulfilled, onRejected);
        };
      }),
    ),
    any: counted((thisValue, iterable) =>
      combine(realm, thisValue, iterable, (combination) => {
        const errors = combination.collection((list) => combination.reject(aggregateError(realm, list)));
        return (promise) => {
          const place = errors.add();
          combination.then(
            promise,
            combination.resolveFunction,
            combination.once((reason) => place(reason)),
          );
        };
      }),
    ),
    race: counted((thisValue, iterable) =>
      combine(
        realm,
        thisValue,
        iterable,
        (combination) => (promise) =>
          combination.then(promise, combination.resolveFunction, combination.rejectFunction),
      ),
    ),
  };
}

type Visit = (promise: unknown) => void;

/**
 * Implements `Promise.all` and similar functions. `start` returns the reactions to the promise of
 * each value.
 */
function combine(
  realm: Realm,
  constructorFunction: unknown,
  iterable: unknown,
  start: (combination: Combination) => Visit,
): GuestObject {
  const combination = new Combination(realm, newPromiseCapability(realm, constructorFunction));
  const promiseConstructor = constructorFunction as GuestObject; // `newPromiseCapability` has called it with `new`
  const { depth } = realm.meter;
  try {
    const resolve = get(promiseConstructor, "resolve");
    if (!isCallable(resolve)) throwTypeError('"resolve" of the constructor is not a function');
    const record = getIterator(realm, iterable);
    const visit = start(combination);
    visitAll(realm, record, (value) => visit(call(resolve, promiseConstructor, value)));
    combination.end();
  } catch (caught) {
    combination.reject(reasonOf(realm, caught, depth));
  }
  return combination.promise;
}

function visitAll(realm: Realm, record: IteratorRecord, visit: Visit): void {
  for (let value = iteratorStepValue(record); value !== iterationEnd; value = iteratorStepValue(record)) {
    realm.meter.charge(1);
    try {
      visit(value);
    } catch (caught) {
      iteratorCloseOnThrow(realm, record, caught);
    }
  }
}

/** A promise that combines several others, and its progress. */
class Combination {
  readonly promise: GuestObject;
  readonly resolveFunction: GuestObject;
  readonly rejectFunction: GuestObject;
  readonly #realm: Realm;
  readonly #slots: PromiseSlots | null;
  #collection: { readonly list: readonly unknown[]; finish(): void } | null = null;

  constructor(realm: Realm, capability: PromiseCapability) {
    this.#realm = realm;
    this.promise = capability.promise;
    const functions = capability.type === "own" ? createResolvingFunctions(realm, capability.slots) : capability;
    this.resolveFunction = functions.resolve;
    this.rejectFunction = functions.reject;
    this.#slots = capability.type === "own" ? capability.slots : null;
    this.#note(this.resolveFunction);
  }

  resolve(value: unknown): void {
    call(this.resolveFunction, undefined, value);
  }

  reject(reason: unknown): void {
    call(this.rejectFunction, undefined, reason);
  }

  then(promise: unknown, onFulfilled: GuestObject, onRejected: GuestObject): void {
    invoke(this.#realm, promise, "then", onFulfilled, onRejected);
  }

  /**
   * Creates a list with one entry for each promise. `complete` is called when all entries are
   * filled and {@link end} has been called.
   */
  collection(complete: (list: readonly unknown[]) => void): { add(): (value: unknown) => void } {
    const list: unknown[] = [];
    let remaining = 1;
    const finish = () => {
      if (--remaining === 0) complete(list);
    };
    this.#collection = { list, finish };
    return {
      add: () => {
        const index = list.length;
        list.push(undefined);
        remaining++;
        return (value) => {
          list[index] = value;
          finish();
        };
      },
    };
  }

  /** Must be called once all promises have been added. */
  end(): void {
    this.#collection?.finish();
  }

  /** Creates a guest function that has an effect only at its first call. */
  once(act: (value: unknown) => void): GuestObject {
    return this.#function(act, { isCalled: false });
  }

  /** Creates two guest functions. Only the first call of either has an effect. */
  onceOfTwo(first: (value: unknown) => void, second: (value: unknown) => void): [GuestObject, GuestObject] {
    const state = { isCalled: false };
    return [this.#function(first, state), this.#function(second, state)];
  }

  #function(act: (value: unknown) => void, state: { isCalled: boolean }): GuestObject {
    const native = this.#realm.newNativeFunction(
      "",
      1,
      (_thisValue, value) => {
        if (state.isCalled) return;
        state.isCalled = true;
        act(value);
      },
      { held: [this.promise, this.#collection?.list] },
    );
    this.#note(native);
    return native;
  }

  #note(settle: GuestObject): void {
    if (this.#slots) this.#realm.promiseWatch?.noteSettledBy(settle, this.#slots);
  }
}

function outcome(realm: Realm, status: string, key: "value" | "reason", value: unknown): GuestObject {
  const object = realm.newObject();
  createDataPropertyOrThrow(object, "status", status);
  createDataPropertyOrThrow(object, key, value);
  return object;
}

function aggregateError(realm: Realm, errors: readonly unknown[]): GuestObject {
  const error = realm.newError("AggregateError", "all promises were rejected");
  defineHidden(error, "errors", realm.newArray(errors));
  return error;
}
