// The methods of Iterator.prototype: those that return a new iterator (map, filter, take, drop,
// flatMap), and those that read all values.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { pushTo } from "../../long-lists.ts";
import { call, call2, isCallable } from "../../operations/call.ts";
import { toIntegerOrInfinity, toNumber } from "../../operations/conversion.ts";
import {
  type IteratorRecord,
  iterationEnd,
  iteratorClose,
  iteratorCloseOnThrow,
  iteratorRecord,
  iteratorStepValue,
} from "../../operations/iterator.ts";
import { isTruthyResult, noteCallbackResult } from "../../operations/promise-watch.ts";
import { valueText } from "../../operations/text.ts";
import { counted, defineMethods, defineTag, type MethodTable, withLength } from "../define.ts";
import type { Realm } from "../realm.ts";
import { getIteratorFlattenable } from "./iterator.ts";

class IteratorHelperSlots implements Slots {
  readonly type = "iterator-helper";
  state: "suspended" | "running" | "done" = "suspended";
  /** Returns the next value, or `iterationEnd`. */
  readonly step: () => unknown;
  /** Closes the iterator that the helper reads from. */
  readonly close: () => void;
  readonly held: readonly unknown[];

  constructor(step: () => unknown, close: () => void, held: readonly unknown[]) {
    this.step = step;
    this.close = close;
    this.held = held;
  }
}

/** Defines the iterator helpers on Iterator.prototype. */
export function defineIteratorHelpers(realm: Realm, prototype: GuestObject): void {
  const helperPrototype = makeHelperPrototype(realm, prototype);
  defineMethods(realm, prototype, { ...lazyHelpers(realm, helperPrototype), ...consumingHelpers(realm) });
}

function makeHelperPrototype(realm: Realm, iteratorPrototype: GuestObject): GuestObject {
  const prototype = Object.create(iteratorPrototype) as GuestObject;
  defineMethods(realm, prototype, {
    next: counted((thisValue) => resume(realm, helperSlots(thisValue, "next"))),
    return: counted((thisValue) => finish(realm, helperSlots(thisValue, "return"))),
  });
  return defineTag(prototype, "Iterator Helper");
}

function helperSlots(thisValue: unknown, method: string): IteratorHelperSlots {
  const slots = slotsOfKind(thisValue, IteratorHelperSlots);
  if (!slots) return throwTypeError(`${method} was called on something that is not an iterator helper`);
  if (slots.state === "running") return throwTypeError("the iterator is running already");
  return slots;
}

function resume(realm: Realm, slots: IteratorHelperSlots): GuestObject {
  if (slots.state === "done") return realm.newIterResult(undefined, true);
  slots.state = "running";
  let value: unknown = iterationEnd;
  try {
    value = slots.step();
  } finally {
    slots.state = value === iterationEnd ? "done" : "suspended";
  }
  return value === iterationEnd ? realm.newIterResult(undefined, true) : realm.newIterResult(value, false);
}

function finish(realm: Realm, slots: IteratorHelperSlots): GuestObject {
  if (slots.state === "done") return realm.newIterResult(undefined, true);
  slots.state = "running";
  try {
    slots.close();
  } finally {
    slots.state = "done";
  }
  return realm.newIterResult(undefined, true);
}

// The bytes of an iterator helper (the result of a method such as `map`), including its step
// function and the values that this function keeps in memory.
const bytesOfHelper = 370;

