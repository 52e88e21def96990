// The methods of Set.prototype that combine two sets.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject } from "../../guest-value.ts";
import { call, isCallable } from "../../operations/call.ts";
import { chargeEntryKey, toIntegerOrInfinity, toNumber } from "../../operations/conversion.ts";
import {
  type IteratorRecord,
  iterationEnd,
  iteratorClose,
  iteratorRecord,
  iteratorStepValue,
} from "../../operations/iterator.ts";
import { get } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { SetSlots } from "../../slots/set.ts";
import type { MethodTable } from "../define.ts";
import { counted } from "../define.ts";
import type { Realm } from "../realm.ts";
import { valuesOf } from "./set.ts";

/**
 * Creates the methods union, intersection, difference, symmetricDifference, isSubsetOf,
 * isSupersetOf and isDisjointFrom.
 */
export function setAlgebraMethods(realm: Realm): MethodTable {
  return {
    union: counted((thisValue, other) => {
      const values = valuesOf(thisValue, "union");
      const right = getSetRecord(realm, other);
      const keys = right.keys();
      const result = copyOf(realm, values);
      eachKey(realm, result, keys, (key) => result.add(key));
      return newSet(realm, result);
    }),
    intersection: counted((thisValue, other) => {
      const values = valuesOf(thisValue, "intersection");
      const right = getSetRecord(realm, other);
      const result = new Set<unknown>();
      if (values.size <= right.size) {
        for (const value of values) {
          if (!right.has(value)) continue;
          realm.meter.allocate(bytesOfEntry);
          result.add(value);
        }
      } else {
        eachKey(realm, values, right.keys(), (key) => values.has(key) && result.add(key));
      }
      return newSet(realm, result);
    }),
    difference: counted((thisValue, other) => {
      const values = valuesOf(thisValue, "difference");
      const right = getSetRecord(realm, other);
      const result = copyOf(realm, values);
      if (values.size <= right.size) {
        for (const value of values) if (right.has(value)) result.delete(value);
      } else {
        eachKey(realm, values, right.keys(), (key) => result.delete(key));
      }
      return newSet(realm, result);
    }),
    symmetricDifference: counted((thisValue, other) => {
      const values = valuesOf(thisValue, "symmetricDifference");
      const keys = getSetRecord(realm, other).keys();
      const result = copyOf(realm, values);
      eachKey(realm, result, keys, (key) => (values.has(key) ? result.delete(key) : result.add(key)));
      return newSet(realm, result);
    }),
    isSubsetOf: counted((thisValue, other) => {
      const values = valuesOf(thisValue, "isSubsetOf");
      const right = getSetRecord(realm, other);
      if (values.size > right.size) return false;
      for (const value of values) if (!right.has(value)) return false;
      return true;
    }),
    isSupersetOf: counted((thisValue, other) => {
      const values = valuesOf(thisValue, "isSupersetOf");
      const right = getSetRecord(realm, other);
      return values.size >= right.size && everyKey(realm, values, right.keys(), (key) => values.has(key));
    }),
    isDisjointFrom: counted((thisValue, other) => {
      const values = valuesOf(thisValue, "isDisjointFrom");
      const right = getSetRecord(realm, other);
      if (values.size > right.size) return everyKey(realm, values, right.keys(), (key) => !values.has(key));
      for (const value of values) if (right.has(value)) return false;
      return true;
    }),
  };
}

/** The argument of a method that combines two sets: an object with `size`, `has` and `keys`. */
interface SetRecord {
  readonly size: number;
  has(value: unknown): boolean;
  keys(): IteratorRecord;
}

function getSetRecord(realm: Realm, value: unknown): SetRecord {
  if (!isObject(value)) return throwTypeError(`expected a Set, got ${valueText(value)}`);
  const number = toNumber(get(value, "size"));
  if (Number.isNaN(number)) return throwTypeError('expected a Set, got an object without "size"');
  const size = toIntegerOrInfinity(number);
  if (size < 0) return throwRangeError('the "size" of a set cannot be negative');
  const has = requireMethod(value, "has");
  const keys = requireMethod(value, "keys");
  return {
    size,
    has(key) {
      realm.meter.charge(1);
      return Boolean(call(has, value, key));
    },
    keys() {
      const iterator = call(keys, value);
      if (!isObject(iterator)) return throwTypeError('"keys" did not return an iterator');
      return iteratorRecord(iterator);
    },
  };
}

function requireMethod(object: GuestObject, name: string): GuestObject {
  const method = get(object, name);
  return isCallable(method) ? method : throwTypeError(`expected a Set, got an object without the method "${name}"`);
}

/** Calls `visit` for each key. Charges for looking the key up in `set`, or adding it to the set. */
function eachKey(
  realm: Realm,
  set: ReadonlySet<unknown>,
  keys: IteratorRecord,
  visit: (key: unknown) => unknown,
): void {
  for (let key = iteratorStepValue(keys); key !== iterationEnd; key = iteratorStepValue(keys)) {
    realm.meter.charge(1);
    realm.meter.allocate(16);
    chargeEntryKey(key, set.size);
    visit(Object.is(key, -0) ? 0 : key);
  }
}

/** Says whether all keys pass the test. Closes the iterator at the first key that does not. */
function everyKey(
  realm: Realm,
  set: ReadonlySet<unknown>,
  keys: IteratorRecord,
  passes: (key: unknown) => boolean,
): boolean {
  for (let key = iteratorStepValue(keys); key !== iterationEnd; key = iteratorStepValue(keys)) {
    realm.meter.charge(1);
    chargeEntryKey(key, set.size);
    if (passes(key)) continue;
    iteratorClose(keys);
    return false;
  }
  return true;
}

// The maximum number of bytes that a set needs for each value. This includes unused room, because
// the host replaces a full hash table by one of twice the size.
const bytesOfEntry = 40;

/** Copies a set, after checking that there is enough time and memory for it. */
function copyOf(realm: Realm, values: ReadonlySet<unknown>): Set<unknown> {
  realm.meter.requireRoom(bytesOfEntry * values.size);
  realm.meter.requireTime(2 * values.size);
  const copy = new Set<unknown>();
  for (const value of values) {
    copy.add(value);
    if (copy.size % valuesBetweenClockChecks === 0) realm.meter.checkClock();
  }
  return copy;
}

// How many values are copied between two checks of the clock. Copying can be slow: if a program
// chose numbers with equal hashes, the host compares each value with all earlier ones.
const valuesBetweenClockChecks = 64;

/** Creates a guest Set from a host Set that nothing else uses. */
function newSet(realm: Realm, values: Set<unknown>): GuestObject {
  realm.meter.charge(values.size);
  realm.meter.allocate(bytesOfEntry * values.size);
  return brand(realm.newObjectFrom("SetPrototype"), new SetSlots(values));
}
