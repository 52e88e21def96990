// The boundary between host and guest. Values cross it only in this file, as copies made by the
// codec of `protocol`. No guest code runs while a value is copied: no getter, no proxy trap, no
// `toJSON`, no `then`. Copied values contain nothing through which the guest could reach the host.

import {
  AgentError,
  decodeValue,
  type EncodedValue,
  encodeValue,
  jsonLength,
  type ObjectShape,
  type SerializedError,
  type ValueBuilder,
} from "@smolts/protocol";
import { functionSlots } from "./function-object.ts";
import { throwTypeError } from "./guest-throw.ts";
import { brand, type GuestObject, type Slots, slotsOf } from "./guest-value.ts";
import type { Meter } from "./limits.ts";
import { keepReferences, longNumberList } from "./long-lists.ts";
import { PrimitiveSlots } from "./operations/conversion.ts";
import { requireListing } from "./operations/counted-keys.ts";
import { expectedKeys } from "./operations/many-keys.ts";
import { promiseSlots } from "./operations/promise.ts";
import { accessorFound, withoutGetters } from "./operations/property.ts";
import { constructorName } from "./print/describe-object.ts";
import type { GuestErrorName, Realm } from "./realm/realm.ts";
import { newUint8Array } from "./realm/typed-array/typed-array.ts";
import { DateSlots } from "./slots/date.ts";
import { errorSlots } from "./slots/error.ts";
import { MapSlots } from "./slots/map.ts";
import { proxyState } from "./slots/proxy.ts";
import { SetSlots } from "./slots/set.ts";
import { bytesOf, typedArrayKind } from "./slots/typed-array.ts";

/**
 * Copies a guest value for the host. `meter` counts the cost before the work is done. Then
 * `whenCounted` is called, which may stop the execution.
 *
 * @throws AgentError `invalid-value` with the path of the first part that cannot be copied
 */
export function copyOut(
  realm: Realm,
  value: unknown,
  meter: Meter = realm.meter,
  whenCounted: () => void = () => {},
): EncodedValue {
  if (isOwnEncoding(value)) {
    meter.allocate(typeof value === "string" ? value.length : bytesOfNumber);
    whenCounted();
    const escapesLength = typeof value === "string" ? jsonLength(value) - value.length - quotesLength : 0;
    if (escapesLength > 0) {
      meter.allocate(escapesLength);
      whenCounted();
    }
    return value;
  }
  return withoutGetters(() =>
    encodeValue(value, {
      inspect: (object) => {
        meter.checkClockSooner(operationsOfObject + operationsOfKey * expectedKeys(object));
        if (slotsOf(object) === undefined && Array.isArray(object)) requireIndexListing(meter, object.length);
        return inspectGuestObject(realm, object as GuestObject); // guest objects only contain guest values
      },
      read: readGuestProperty,
      charge: (bytes, parts) => {
        meter.charge(parts);
        meter.allocate(bytes);
        whenCounted();
      },
    }),
  );
}

const bytesOfNumber = 8;
const quotesLength = 2;
// The cost of copying an object, in operations; its values are charged separately. In an object
// with many keys, each key costs extra.
const operationsOfObject = 8;
const operationsOfKey = 12;
// The cost of each index when a long array is copied. To find holes and named properties, the host
// lists all keys of the array, and creates a string for each index.
const operationsOfIndex = 3;
const bytesOfIndex = 40;
const minChargedIndices = 1 << 14;

function requireIndexListing(meter: Meter, length: number): void {
  if (length >= minChargedIndices) requireListing(meter, length, bytesOfIndex, operationsOfIndex);
}

/** Reads an own property of a plain object or array; getters do not run. */
function readGuestProperty(object: object, key: string | number, refuse: (what: string) => never): unknown {
  const value = (object as GuestObject)[key]; // guest objects only contain guest values
  if (value === accessorFound || (value === undefined && !isData(object, key))) refuse("an accessor");
  return value;
}

/**
 * Says whether a property is a data property. This is needed for a property that reads as
 * undefined, because it may also be an accessor without a getter.
 */
function isData(object: object, key: string | number): boolean {
  return Object.hasOwn(Object.getOwnPropertyDescriptor(object, key) ?? {}, "value");
}

/**
 * Copies the arguments of a call for the host. `whenCounted` is called after each part is counted
 * and before it is copied.
 *
 * @throws a guest TypeError with the path of the first part that cannot be copied
 */
export function copyArgumentsOut(
  realm: Realm,
  name: string,
  args: readonly unknown[],
  whenCounted?: () => void,
): EncodedValue[] {
  const copies: EncodedValue[] = [];
  for (let index = 0; index < args.length; index++) {
    try {
      copies.push(copyOut(realm, args[index], realm.meter, whenCounted));
    } catch (error) {
      if (!AgentError.is(error)) throw error;
      throwTypeError(`argument ${index + 1} of ${name}: ${error.message}`);
    }
  }
  return copies;
}

