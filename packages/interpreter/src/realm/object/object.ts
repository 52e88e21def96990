// Object: the constructor and its static functions. Object.prototype is in prototype.ts.

import { throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject, slotsOf } from "../../guest-value.ts";
import { pushTo } from "../../long-lists.ts";
import { call, ordinaryCreateFromConstructor, requireCallable } from "../../operations/call.ts";
import { sameValue } from "../../operations/comparison.ts";
import { chargeEntryKey, requireObjectCoercible, toObject, toPropertyKey } from "../../operations/conversion.ts";
import { countedOwnKeys, enumerableOwnKeys, isOwnEnumerable, plainKeys } from "../../operations/counted-keys.ts";
import { fromPropertyDescriptor, toPropertyDescriptor } from "../../operations/descriptor.ts";
import { beforeLock } from "../../operations/holes.ts";
import { forEachOf } from "../../operations/iterator.ts";
import { noteIfPromise } from "../../operations/promise-watch.ts";
import {
  accessorFound,
  createDataPropertyOrThrow,
  type Descriptor,
  definePropertyOrThrow,
  get,
  getOwnProperty,
  getPrototypeOf,
  hasOwn,
  isExtensible,
  type PropertyKeyValue,
  preventExtensions,
  setOrThrow,
  setPrototypeOf,
  withoutGetters,
} from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { brief, counted, defineConstructor, type MethodTable, withLength } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { defineObjectPrototype } from "./prototype.ts";

// The cost of defining a property, in operations. It is high because the host creates a new hidden
// class for an object with an accessor, or with a property that is not enumerable.
const operationsOfDefinition = 128;
// The cost of reading a property descriptor, in operations. A descriptor has up to six properties.
// Its memory (`bytesOfDescriptor`) is charged, too, because all descriptors and their keys are kept
// until the last one has been read.
const operationsOfDescriptor = 16;
const bytesOfDescriptor = 160;
// The bytes of an object without a prototype, which the host stores as a hash table. When an object
// gets a prototype, `bytesOfPrototype` is charged, because for each prototype the host keeps the
// hidden classes of the objects that inherit from it.
const bytesOfTable = 96;
const bytesOfPrototype = 400;

/** Object and Object.prototype. */
export const objectFamily: IntrinsicFamily = { intrinsics: [], globals: ["Object"], eager: true, make: makeObject };

function makeObject(realm: Realm): MadeFamily {
  defineObjectPrototype(realm);
  const object = defineConstructor(realm, {
    name: "Object",
    length: 1,
    cost: "counted",
    prototype: realm.objectPrototype,
    construct: (newTarget, value) =>
      newTarget === object
        ? objectOf(realm, value)
        : ordinaryCreateFromConstructor(realm, newTarget, "ObjectPrototype"),
    call: (_thisValue, value) => objectOf(realm, value),
    statics: { ...creatingStatics(realm), ...listingStatics(realm), ...lockingStatics(realm) },
  });
  return { intrinsics: {}, globals: { Object: object } };
}

function objectOf(realm: Realm, value: unknown): GuestObject {
  return value === undefined || value === null ? realm.newObject() : toObject(realm, value);
}

/** Makes the functions that create objects and define properties. */
function creatingStatics(realm: Realm): MethodTable {
  return {
    assign: counted(
      withLength(2, (_thisValue, target, ...sources) => {
        const to = toObject(realm, target);
        for (const source of sources) {
          if (source !== undefined && source !== null) assignOwn(realm, to, toObject(realm, source));
        }
        return to;
      }),
    ),
    create: counted((_thisValue, prototype, properties) => {
      if (!isObject(prototype) && prototype !== null)
        return throwTypeError(`a prototype must be an object or null, got ${valueText(prototype)}`);
      const object = realm.newObject();
      realm.meter.charge(8);
      realm.meter.allocate(prototype === null ? bytesOfTable : bytesOfPrototype);
      setPrototypeOf(object, prototype);
      return properties === undefined ? object : defineProperties(realm, object, properties);
    }),
    defineProperty: counted((_thisValue, object, key, attributes) => {
      if (!isObject(object))
        return throwTypeError("Object.defineProperty was called on something that is not an object");
      realm.meter.charge(operationsOfDefinition);
      definePropertyOrThrow(object, toPropertyKey(key), toPropertyDescriptor(attributes));
      return object;
    }),
    defineProperties: counted((_thisValue, object, properties) => {
      if (!isObject(object))
        return throwTypeError("Object.defineProperties was called on something that is not an object");
      return defineProperties(realm, object, properties);
    }),
    fromEntries: counted((_thisValue, iterable) => {
      requireObjectCoercible(iterable, "Object.fromEntries");
      const object = realm.newObject();
      forEachOf(realm, iterable, (entry) => {
        if (!isObject(entry)) return throwTypeError(`an entry must be [key, value], got ${valueText(entry)}`);
        const key = get(entry, 0);
        const value = get(entry, 1);
        createDataPropertyOrThrow(object, toPropertyKey(key), value);
      });
      return object;
    }),
    groupBy: counted((_thisValue, items, callback) => {
      const object = realm.newObject();
      setPrototypeOf(object, null);
      const groups = groupBy(realm, items, callback, toGroupKey);
      for (const [key, values] of groups) createDataPropertyOrThrow(object, key, realm.newArray(values));
      return object;
    }),
    setPrototypeOf: counted((_thisValue, object, prototype) => {
      realm.meter.charge(16);
      realm.meter.allocate(bytesOfPrototype);
      requireObjectCoercible(object, "Object.setPrototypeOf");
      if (!isObject(prototype) && prototype !== null)
        return throwTypeError(`a prototype must be an object or null, got ${valueText(prototype)}`);
      if (isObject(object) && !setPrototypeOf(object, prototype))
        return throwTypeError("the prototype of this object cannot be changed");
      return object;
    }),
  };
}