/** Creates the methods that return a new iterator. */
function lazyHelpers(realm: Realm, helperPrototype: GuestObject): MethodTable {
  const helper = (
    record: IteratorRecord,
    fn: GuestObject | null,
    step: () => unknown,
    close = () => iteratorClose(record),
  ) => {
    realm.meter.allocate(bytesOfHelper);
    const slots = new IteratorHelperSlots(step, close, [record.iterator, record.next, fn]);
    return brand(Object.create(helperPrototype) as GuestObject, slots);
  };
  return {
    drop: counted((thisValue, limit) => {
      const { record, count } = limited(realm, thisValue, limit, "drop");
      let left = count;
      return helper(record, null, () => {
        for (; left > 0; left--) {
          realm.meter.charge(1);
          if (iteratorStepValue(record) === iterationEnd) return iterationEnd;
        }
        return iteratorStepValue(record);
      });
    }),
    filter: counted((thisValue, predicate) => {
      const { record, fn } = withFunction(realm, thisValue, predicate, "filter");
      const apply = countedCalls(realm, record, fn);
      return helper(record, fn, () => {
        for (;;) {
          const value = iteratorStepValue(record);
          if (value === iterationEnd || isTruthyResult(realm, apply(value), "filter")) return value;
        }
      });
    }),
    flatMap: counted((thisValue, mapper) => {
      const { record, fn } = withFunction(realm, thisValue, mapper, "flatMap");
      const flat = new FlatMapping(realm, record, countedCalls(realm, record, fn));
      return helper(
        record,
        fn,
        () => flat.step(),
        () => flat.close(),
      );
    }),
    map: counted((thisValue, mapper) => {
      const { record, fn } = withFunction(realm, thisValue, mapper, "map");
      const apply = countedCalls(realm, record, fn);
      return helper(record, fn, () => {
        const value = iteratorStepValue(record);
        return value === iterationEnd ? iterationEnd : apply(value);
      });
    }),
    take: counted((thisValue, limit) => {
      const { record, count } = limited(realm, thisValue, limit, "take");
      let left = count;
      return helper(record, null, () => {
        if (left-- > 0) return iteratorStepValue(record);
        iteratorClose(record);
        return iterationEnd;
      });
    }),
  };
}

/** Creates the methods that read the values of the iterator. */
function consumingHelpers(realm: Realm): MethodTable {
  return {
    every: counted((thisValue, predicate) => {
      const { record, fn } = withFunction(realm, thisValue, predicate, "every");
      return (
        visit(realm, record, fn, (result) =>
          isTruthyResult(realm, result, "every") ? undefined : { result: false },
        ) ?? true
      );
    }),
    find: counted((thisValue, predicate) => {
      const { record, fn } = withFunction(realm, thisValue, predicate, "find");
      return visit(realm, record, fn, (result, value) =>
        isTruthyResult(realm, result, "find") ? { result: value } : undefined,
      );
    }),
    forEach: counted((thisValue, callback) => {
      const { record, fn } = withFunction(realm, thisValue, callback, "forEach");
      visit(realm, record, fn, (result) => noteCallbackResult(realm, result, "forEach"));
    }),
    reduce: counted(
      withLength(1, (thisValue, reducer, ...initial) => {
        const { record, fn } = withFunction(realm, thisValue, reducer, "reduce");
        return reduce(realm, record, fn, initial);
      }),
    ),
    some: counted((thisValue, predicate) => {
      const { record, fn } = withFunction(realm, thisValue, predicate, "some");
      return (
        visit(realm, record, fn, (result) => (isTruthyResult(realm, result, "some") ? { result: true } : undefined)) ??
        false
      );
    }),
    toArray: counted((thisValue) => {
      const record = direct(requireIterator(thisValue, "toArray"));
      const list: unknown[] = [];
      for (let value = iteratorStepValue(record); value !== iterationEnd; value = iteratorStepValue(record)) {
        realm.meter.charge(1);
        realm.meter.allocate(8);
        pushTo(list, value);
      }
      return realm.newArray(list);
    }),
  };
}

function requireIterator(thisValue: unknown, method: string): GuestObject {
  if (isObject(thisValue)) return thisValue;
  return throwTypeError(`Iterator.prototype.${method} was called on ${valueText(thisValue)}`);
}

function direct(iterator: GuestObject): IteratorRecord {
  return iteratorRecord(iterator);
}

/**
 * Runs `check`, and closes the iterator if `check` throws. Must be called before the iterator's
 * `next` is read.
 */
function checked<T>(realm: Realm, iterator: GuestObject, check: () => T): T {
  try {
    return check();
  } catch (caught) {
    return iteratorCloseOnThrow(realm, { iterator, next: undefined, stepper: null, done: false }, caught);
  }
}

