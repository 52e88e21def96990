// Own keys, counted. The host makes a list of all keys before anyone can count them, so what is
// dense is paid for by its length first.

import { type GuestObject, slotsOf } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import type { Realm } from "../realm/realm.ts";
import { typedArrayKind, typedArrayLength } from "../slots/typed-array.ts";
import { PrimitiveSlots } from "./conversion.ts";
import { expectedKeys, hasManyKeys, noteKeys } from "./many-keys.ts";
import { ownKeys } from "./property.ts";
import { proxyState } from "./proxy.ts";
import { refuseHugeKeyList } from "./typed-array-element.ts";

// An array longer than this cannot be dense within the memory limit: its keys are counted after
// they were listed.
const longestDense = 2 ** 25;

// Looking at a property by its descriptor takes the host about so many operations.
const operationsPerKey = 4;
// An index in a list: its text, and its place.
const bytesOfIndex = 32;
// While the host makes a list it has it more than once: those that skip hidden keys less often than
// those of all keys.
const bytesWhileListing = { shown: 64, all: 120 };
// Shorter lists fit into any memory that has room for the object.
const longList = 1 << 14;

/**
 * All own keys of an object, paid for as far as each will be looked at. A host array: not for
 * guests' eyes.
 */
export function countedOwnKeys(realm: Realm, object: GuestObject): (string | symbol)[] {
  foreseeKeys(realm, object);
  const keys = ownKeys(object);
  noteKeys(object, keys.length);
  realm.meter.charge(operationsPerKey * keys.length);
  return keys;
}

/**
 * The own keys of an object that is described, paid for by whoever it is described for. Null for
 * long lists: to list millions of indices takes far longer than to read the few elements that are
 * shown.
 */
export function describedKeys(meter: Meter, object: GuestObject): readonly (string | symbol)[] | null {
  if (elementCount(object) > longestListed) return null;
  foreseeList(meter, expectedKeys(object), bytesWhileListing.all);
  const keys = ownKeys(object);
  noteKeys(object, keys.length);
  meter.charge(keys.length * operationsPerDescribedKey);
  return keys;
}

// How many operations the host could do in the time that it takes to look at a key.
const operationsPerDescribedKey = 3;

/**
 * The own keys of an object that is described when its program has ended, so that nobody pays; null
 * when they are too many to be listed at all.
 */
export function fewOwnKeys(object: GuestObject): readonly (string | symbol)[] | null {
  return elementCount(object) > longestListed || hasManyKeys(object) ? null : ownKeys(object);
}

// Listing so many indices takes about a millisecond.
const longestListed = 10_000;

/** Whether an object has an enumerable own property. */
export function isOwnEnumerable(object: GuestObject, key: PropertyKey): boolean {
  return propertyIsEnumerable.call(object, key);
}

/** The own enumerable string keys, in order. */
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
 * For objects without slots, which are not proxies: listing their keys on the host runs no guest
 * code.
 */
export function plainKeys(realm: Realm, object: GuestObject): string[] {
  foreseeKeys(realm, object, bytesWhileListing.shown);
  if (ArrayBuffer.isView(object)) refuseHugeKeyList(object);
  const keys = Object.keys(object);
  noteKeys(object, keys.length);
  realm.meter.charge(keys.length);
  return keys;
}

/** Charges for listing the keys of an object. Throws first if not enough time or memory is left. */
export function foreseeKeys(
  realm: Realm,
  object: GuestObject,
  bytesPerKey: number = bytesWhileListing.all,
  lists = 1,
): void {
  const proxy = slotsOf(object) && proxyState(object);
  if (proxy) {
    // The host lists the keys of a proxy's target, too, and compares the two.
    if (proxy.target && lists < mostLists) foreseeKeys(realm, proxy.target, bytesPerKey, lists + 2);
    return;
  }
  const length = elementCount(object);
  const elements = length < longestDense ? length : 0;
  realm.meter.allocate(bytesOfIndex * elements);
  foreseeList(realm.meter, lists * Math.max(elements, expectedKeys(object)), bytesPerKey);
}

// Of proxies of proxies; each asks the next twice, and is charged for that.
const mostLists = 100;

/** Ends the execution if not enough time or memory is left for a list of so many keys. */
export function foreseeList(meter: Meter, count: number, bytesPerKey: number = bytesWhileListing.shown): void {
  if (count >= longList) meter.requireRoom(bytesPerKey * count);
  meter.foresee(count * operationsPerListedKey);
}

const operationsPerListedKey = 12;

/** How many index properties an object has without any of them having been stored by itself. */
function elementCount(object: GuestObject): number {
  const slots = slotsOf(object);
  if (slots instanceof PrimitiveSlots) return typeof slots.value === "string" ? slots.value.length : 0;
  if (slots === undefined && Array.isArray(object)) return object.length;
  return typedArrayKind(object) ? typedArrayLength(object) : 0;
}
