// Lists the keys of objects and charges for the work. The host lists all keys in one step, so their
// number is known only afterwards. For an array, the charge comes first nevertheless: it is
// computed from the array's length.

import { settle } from "../function-object.ts";
import { type GuestObject, slotsOf } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import type { Realm } from "../realm/realm.ts";
import { proxyState } from "../slots/proxy.ts";
import { typedArrayKind, typedArrayLength } from "../slots/typed-array.ts";
import { PrimitiveSlots } from "./conversion.ts";
import { expectedKeys, hasManyKeys, noteKeys } from "./many-keys.ts";
import { ownKeys } from "./property.ts";
import { refuseHugeKeyList } from "./typed-array-element.ts";

// A shorter array than this is charged before its keys are listed, as if it had no holes. A longer
// array must have many holes, because without them it would exceed the memory limit. So it is
// charged after its keys have been listed.
const maxDenseLength = 2 ** 25;

// The cost of reading the descriptor of a property, in operations.
const operationsPerKey = 4;
// The bytes of an index in a list of keys: the index as a string, and its entry in the list.
const bytesOfIndex = 32;
// The bytes that each key needs while the host lists the keys of an object. The host makes several
// copies of the list. It makes fewer copies for enumerable keys (`shown`) than for all keys.
const bytesWhileListing = { shown: 64, all: 120 };
// Before a list of at least this length is created, the meter checks that there is enough memory
// for it. A shorter list always fits.
const longList = 1 << 14;

/**
 * Returns all own keys of an object. Charges for listing them, and for the caller's read of each
 * property. The result is a host array, which guest code must not see.
 */
export function countedOwnKeys(realm: Realm, object: GuestObject): (string | symbol)[] {
  chargeKeyListing(realm, object);
  const keys = ownKeys(object);
  noteKeys(object, keys.length);
  realm.meter.charge(operationsPerKey * keys.length);
  return keys;
}

/**
 * Returns the enumerable own keys of an object that is being formatted, and charges `meter` for
 * them. Returns null for objects with many elements, because listing millions of indices takes far
 * longer than reading the few elements that the formatted text shows.
 */
export function describedKeys(meter: Meter, object: GuestObject): readonly (string | symbol)[] | null {
  if (elementCount(object) > maxListedIndices) return null;
  requireListing(meter, expectedKeys(object), bytesWhileListing.shown, operationsPerShownKey);
  settle(object);
  const symbols = Object.getOwnPropertySymbols(object).filter((symbol) => isOwnEnumerable(object, symbol));
  const keys: (string | symbol)[] = Object.keys(object);
  for (const symbol of symbols) keys.push(symbol);
  meter.charge(noteListedKeys(object, keys.length) * operationsPerDescribedKey);
  return keys;
}

/**
 * Records how many keys an object has, after its enumerable keys were listed. If far fewer keys
 * were listed than expected, the others are not enumerable or were deleted. To find out how many
 * still exist, counts all own keys. Returns the recorded number.
 */
export function noteListedKeys(object: GuestObject, listed: number): number {
  const count = expectedKeys(object) > 2 * listed ? ownKeys(object).length : listed;
  noteKeys(object, count);
  return count;
}

// The cost of reading one property of an object that is being formatted, in operations.
const operationsPerDescribedKey = 3;

/**
 * Returns the own keys of an object that is formatted after its program has ended. Charges nothing.
 * Returns null if there are too many keys to list.
 */
export function ownKeysUnlessMany(object: GuestObject): readonly (string | symbol)[] | null {
  return elementCount(object) > maxListedIndices || hasManyKeys(object) ? null : ownKeys(object);
}

// The maximum number of indices that are listed to format an object. Listing this many takes about
// a millisecond.
const maxListedIndices = 10_000;

/** Says whether an object has an own property of this name that is enumerable. */
export function isOwnEnumerable(object: GuestObject, key: PropertyKey): boolean {
  return propertyIsEnumerable.call(object, key);
}

/** Returns the enumerable own string keys, in order. */
export function enumerableOwnKeys(realm: Realm, object: GuestObject): string[] {
  if (slotsOf(object) === undefined) return plainKeys(realm, object);
  const keys: string[] = [];
  for (const key of countedOwnKeys(realm, object)) {
    if (typeof key === "string" && isOwnEnumerable(object, key)) keys.push(key);
  }
  return keys;
}

const { propertyIsEnumerable } = Object.prototype;

/**
 * Returns the enumerable own string keys of an object that is not a proxy. Uses `Object.keys` of
 * the host, because that never runs guest code for such an object.
 */
export function plainKeys(realm: Realm, object: GuestObject): string[] {
  chargeKeyListing(realm, object, bytesWhileListing.shown);
  if (ArrayBuffer.isView(object)) refuseHugeKeyList(object);
  const keys = Object.keys(object);
  noteListedKeys(object, keys.length);
  realm.meter.charge(keys.length);
  return keys;
}

/**
 * Charges for listing the keys of an object, before they are listed. Throws if not enough time or
 * memory is left.
 */
export function chargeKeyListing(
  realm: Realm,
  object: GuestObject,
  bytesPerKey: number = bytesWhileListing.all,
  lists = 1,
): void {
  const proxy = slotsOf(object) && proxyState(object);
  if (proxy) {
    // Also charge for the target's keys, because the host lists them, too, and compares the two
    // lists.
    if (proxy.target && lists < maxLists) chargeKeyListing(realm, proxy.target, bytesPerKey, lists + 2);
    return;
  }
  const length = elementCount(object);
  const elements = length < maxDenseLength ? length : 0;
  realm.meter.allocate(bytesOfIndex * elements);
  requireListing(realm.meter, lists * Math.max(elements, expectedKeys(object)), bytesPerKey);
}

// The maximum number of key lists that are charged for a chain of proxies. Each proxy in the chain
// adds two, because it lists the keys of its target twice.
const maxLists = 100;

/** Ends the execution if not enough time or memory is left for a list of this many keys. */
export function requireListing(
  meter: Meter,
  count: number,
  bytesPerKey: number = bytesWhileListing.shown,
  operationsPerKey: number = operationsPerListedKey,
): void {
  if (count >= longList) meter.requireRoom(bytesPerKey * count);
  meter.requireTime(count * operationsPerKey);
}

const operationsPerListedKey = 12;
// The cost of a key, in operations, when only enumerable string keys are listed. The host takes
// half as long for such a list.
const operationsPerShownKey = 6;

/**
 * Returns the number of elements of an array, string or typed array. A program can make such an
 * object very long in one step, without storing each element.
 */
function elementCount(object: GuestObject): number {
  const slots = slotsOf(object);
  if (slots instanceof PrimitiveSlots) return typeof slots.value === "string" ? slots.value.length : 0;
  if (slots === undefined && Array.isArray(object)) return object.length;
  return typedArrayKind(object) ? typedArrayLength(object) : 0;
}
