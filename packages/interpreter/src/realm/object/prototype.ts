// The methods and accessors of Object.prototype.

import { throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject, slotsOf } from "../../guest-value.ts";
import { invoke, isCallable } from "../../operations/call.ts";
import { PrimitiveSlots, requireObjectCoercible, toObject, toPropertyKey } from "../../operations/conversion.ts";
import { isArray } from "../../operations/is-array.ts";
import {
  type Descriptor,
  definePropertyOrThrow,
  get,
  getOwnProperty,
  getPrototypeOf,
  hasOwn,
  setPrototypeOf,
  toHostDescriptor,
} from "../../operations/property.ts";
import { counted, defineMethods } from "../define.ts";
import type { Realm } from "../realm.ts";

/** Defines the properties of Object.prototype. */
export function defineObjectPrototype(realm: Realm): void {
  const prototype = realm.objectPrototype;
  defineMethods(realm, prototype, {
    hasOwnProperty: counted((thisValue: unknown, value: unknown) => {
      const key = toPropertyKey(value);
      return hasOwn(toObject(realm, thisValue), key);
    }),
    isPrototypeOf: counted((thisValue: unknown, value: unknown) => {
      if (!isObject(value)) return false;
      const object = toObject(realm, thisValue);
      for (let link = getPrototypeOf(value); link !== null; link = getPrototypeOf(link)) {
        realm.meter.charge(1);
        if (link === object) return true;
      }
      return false;
    }),
    propertyIsEnumerable: counted((thisValue: unknown, value: unknown) => {
      const key = toPropertyKey(value);
      return getOwnProperty(toObject(realm, thisValue), key)?.enumerable ?? false;
    }),
    toLocaleString: counted((thisValue: unknown) => invoke(realm, thisValue, "toString")),
    toString: counted((thisValue: unknown) => objectToString(realm, thisValue)),
    valueOf: counted((thisValue: unknown) => toObject(realm, thisValue)),
    __defineGetter__: counted((thisValue, key, getter) => defineAccessor(realm, thisValue, key, "get", getter)),
    __defineSetter__: counted((thisValue, key, setter) => defineAccessor(realm, thisValue, key, "set", setter)),
    __lookupGetter__: counted((thisValue, key) => lookupAccessor(realm, thisValue, key, "get")),
    __lookupSetter__: counted((thisValue, key) => lookupAccessor(realm, thisValue, key, "set")),
  });
  // Not defined with `defineAccessors`, because that would make `realm.intact` false. This accessor
  // is harmless: plain assignments never use the key "__proto__".
  Object.defineProperty(
    prototype,
    "__proto__",
    toHostDescriptor({
      get: realm.newNativeFunction("get __proto__", 0, (thisValue) => getPrototypeOf(toObject(realm, thisValue))),
      set: realm.newNativeFunction("set __proto__", 1, setProto),
      enumerable: false,
      configurable: true,
    }),
  );
}

/** Implements `Object.prototype.toString`. */
export function objectToString(realm: Realm, thisValue: unknown): string {
  if (thisValue === undefined) return "[object Undefined]";
  if (thisValue === null) return "[object Null]";
  const object = toObject(realm, thisValue);
  const builtin = isArray(object) ? "Array" : builtinTag(object);
  const tag = get(object, Symbol.toStringTag);
  return `[object ${typeof tag === "string" ? tag : builtin}]`;
}

const tagOfSlots = new Map([
  ["function", "Function"],
  ["error", "Error"],
  ["date", "Date"],
  ["regexp", "RegExp"],
  ["arguments", "Arguments"],
]);

const tagOfPrimitive = new Map([
  ["string", "String"],
  ["number", "Number"],
  ["boolean", "Boolean"],
]);

function builtinTag(object: GuestObject): string {
  const slots = slotsOf(object);
  const tag =
    slots instanceof PrimitiveSlots ? tagOfPrimitive.get(typeof slots.value) : slots && tagOfSlots.get(slots.type);
  return tag ?? "Object";
}

function setProto(thisValue: unknown, prototype: unknown): void {
  requireObjectCoercible(thisValue, "set __proto__");
  if (!isObject(prototype) && prototype !== null) return;
  if (isObject(thisValue) && !setPrototypeOf(thisValue, prototype))
    throwTypeError("the prototype of this object cannot be changed");
}

function defineAccessor(realm: Realm, thisValue: unknown, key: unknown, field: "get" | "set", accessor: unknown): void {
  const object = toObject(realm, thisValue);
  if (!isCallable(accessor)) return throwTypeError(`an accessor must be a function`);
  const descriptor: Descriptor = { enumerable: true, configurable: true, [field]: accessor };
  definePropertyOrThrow(object, toPropertyKey(key), descriptor);
}

function lookupAccessor(realm: Realm, thisValue: unknown, value: unknown, field: "get" | "set"): unknown {
  let object: GuestObject | null = toObject(realm, thisValue);
  for (const key = toPropertyKey(value); object !== null; object = getPrototypeOf(object)) {
    realm.meter.charge(1);
    const descriptor = getOwnProperty(object, key);
    if (descriptor) return descriptor[field];
  }
  return undefined;
}
