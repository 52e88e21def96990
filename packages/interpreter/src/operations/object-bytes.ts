// Computes how many bytes the properties of an object take. Code that adds or deletes properties
// charges for them here. The charge depends only on the keys and their number, so it is the same on
// every host. The figures were measured on Node 20.
//
// An assignment such as `a.name = 1` is not counted, because that would make it twice as slow. Only
// a sample of the assignments is examined (see `sampleStore`).
//
// The host stores few properties in a list, and many in a hash table. It replaces a full table by
// one of twice the size.

import { settle } from "../function-object.ts";
import { type GuestObject, slotsOf } from "../guest-value.ts";
import { currentMeter, type Meter } from "../limits.ts";
import { proxyState } from "../slots/proxy.ts";
import { addKeys, expectedKeys, minRecordedKeys, noteKeys, requireRoomForKeys } from "./many-keys.ts";
import type { PropertyKeyValue } from "./property.ts";

const bytesOfListed = 9;
// The host stores an object with more than about this many properties as a hash table.
const maxListed = 21;
const maxInFirstTable = 32;
const bytesInFirstTable = 120;
const bytesInTable = 52;

/** Returns the bytes of `count` properties of one object. */
export function bytesOfProperties(count: number): number {
  if (count <= maxListed) return bytesOfListed * count;
  const inFirstTable = Math.min(count, maxInFirstTable) - maxListed;
  const inTable = Math.max(0, count - maxInFirstTable);
  return bytesOfListed * maxListed + bytesInFirstTable * inFirstTable + bytesInTable * inTable;
}

/**
 * Returns the bytes of the fields of a class instance. The host stores fields in a list, however
 * many they are.
 */
export const bytesOfFields = (count: number): number => bytesOfListed * count;

// The bytes that an object other than an array needs for its first element. The host then also
// allocates space for more elements.
const bytesOfFirstElement = 120;
const bytesOfElement = 12;
// The host stores elements in a hash table if an index is larger than
// `minSparseIndex + sparseness * (number of properties)`.
const sparseness = 8;
const minSparseIndex = 1_024;

// The bytes of a hidden class. An object with a key that no other object has needs a hidden class
// of its own.
const bytesOfShape = 220;
const maxSampledKeys = 4_096;

/**
 * Examines one store out of a sample of stores, and charges for the properties that the whole
 * sample has added. Examining every store would take too long: checking whether a property is new
 * takes longer than storing it. So all stores of the sample are charged like the last one. Hot
 * paths do `if (--meter.storesLeft < 0) sampleStore(meter, object, key)`.
 */
function sampleStore(meter: Meter, object: GuestObject, key: PropertyKeyValue): void {
  const stores = meter.nextSample();
  countSample(meter, object, key, stores, 0);
}

/**
 * Returns a function that counts a store to a property with this name. Call that function before
 * each such store.
 */
export function noteStore(meter: Meter, name: string): (target: GuestObject) => void {
  return (target) => {
    if (--meter.storesLeft < 0) sampleStore(meter, target, name);
  };
}

/** The same as {@link sampleStore}, for a computed key. */
export function sampleComputedStore(meter: Meter, object: GuestObject, key: PropertyKeyValue): void {
  const isNew = typeof key !== "number" && !meter.sampledKeys.has(key);
  if (isNew && meter.sampledKeys.size < maxSampledKeys) meter.sampledKeys.add(key);
  countSample(meter, object, key, meter.nextSample(), isNew ? bytesOfShape : 0);
}

function countSample(
  meter: Meter,
  object: GuestObject,
  key: PropertyKeyValue,
  stores: number,
  bytesOfShape: number,
): void {
  // Settling a function (function-object.ts) moves all its properties, so settle it now, while it
  // has few of them.
  settle(object);
  if (!addsProperty(object, key)) return;
  meter.allocate(stores * bytesOfNewProperty(object, key, stores, bytesOfShape));
  requireRoomForKeys(meter, object, stores);
}

