// Guest arrays as what they are to the host: arrays with a guest prototype.

import { throwRangeError } from "../../guest-throw.ts";
import { type GuestObject, slotsOf } from "../../guest-value.ts";
import type { Realm } from "../realm.ts";

/** The longest array that the language allows. */
export const longestArray: number = 2 ** 32 - 1;

/**
 * Whether an array-like object has an element. Looking for one that is not there takes the host
 * several times as long.
 */
export function hasElement(realm: Realm, object: GuestObject, index: number): boolean {
  if (index in object) return true;
  realm.meter.charge(index < longestArray ? 4 : 12);
  return false;
}

/** A new array of a length. @throws a guest RangeError when it is too long */
export function arrayCreate(realm: Realm, length: number): unknown[] & GuestObject {
  if (length > longestArray) return throwRangeError(`an array cannot have ${length} elements`);
  if (length <= longestAtOnce) {
    realm.meter.allocate(72 + 8 * length);
    return new realm.GuestArray(length) as unknown[] & GuestObject; // a guest array is a guest object
  }
  const array = realm.newArray();
  setHostLength(realm, array, length);
  return array;
}

// The host makes longer arrays as tables, which `setHostLength` knows how to charge for.
const longestAtOnce = 1 << 16;

/** Sets the length of a host array whose length is writable, and counts the room that it takes. */
export function setHostLength(realm: Realm, array: unknown[], length: number): void {
  // The host keeps longer arrays as tables, which take no room for holes.
  if (length > array.length && length <= 2 ** 25) realm.meter.allocate(8 * (length - array.length));
  array.length = length;
}

/**
 * Whether plain stores do what the language asks for when elements are added to or changed in an
 * array.
 */
export function isPlainArray(realm: Realm, object: unknown): object is unknown[] {
  if (!realm.intact || !Array.isArray(object) || slotsOf(object) !== undefined) return false;
  return Object.getPrototypeOf(object) === realm.arrayPrototype;
}
