// Sorting: a stable merge sort that counts its comparisons. The order of calls to a guest
// comparator depends only on the values.

import { throwTypeError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { pushTo } from "../../long-lists.ts";
import { call2, isCallable } from "../../operations/call.ts";
import { toNumber, toStringValue } from "../../operations/conversion.ts";
import { valueText } from "../../operations/text.ts";
import type { Realm } from "../realm.ts";

/**
 * Returns the comparator, or undefined if there is none. @throws a guest TypeError if the value is
 * not a function
 */
export function comparatorOf(value: unknown, method: string): GuestObject | undefined {
  if (value === undefined || isCallable(value)) return value;
  return throwTypeError(`"${method}" needs a function as comparator, got ${valueText(value)}`);
}

/** Sorts the values of a host array, with undefined last. Returns a new host array. */
export function sortedValues(realm: Realm, values: readonly unknown[], comparator: GuestObject | undefined): unknown[] {
  const defined: unknown[] = [];
  for (const value of values) if (value !== undefined) pushTo(defined, value);
  const sorted = comparator
    ? mergeSort(realm, defined, (left, right) => toNumber(call2(realm, comparator, undefined, left, right)))
    : sortedByText(realm, defined);
  for (let count = sorted.length; count < values.length; count++) sorted.push(undefined);
  return sorted;
}

/**
 * Sorts values so that equal ones stay in order. `compare` returns a negative number if `left`
 * comes first.
 */
export function mergeSort<T>(realm: Realm, values: readonly T[], compare: (left: T, right: T) => number): T[] {
  realm.meter.allocate(16 * values.length);
  let from = values.slice();
  sortRuns(realm, from, compare);
  let to = from.slice();
  for (let width = runLength; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) merge(realm, from, to, start, width, compare);
    [from, to] = [to, from];
  }
  return from;
}

const runLength = 8;

/**
 * Sorts by text. The text of each element is computed once, and texts are compared by their UTF-16
 * units.
 */
function sortedByText(realm: Realm, values: readonly unknown[]): unknown[] {
  const entries = values.map((value) => {
    realm.meter.charge(1);
    realm.meter.allocate(32);
    return { value, text: toStringValue(value) };
  });
  const sorted = mergeSort(realm, entries, (left, right) => compareTexts(realm, left.text, right.text));
  return sorted.map(({ value }) => value);
}

function compareTexts(realm: Realm, left: string, right: string): number {
  realm.meter.charge(Math.min(left.length, right.length) >>> 6);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Divides the values into runs of `runLength` values, and sorts each run by insertion. */
function sortRuns<T>(realm: Realm, values: T[], compare: (left: T, right: T) => number): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as T; // `index` is less than the length
    const start = index - (index % runLength);
    let place = index;
    while (place > start && isBefore(realm, value, values[place - 1] as T, compare)) {
      values[place] = values[place - 1] as T; // `place` is greater than the start of the run
      place--;
    }
    values[place] = value;
  }
}

/**
 * Says whether `value`, which is now after `other`, belongs before it. The comparator gets the two
 * arguments in the same order as in V8, so an inconsistent comparator has the same result as there.
 */
function isBefore<T>(realm: Realm, value: T, other: T, compare: (left: T, right: T) => number): boolean {
  realm.meter.charge(1);
  return compare(value, other) < 0;
}

/**
 * Merges two neighbouring sorted runs of `from` into `to`. Among equal values, those of the left
 * run come first.
 */
function merge<T>(
  realm: Realm,
  from: readonly T[],
  to: T[],
  start: number,
  width: number,
  compare: (left: T, right: T) => number,
): void {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  let left = start;
  let right = middle;
  for (let place = start; place < end; place++) {
    const takesRight = left >= middle || (right < end && isBefore(realm, from[right] as T, from[left] as T, compare)); // both indexes are within the array
    to[place] = from[takesRight ? right++ : left++] as T;
  }
}