/** Creates the functions that list the properties of an object. */
function listingStatics(realm: Realm): MethodTable {
  return {
    entries: counted((_thisValue, value) => {
      const object = toObject(realm, value);
      return mapOwnProperties(realm, object, (key, value) => realm.newArray([key, value]));
    }),
    getOwnPropertyDescriptor: counted((_thisValue, value, key) => {
      const object = toObject(realm, value);
      return fromPropertyDescriptor(realm, getOwnProperty(object, toPropertyKey(key)));
    }),
    getOwnPropertyDescriptors: counted((_thisValue, value) => {
      const object = toObject(realm, value);
      const descriptors = realm.newObject();
      for (const key of countedOwnKeys(realm, object)) {
        realm.meter.charge(operationsOfDefinition);
        const descriptor = fromPropertyDescriptor(realm, getOwnProperty(object, key));
        if (descriptor) createDataPropertyOrThrow(descriptors, key, descriptor);
      }
      return descriptors;
    }),
    getOwnPropertyNames: counted((_thisValue, value) => ownKeysOfType(realm, toObject(realm, value), "string")),
    getOwnPropertySymbols: counted((_thisValue, value) => ownKeysOfType(realm, toObject(realm, value), "symbol")),
    getPrototypeOf: counted((_thisValue, value) => getPrototypeOf(toObject(realm, value))),
    hasOwn: counted((_thisValue, value, key) => {
      const object = toObject(realm, noteIfPromise(realm, value, "was asked for one of its own properties"));
      return hasOwn(object, toPropertyKey(key));
    }),
    is: counted((_thisValue, left, right) => {
      if (sameValue(left, right)) return true;
      noteIfPromise(realm, left, "was compared");
      noteIfPromise(realm, right, "was compared");
      return false;
    }),
    keys: counted((_thisValue, value) => {
      const object = toObject(realm, value);
      realm.promiseWatch?.refuseKeysOf(object, listing);
      return realm.newArray(enumerableOwnKeys(realm, object));
    }),
    values: counted((_thisValue, value) => {
      const object = toObject(realm, value);
      return mapOwnProperties(realm, object, (_key, value) => value);
    }),
  };
}

/**
 * Creates the functions that seal and freeze objects, and those that check whether an object is
 * sealed or frozen.
 */
function lockingStatics(realm: Realm): MethodTable {
  return {
    freeze: counted((_thisValue, value) => lock(realm, value, "frozen")),
    isExtensible: brief((_thisValue, value) => isObject(value) && isExtensible(value)),
    isFrozen: counted((_thisValue, value) => isLocked(realm, value, "frozen")),
    isSealed: counted((_thisValue, value) => isLocked(realm, value, "sealed")),
    preventExtensions: brief((_thisValue, value) => {
      if (isObject(value) && !preventExtensions(value)) return throwTypeError("the object cannot be made inextensible");
      return value;
    }),
    seal: counted((_thisValue, value) => lock(realm, value, "sealed")),
  };
}

const listing = "was asked for its properties, but a promise has none";

function assignOwn(realm: Realm, to: GuestObject, from: GuestObject): void {
  realm.promiseWatch?.refuseKeysOf(from, listing);
  for (const key of countedOwnKeys(realm, from)) {
    if (isOwnEnumerable(from, key)) setOrThrow(to, key, get(from, key));
  }
}

