// Checks and operations for guest arrays that can be used like host arrays.

import { throwRangeError } from "../../guest-throw.ts";
import { type GuestObject, slotsOf } from "../../guest-value.ts";
import { keepReferences } from "../../long-lists.ts";
import { beforeLengthChange, noteHoles, noteList } from "../../operations/holes.ts";
import type { Realm } from "../realm.ts";

/** The maximum length of an array in the language. */
export const maxArrayLength: number = 2 ** 32 - 1;

/**
 * Says whether an array-like object has an element at an index. Charges extra for a missing
 * element, because the host takes several times as long to look for it.
 */
export function hasElement(realm: Realm, object: GuestObject, index: number): boolean {
  if (index in object) return true;
  realm.meter.charge(index < maxArrayLength ? 4 : 12);
  return false;
}

/** Creates an array of this length. @throws a guest RangeError when it is too long */
export function arrayCreate(realm: Realm, length: number): unknown[] & GuestObject {
  if (length > maxArrayLength) return throwRangeError(`an array cannot have ${length} elements`);
  if (length <= maxLengthAtOnce) {
    realm.meter.allocate(72 + 8 * length);
    const array = new realm.GuestArray(length) as unknown[] & GuestObject; // a guest array is a guest object too
    noteHoles(array);
    return array;
  }
  const array = realm.newArray();
  keepReferences(array);
  setHostLength(realm, array, length);
  if (length <= maxListLength) noteList(array);
  return array;
}

// The maximum length of an array whose memory is reserved in one step.
const maxLengthAtOnce = 1 << 16;
// The maximum length of an array that the host stores as a list. The host stores a longer array as
// a hash table, in which holes take no memory.
const maxListLength = 2 ** 25;

/** Sets the length of a host array whose length is writable, and charges for the memory. */
export function setHostLength(realm: Realm, array: unknown[], length: number): void {
  beforeLengthChange(array, length);
  if (length > array.length && length <= maxListLength) realm.meter.allocate(8 * (length - array.length));
  array.length = length;
}

/**
 * Says whether plain assignments can be used to add or change elements of this array, with the same
 * effect as in the specification.
 */
export function isPlainArray(realm: Realm, object: unknown): object is unknown[] {
  if (!realm.intact || !Array.isArray(object) || slotsOf(object) !== undefined) return false;
  return Object.getPrototypeOf(object) === realm.arrayPrototype;
}