/** Says whether a value is identical to its encoding. Most arguments are, and need no encoding. */
function isOwnEncoding(value: unknown): value is string | number | boolean | null {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

/** Creates the guest value for an encoding. */
export function copyIn(realm: Realm, encoded: EncodedValue): unknown {
  if (typeof encoded !== "object" || encoded === null) {
    if (typeof encoded === "string") realm.meter.allocate(encoded.length * 2);
    return encoded;
  }
  return realm.intact
    ? decodeValue(
        encoded,
        guestBuilder(realm, (object) => object),
      )
    : decodeDetached(realm, encoded);
}

/** Creates the guest error for a call that failed. */
export function errorIn(realm: Realm, { name = "Error", message, code, hint }: SerializedError): GuestObject {
  const error = realm.newError(isErrorName(name) ? name : "Error", message);
  if (!isErrorName(name)) defineHidden(error, "name", name);
  defineHidden(error, "code", code);
  if (hint !== undefined) defineHidden(error, "hint", hint);
  return error;
}

const errorNames: ReadonlySet<string> = new Set<GuestErrorName>([
  "Error",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
]);

const isErrorName = (name: string): name is GuestErrorName => errorNames.has(name);

function defineHidden(object: GuestObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: false, configurable: true });
}

const plainObject: ObjectShape = { type: "object" };
const plainArray: ObjectShape = { type: "array" };

// Finds out what kind of value an object is. Plain objects and arrays have no slots. An object with
// slots is of a special kind, such as a Map, a function or a proxy.
function inspectGuestObject(realm: Realm, object: GuestObject): ObjectShape {
  const slots = slotsOf(object);
  if (slots) return inspectSlots(object, slots);
  if (Array.isArray(object)) return plainArray;
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === realm.objectPrototype || prototype === null) return plainObject;
  const kind = typedArrayKind(object);
  if (kind === "Uint8Array") return { type: "bytes", bytes: bytesOf(object) };
  const name = kind ?? constructorName(object);
  return refuse(name === undefined ? "a class instance" : `an instance of ${name}`);
}

function inspectSlots(object: GuestObject, slots: Slots): ObjectShape {
  if (proxyState(object)) return refuse("a proxy");
  if (functionSlots(object)) return refuse("a function");
  if (slots instanceof MapSlots) return { type: "map", entries: slots.entries };
  if (slots instanceof SetSlots) return { type: "set", values: slots.values };
  if (slots instanceof DateSlots) return { type: "date", time: slots.time };
  if (promiseSlots(object)) return refuse("a promise (write await before it)");
  if (errorSlots(object)) return refuse("an error (take its message)");
  if (slots instanceof PrimitiveSlots) return refuse(`a ${typeof slots.value} object`);
  if (Array.isArray(object)) return plainArray; // Array.prototype itself has slots
  if (typedArrayKind(object) === "Uint8Array") return { type: "bytes", bytes: bytesOf(object) };
  return refuse(`an instance of ${constructorName(object) ?? "a built-in class"}`);
}

const refuse = (what: string): ObjectShape => ({ type: "refused", what });

/**
 * Returns a builder of guest objects. It calls `made` with each new object, before the object is
 * filled.
 */
function guestBuilder(realm: Realm, made: <Made extends object>(object: Made) => Made): ValueBuilder {
  return {
    object() {
      realm.meter.charge(1);
      return made(realm.newObject());
    },
    array(length) {
      realm.meter.charge(1);
      const array = realm.newArray();
      if (length >= longNumberList) keepReferences(array);
      return made(array);
    },
    map(entries) {
      charge(realm, entries.length, 72);
      const slots = new MapSlots();
      for (const [key, value] of entries) slots.entries.set(key, value);
      return made(brand(realm.newObjectFrom("MapPrototype"), slots));
    },
    set(values) {
      charge(realm, values.length, 32);
      const slots = new SetSlots();
      for (const value of values) slots.values.add(value);
      return made(brand(realm.newObjectFrom("SetPrototype"), slots));
    },
    date(time) {
      realm.meter.charge(1);
      return made(brand(realm.newObjectFrom("DatePrototype"), new DateSlots(time)));
    },
    bytes(bytes) {
      realm.meter.charge(1);
      return made(newUint8Array(realm, bytes));
    },
  };
}

function charge(realm: Realm, count: number, bytesEach: number): void {
  realm.meter.charge(count + 1);
  realm.meter.allocate(count * bytesEach);
}

/**
 * Decodes a value. Objects get their prototypes only after they were filled, so that no setter on a
 * prototype that the guest changed can run.
 */
function decodeDetached(realm: Realm, encoded: EncodedValue): unknown {
  const detached: { readonly object: object; readonly prototype: object | null }[] = [];
  const builder = guestBuilder(realm, (object) => {
    detached.push({ object, prototype: Object.getPrototypeOf(object) });
    return Object.setPrototypeOf(object, null);
  });
  const value = decodeValue(encoded, builder);
  for (const { object, prototype } of detached) Object.setPrototypeOf(object, prototype);
  return value;
}