function withFunction(realm: Realm, thisValue: unknown, callback: unknown, method: string) {
  const iterator = requireIterator(thisValue, method);
  const fn = checked(realm, iterator, () =>
    isCallable(callback) ? callback : throwTypeError(`"${method}" needs a function, got ${valueText(callback)}`),
  );
  return { record: direct(iterator), fn };
}

function limited(realm: Realm, thisValue: unknown, limit: unknown, method: string) {
  const iterator = requireIterator(thisValue, method);
  const count = checked(realm, iterator, () => {
    const number = toNumber(limit);
    const integer = toIntegerOrInfinity(number);
    const isCount = integer >= 0 && (integer <= Number.MAX_SAFE_INTEGER || integer === Number.POSITIVE_INFINITY);
    if (Number.isNaN(number) || !isCount)
      return throwRangeError(`"${method}" needs a count of at least 0, at most 2 ** 53 - 1 or Infinity`);
    return integer;
  });
  return { record: direct(iterator), count };
}

/**
 * Returns a function that calls `fn` with a value and its index. If `fn` throws, the iterator is
 * closed.
 */
function countedCalls(realm: Realm, record: IteratorRecord, fn: GuestObject): (value: unknown) => unknown {
  let counter = 0;
  return (value) => {
    realm.meter.charge(1);
    try {
      return call2(realm, fn, undefined, value, counter++);
    } catch (caught) {
      return iteratorCloseOnThrow(realm, record, caught);
    }
  };
}

/** Calls `fn` for each value. When `decide` returns a result, stops and closes the iterator. */
function visit(
  realm: Realm,
  record: IteratorRecord,
  fn: GuestObject,
  decide: (result: unknown, value: unknown) => { readonly result: unknown } | undefined,
): unknown {
  const apply = countedCalls(realm, record, fn);
  for (let value = iteratorStepValue(record); value !== iterationEnd; value = iteratorStepValue(record)) {
    const decision = decide(apply(value), value);
    if (!decision) continue;
    iteratorClose(record);
    return decision.result;
  }
  return undefined;
}

function reduce(realm: Realm, record: IteratorRecord, fn: GuestObject, initial: readonly unknown[]): unknown {
  let counter = 0;
  let accumulator = initial[0];
  if (initial.length === 0) {
    accumulator = iteratorStepValue(record);
    if (accumulator === iterationEnd) return throwTypeError("an empty iterator needs an initial value to be reduced");
    counter = 1;
  }
  for (let value = iteratorStepValue(record); value !== iterationEnd; value = iteratorStepValue(record)) {
    realm.meter.charge(1);
    try {
      accumulator = call(fn, undefined, accumulator, value, counter++);
    } catch (caught) {
      iteratorCloseOnThrow(realm, record, caught);
    }
  }
  return accumulator;
}

/**
 * The iterators from which `flatMap` reads: the outer one, and the inner one that the mapper
 * returned last.
 */
class FlatMapping {
  readonly #realm: Realm;
  readonly #outer: IteratorRecord;
  readonly #apply: (value: unknown) => unknown;
  #inner: IteratorRecord | null = null;

  constructor(realm: Realm, outer: IteratorRecord, apply: (value: unknown) => unknown) {
    this.#realm = realm;
    this.#outer = outer;
    this.#apply = apply;
  }

  step(): unknown {
    for (;;) {
      this.#inner ??= this.#open();
      if (this.#inner === null) return iterationEnd;
      const value = this.#closingOuter(this.#inner, (inner) => iteratorStepValue(inner));
      if (value !== iterationEnd) return value;
      this.#inner = null;
    }
  }

  close(): void {
    if (this.#inner) this.#closingOuter(this.#inner, iteratorClose);
    iteratorClose(this.#outer);
  }

  #open(): IteratorRecord | null {
    const value = iteratorStepValue(this.#outer);
    if (value === iterationEnd) return null;
    const mapped = this.#apply(value);
    return this.#closingOuter(mapped, (given) => getIteratorFlattenable(this.#realm, given, "reject"));
  }

  #closingOuter<Given, Result>(given: Given, act: (given: Given) => Result): Result {
    try {
      return act(given);
    } catch (caught) {
      return iteratorCloseOnThrow(this.#realm, this.#outer, caught);
    }
  }
}