function defineProperties(realm: Realm, object: GuestObject, properties: unknown): GuestObject {
  const source = toObject(realm, properties);
  const descriptors: [PropertyKeyValue, Descriptor][] = [];
  for (const key of countedOwnKeys(realm, source)) {
    if (!isOwnEnumerable(source, key)) continue;
    realm.meter.charge(operationsOfDescriptor);
    realm.meter.allocate(bytesOfDescriptor);
    descriptors.push([key, toPropertyDescriptor(get(source, key))]);
  }
  for (const [key, descriptor] of descriptors) {
    realm.meter.charge(operationsOfDefinition);
    definePropertyOrThrow(object, key, descriptor);
  }
  return object;
}

/**
 * Returns the property key of a group. An integer becomes a string, so that values with the key 1
 * and values with the key "1" are in the same group.
 */
function toGroupKey(value: unknown): string | symbol {
  const key = toPropertyKey(value);
  return typeof key === "number" ? String(key) : key;
}

/**
 * Groups the values of an iterable by the key that a callback returns. Keys are in the order in
 * which they first appear.
 */
export function groupBy<Key>(
  realm: Realm,
  items: unknown,
  callback: unknown,
  toKey: (value: unknown) => Key,
): Map<Key, unknown[]> {
  requireObjectCoercible(items, "groupBy");
  const choose = requireCallable(callback, "groupBy");
  const groups = new Map<Key, unknown[]>();
  let index = 0;
  forEachOf(realm, items, (value) => {
    const key = toKey(call(choose, undefined, value, index++));
    chargeEntryKey(key, groups.size);
    const group = groups.get(key);
    realm.meter.allocate(16);
    if (group) pushTo(group, value);
    else groups.set(key, [value]);
  });
  return groups;
}

/**
 * Calls `pick` with each own enumerable string key and its value, and returns an array of the
 * results. Reads each property right before the call for it.
 */
function mapOwnProperties(
  realm: Realm,
  object: GuestObject,
  pick: (key: string, value: unknown) => unknown,
): GuestObject {
  realm.promiseWatch?.refuseKeysOf(object, listing);
  const list = slotsOf(object) === undefined ? plainValues(realm, object, pick) : null;
  return realm.newArray(list ?? valuesOneByOne(realm, object, pick));
}

/**
 * Reads all properties of an object that is not a proxy. Returns null if the object has a getter,
 * because guest code must not run here.
 */
function plainValues(
  realm: Realm,
  object: GuestObject,
  pick: (key: string, value: unknown) => unknown,
): unknown[] | null {
  const keys = plainKeys(realm, object);
  const values = withoutGetters(() => readAll(object, keys));
  return values && keys.map((key, index) => pick(key, values[index]));
}

function readAll(object: GuestObject, keys: readonly string[]): unknown[] | null {
  const values: unknown[] = [];
  for (let index = 0; index < keys.length; index++) {
    const value = object[keys[index] as string]; // `index` is less than the length
    if (value === accessorFound) return null;
    pushTo(values, value);
  }
  return values;
}

function valuesOneByOne(realm: Realm, object: GuestObject, pick: (key: string, value: unknown) => unknown): unknown[] {
  const list: unknown[] = [];
  for (const key of countedOwnKeys(realm, object)) {
    if (typeof key === "string" && isOwnEnumerable(object, key)) pushTo(list, pick(key, get(object, key)));
  }
  return list;
}

function ownKeysOfType(realm: Realm, object: GuestObject, type: "string" | "symbol"): GuestObject {
  return realm.newArray(countedOwnKeys(realm, object).filter((key) => typeof key === type));
}

function lock(realm: Realm, value: unknown, level: "sealed" | "frozen"): unknown {
  if (!isObject(value)) return value;
  if (slotsOf(value) === undefined && !ArrayBuffer.isView(value)) {
    countedOwnKeys(realm, value);
    beforeLock(value);
    return level === "sealed" ? Object.seal(value) : Object.freeze(value);
  }
  if (!preventExtensions(value)) return throwTypeError(`the object cannot be ${level}`);
  const keys = countedOwnKeys(realm, value);
  realm.meter.charge((keys.length * keys.length) >>> 1); // the host copies the object's list of properties for each key
  for (const key of keys) {
    if (level === "sealed") definePropertyOrThrow(value, key, { configurable: false });
    else freezeProperty(value, key);
  }
  return value;
}

function freezeProperty(object: GuestObject, key: PropertyKeyValue): void {
  const descriptor = getOwnProperty(object, key);
  if (!descriptor) return;
  const isAccessor = "get" in descriptor || "set" in descriptor;
  definePropertyOrThrow(object, key, isAccessor ? { configurable: false } : { configurable: false, writable: false });
}

function isLocked(realm: Realm, value: unknown, level: "sealed" | "frozen"): boolean {
  if (!isObject(value)) return true;
  if (isExtensible(value)) return false;
  for (const key of countedOwnKeys(realm, value)) {
    const descriptor = getOwnProperty(value, key);
    if (descriptor?.configurable || (level === "frozen" && descriptor?.writable)) return false;
  }
  return true;
}