/**
 * Counts a store by a built-in, and samples it if a sample is due. Uses the meter of the guest code
 * that runs now.
 */
export function countStore(object: GuestObject, key: PropertyKeyValue): void {
  const meter = currentMeter();
  if (meter && --meter.storesLeft < 0) sampleComputedStore(meter, object, key);
}

/** Says whether a store would add an own property to the object. Runs no guest code. */
function addsProperty(object: GuestObject, key: PropertyKeyValue): boolean {
  if (isElementOfList(object, key)) return false;
  for (let link: object | null = object; link !== null; link = Reflect.getPrototypeOf(link)) {
    if (proxyState(link)) return false;
    settle(link);
    const descriptor = Reflect.getOwnPropertyDescriptor(link, key);
    if (descriptor) return link !== object && descriptor.writable === true;
  }
  return Reflect.isExtensible(object);
}

/**
 * Says whether the key is an element of an array or typed array. Such elements are charged together
 * with the list.
 */
function isElementOfList(object: GuestObject, key: PropertyKeyValue): boolean {
  return (typeof key === "number" && Array.isArray(object)) || ArrayBuffer.isView(object);
}

function bytesOfNewProperty(object: GuestObject, key: PropertyKeyValue, stores: number, bytesOfShape: number): number {
  if (Array.isArray(object)) {
    if (!isIndexText(key)) addKeys(object, stores);
    return bytesOfListed;
  }
  const count = propertyCount(object, stores);
  if (typeof key !== "number")
    return bytesOfProperties(count + 1) - bytesOfProperties(count) + (count < maxListed ? bytesOfShape : 0);
  if (key > minSparseIndex + sparseness * count) return bytesInTable;
  return key < minSparseIndex && !hasElements(object) ? bytesOfFirstElement : bytesOfElement;
}

const isIndexText = (key: PropertyKeyValue): boolean => typeof key === "string" && String(Number(key) >>> 0) === key;

function propertyCount(object: GuestObject, stores: number): number {
  const known = expectedKeys(object);
  const count = known === 0 ? ownKeyCount(object) : known + stores;
  if (count >= minRecordedKeys) noteKeys(object, count);
  return count;
}

/**
 * Returns the number of own keys of an object that probably has few keys. The characters of a
 * String object are keys too. They are not listed, because there can be millions.
 */
function ownKeyCount(object: GuestObject): number {
  return slotsOf(object)?.type === "primitive" ? minRecordedKeys : Reflect.ownKeys(object).length;
}

/**
 * Says whether an object with few properties has an integer key. Checks only the first key, because
 * integer keys come first.
 */
function hasElements(object: GuestObject): boolean {
  if (expectedKeys(object) >= minRecordedKeys) return true;
  const [first] = Reflect.ownKeys(object);
  return typeof first === "string" && first >= "0" && first < ":";
}

// Objects that are hash tables because a property was deleted. This set has no objects with many
// keys.
const tables = new WeakSet<object>();
const bytesOfTable = 100;
const bytesOfPlace = 24;

/**
 * Charges for the hash table to which the host converts an object when one of its properties is
 * deleted. Uses the meter of the guest code that runs now.
 */
export function countDeletion(object: GuestObject, key: PropertyKeyValue): void {
  const meter = currentMeter();
  if (!meter || tables.has(object) || expectedKeys(object) >= minRecordedKeys || proxyState(object)) return;
  if (Array.isArray(object) || isElementOfList(object, key) || !Object.hasOwn(object, key)) return;
  const count = slotsOf(object)?.type === "primitive" ? 0 : Reflect.ownKeys(object).length;
  tables.add(object);
  if (count > maxListed) return;
  meter.allocate(bytesOfTable + bytesOfPlace * placesOfTable(count));
}

/** Returns how many entries a new hash table for `count` properties has room for. */
function placesOfTable(count: number): number {
  let places = 4;
  while (places < (count + 2) * 1.5) places *= 2;
  return places;
}
