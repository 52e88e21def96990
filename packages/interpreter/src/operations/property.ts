// The internal methods of objects, under the spec's names.
//
// Guest objects are host objects, so the host's own ordinary, array, string and typed-array
// behaviour is the guest's; a guest Proxy is a host Proxy whose handler is ours (proxy.ts), so its
// traps are called wherever the host would. What remains to be done here: settling functions, and
// translating accessors, which the host keeps as host functions that stand for guest functions.

import { FunctionSlots, functionSlots, settle } from "../function-object.ts";
import { throwRangeError, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOf, slotsOfKind, WatchedSlots } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { ResizableViewSlots } from "../slots/typed-array.ts";
import { callFunction, callFunction1 } from "./call.ts";
import { PrimitiveSlots, toNumber, toUint32 } from "./conversion.ts";
import { noteStoredKey } from "./many-keys.ts";
import { requireShortChain } from "./prototype-chain.ts";
import { keyText } from "./text.ts";
import { defineElement, mayNeedConversion, refuseHugeKeyList, setElement } from "./typed-array-element.ts";

/** A property key: what {@link toPropertyKey} gives. Whole numbers stand for their decimal text. */
export type PropertyKeyValue = string | symbol | number;

/** A property descriptor whose accessors are guest functions. */
export interface Descriptor {
  value?: unknown;
  writable?: boolean;
  get?: GuestObject | undefined;
  set?: GuestObject | undefined;
  enumerable?: boolean;
  configurable?: boolean;
}

/**
 * Marks Object.prototype and Array.prototype, whose unusual properties would be met by plain stores
 * to new objects.
 */
export class RootPrototypeSlots extends WatchedSlots implements Slots {
  readonly type = "root-prototype";
  readonly realm: Realm;

  constructor(realm: Realm) {
    super();
    this.realm = realm;
  }
}

/** Marks an object on prototype chains of which no program is to know. */
class HiddenPrototypeSlots implements Slots {
  readonly type = "hidden-prototype";
  /** The object that programs see instead. */
  readonly shown: GuestObject;

  constructor(shown: GuestObject) {
    this.shown = shown;
  }
}

/** Hides an object that is the prototype of others: programs see `shown` instead. */
export function hidePrototype(object: GuestObject, shown: GuestObject): void {
  brand(object, new HiddenPrototypeSlots(shown));
}

/** `object[key]`. */
export function get(object: GuestObject, key: PropertyKeyValue, receiver: unknown = object): unknown {
  if (receiver === object) return object[key];
  settle(object);
  return Reflect.get(object, key, receiver);
}

/**
 * Grows whenever an accessor is defined or a prototype is changed: what {@link readsPlainly} said
 * before may no longer hold. One for all sessions: another one's accessor only makes them look
 * again.
 */
export let accessorVersion = 0;

/**
 * Whether reading `key` from the object runs nothing, whatever the receiver: no accessor and no
 * proxy stands on its prototype chain.
 */
export function readsPlainly(object: GuestObject, key: PropertyKeyValue): boolean {
  for (
    let link: GuestObject | null = object;
    link !== null;
    link = Reflect.getPrototypeOf(link) as GuestObject | null
  ) {
    settle(link);
    const slots = slotsOf(link);
    if (slots && !isOrdinary(slots)) return false;
    const descriptor = Reflect.getOwnPropertyDescriptor(link, key);
    if (descriptor && !("value" in descriptor)) return false;
  }
  return true;
}

/**
 * Whether objects with such slots are no proxies. Those of functions have slots of a class derived
 * from FunctionSlots.
 */
function isOrdinary(slots: Slots): boolean {
  return slots instanceof RootPrototypeSlots || slots instanceof PrimitiveSlots || slots.constructor === FunctionSlots;
}

/**
 * `value[key]` for any value; a primitive is looked up through its prototype, undefined and null
 * throw.
 */
export function getV(realm: Realm, value: unknown, key: PropertyKeyValue): unknown {
  if (typeof value === "object" && value !== null) return (value as GuestObject)[key];
  if (typeof value === "string") {
    if (key === "length") return value.length;
    if (typeof key === "number" && key >= 0 && key < value.length) return value[key];
    if (typeof key === "string" && isStringIndex(key, value.length)) return value[Number(key)];
  }
  return Reflect.get(prototypeOfPrimitive(realm, value, key), key, value);
}

function isStringIndex(key: string, length: number): boolean {
  const index = Number(key);
  return index >= 0 && index < length && String(index) === key;
}

/** The prototype that a primitive's properties come from. */
export function prototypeOfPrimitive(realm: Realm, value: unknown, key?: PropertyKeyValue): GuestObject {
  switch (typeof value) {
    case "string":
      return realm.intrinsic("StringPrototype");
    case "number":
      return realm.intrinsic("NumberPrototype");
    case "boolean":
      return realm.intrinsic("BooleanPrototype");
    case "bigint":
      return realm.intrinsic("BigIntPrototype");
    case "symbol":
      return realm.intrinsic("SymbolPrototype");
    default:
      return throwTypeError(`cannot read ${key === undefined ? "properties" : `property ${keyText(key)}`} of ${value}`);
  }
}

/** `object[key] = value`; false when it cannot be done. */
export function set(object: GuestObject, key: PropertyKeyValue, value: unknown, receiver: unknown = object): boolean {
  settle(object);
  if (isObject(receiver) && receiver !== object) settle(receiver);
  if (mayNeedConversion(object, value)) {
    const isSet = setElement(object, key, value, receiver);
    if (isSet !== undefined) return isSet;
  }
  if (receiver !== object && mayNeedConversion(receiver, value) && readsPlainly(object, key)) {
    const isSet = setReceivedElement(object, key, value, receiver);
    if (isSet !== undefined) return isSet;
  }
  return Reflect.set(object, key, key === "length" ? convertedLength(receiver, value) : value, receiver);
}

/**
 * Stores into a typed array what was set on an object that has no such property; undefined when the
 * host can do it.
 */
function setReceivedElement(
  object: GuestObject,
  key: PropertyKeyValue,
  value: unknown,
  view: object,
): boolean | undefined {
  let holder: object | null = object;
  while (holder !== null && holder !== view && !Object.hasOwn(holder, key)) holder = Reflect.getPrototypeOf(holder);
  if (holder === view) return setElement(view, key, value, view);
  return holder === null ? defineElement(view, key, { value }) : undefined;
}

/**
 * `object[key] = value` as strict code does it. @throws a guest TypeError when it cannot be done
 */
export function setOrThrow(object: GuestObject, key: PropertyKeyValue, value: unknown): void {
  if (!(mayStorePlainly(object, key) ? storePlainly(object, key, value) : set(object, key, value)))
    throwTypeError(`cannot assign to property ${keyText(key)}: it is read-only or cannot be added`);
}

/** Whether the host's own store does all that {@link set} does, in a fraction of the time. */
function mayStorePlainly(object: GuestObject, key: PropertyKeyValue): boolean {
  return slotsOf(object) === undefined && key !== "length" && !ArrayBuffer.isView(object);
}

/** `object[key] = value`; false when the host refuses it. */
function storePlainly(object: GuestObject, key: PropertyKeyValue, value: unknown): boolean {
  try {
    object[key] = value;
    return true;
  } catch (caught) {
    // A setter can throw the host's errors, too: those of operators.
    if (caught instanceof TypeError && !meetsSetter(object, key)) return false;
    throw caught;
  }
}

/** Whether a store to an object without slots runs a setter of the guest's. */
function meetsSetter(object: GuestObject, key: PropertyKeyValue): boolean {
  for (let link: object | null = object; link !== null; link = Reflect.getPrototypeOf(link)) {
    settle(link);
    const slots = slotsOf(link);
    if (slots && !isOrdinary(slots)) return false;
    const descriptor = Reflect.getOwnPropertyDescriptor(link, key);
    if (descriptor) return descriptor.set !== undefined;
  }
  return false;
}

/** `value[key] = stored` for any value, as strict code does it. */
export function setV(realm: Realm, value: unknown, key: PropertyKeyValue, stored: unknown): void {
  if (isObject(value)) return setOrThrow(value, key, stored);
  if (value === undefined || value === null) throwTypeError(`cannot set property ${keyText(key)} of ${value}`);
  if (!Reflect.set(prototypeOfPrimitive(realm, value), key, stored, value)) {
    throwTypeError(`cannot set property ${keyText(key)} of a ${typeof value}`);
  }
}

/** `key in object`. */
export function hasProperty(object: GuestObject, key: PropertyKeyValue): boolean {
  settle(object);
  return Reflect.has(object, key);
}

/** Whether the object itself has the property. */
export function hasOwn(object: GuestObject, key: PropertyKeyValue): boolean {
  settle(object);
  return Object.hasOwn(object, key);
}

/** `delete object[key]`; false when it cannot be done. */
export function deleteProperty(object: GuestObject, key: PropertyKeyValue): boolean {
  settle(object);
  noteChange(slotsOf(object));
  return Reflect.deleteProperty(object, key);
}

/** Deletes a property. @throws a guest TypeError when it cannot be done */
export function deletePropertyOrThrow(object: GuestObject, key: PropertyKeyValue): void {
  if (!deleteProperty(object, key)) throwTypeError(`cannot delete property ${keyText(key)}`);
}

/** The own property's descriptor, its accessors as guest functions. */
export function getOwnProperty(object: GuestObject, key: PropertyKeyValue): Descriptor | undefined {
  settle(object);
  const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
  return descriptor && fromHostDescriptor(descriptor);
}

/**
 * Whether an object is a plain one, or a plain array, whose prototypes add nothing to its
 * enumerable keys and hide none.
 */
export function inheritsNoKeys(realm: Realm, object: GuestObject): boolean {
  if (slotsOf(object) !== undefined) return false;
  const prototype = Reflect.getPrototypeOf(object);
  if (prototype === realm.objectPrototype) return isUnchangedRoot(prototype);
  return (
    prototype === realm.arrayPrototype &&
    isUnchangedRoot(realm.arrayPrototype) &&
    isUnchangedRoot(realm.objectPrototype)
  );
}

/**
 * Whether a root prototype has only the properties that it was made with: none of them is
 * enumerable.
 */
function isUnchangedRoot(root: object): boolean {
  const slots = slotsOf(root);
  if (!(slots instanceof RootPrototypeSlots) || slots.isChanged) return false;
  return Object.keys(root).length === 0;
}

/** Defines an own property; false when it cannot be done. */
export function defineOwnProperty(object: GuestObject, key: PropertyKeyValue, descriptor: Descriptor): boolean {
  settle(object);
  noteUnusual(object, descriptor);
  if (key === "length" && "value" in descriptor) descriptor.value = convertedLength(object, descriptor.value);
  if (mayNeedConversion(object, descriptor.value)) {
    const isDefined = defineElement(object, key, descriptor);
    if (isDefined !== undefined) return isDefined;
  }
  return Reflect.defineProperty(object, key, toHostDescriptor(descriptor));
}

/** Defines an own property. @throws a guest TypeError when it cannot be done */
export function definePropertyOrThrow(object: GuestObject, key: PropertyKeyValue, descriptor: Descriptor): void {
  if (!defineOwnProperty(object, key, descriptor)) throwTypeError(`cannot define property ${keyText(key)}`);
}

/**
 * Makes an own property as a literal does: writable, enumerable, configurable. False when it cannot
 * be done.
 */
export function createDataProperty(object: GuestObject, key: PropertyKeyValue, value: unknown): boolean {
  if (isNewToPlainObject(object, key)) {
    object[key] = value;
    return true;
  }
  noteChange(slotsOf(object));
  const descriptor = { value, writable: true, enumerable: true, configurable: true };
  if (typeof key === "string") noteStoredKey(object);
  if (mayNeedConversion(object, value)) return defineOwnProperty(object, key, descriptor);
  settle(object);
  return Reflect.defineProperty(object, key, descriptor);
}

/**
 * Whether a plain store makes the property as a literal would. It takes the host a tenth of the
 * time.
 */
function isNewToPlainObject(object: GuestObject, key: PropertyKeyValue): boolean {
  if (slotsOf(object) !== undefined || Array.isArray(object) || key in object || !Object.isExtensible(object))
    return false;
  const prototype = Object.getPrototypeOf(object); // no slots, so no trap
  if (prototype === null) return true;
  const slots = slotsOf(prototype);
  return slots instanceof RootPrototypeSlots && slots.realm.intact && prototype === slots.realm.objectPrototype;
}

/** Makes an own property as a literal does. @throws a guest TypeError when it cannot be done */
export function createDataPropertyOrThrow(object: GuestObject, key: PropertyKeyValue, value: unknown): void {
  if (!createDataProperty(object, key, value)) throwTypeError(`cannot define property ${keyText(key)}`);
}

/** All own keys, in the language's order. A host array: not for guests' eyes. */
export function ownKeys(object: GuestObject): (string | symbol)[] {
  settle(object);
  if (ArrayBuffer.isView(object)) refuseHugeKeyList(object);
  return Reflect.ownKeys(object);
}

/** The object's prototype. */
export function getPrototypeOf(object: GuestObject): GuestObject | null {
  settle(object);
  const prototype = Reflect.getPrototypeOf(object) as GuestObject | null; // prototypes of guest objects are guest objects
  const slots = prototype === null ? undefined : slotsOf(prototype);
  return slots instanceof HiddenPrototypeSlots ? slots.shown : prototype;
}

/** Changes the object's prototype; false when it cannot be done. */
export function setPrototypeOf(object: GuestObject, prototype: GuestObject | null): boolean {
  settle(object);
  if (prototype) settle(prototype);
  accessorVersion++;
  const slots = slotsOf(object);
  noteChange(slots);
  if (slots instanceof RootPrototypeSlots) {
    if (object === slots.realm.objectPrototype) return prototype === null;
    slots.realm.intact = false;
  }
  requireShortChain(object, prototype);
  return Reflect.setPrototypeOf(object, prototype);
}

/** Whether properties can be added. */
export function isExtensible(object: GuestObject): boolean {
  return Reflect.isExtensible(object);
}

/** Forbids adding properties; false when it cannot be done. */
export function preventExtensions(object: GuestObject): boolean {
  settle(object);
  if (slotsOfKind(object, ResizableViewSlots)) return false; // its elements may come and go
  return Reflect.preventExtensions(object);
}

/**
 * A host descriptor for a guest one: accessors become host functions that stand for the guest's.
 */
export function toHostDescriptor(descriptor: Descriptor): PropertyDescriptor {
  // Absent fields must not be found on the host's Object.prototype.
  const host = { __proto__: null, ...descriptor } as unknown as PropertyDescriptor; // its accessors are replaced in the next lines
  if ("get" in descriptor || "set" in descriptor) accessorVersion++;
  if ("get" in descriptor) host.get = hostGetterOf(descriptor.get) as () => unknown; // undefined is meant and allowed
  if ("set" in descriptor) host.set = hostSetterOf(descriptor.set) as (value: unknown) => void;
  return host;
}

/** A guest descriptor for a host one. */
export function fromHostDescriptor(host: PropertyDescriptor): Descriptor {
  const { get, set, ...fields } = host;
  if (!("get" in host) && !("set" in host)) return fields;
  return { ...fields, get: guestOfAccessor(get), set: guestOfAccessor(set) };
}

// The host functions in accessor properties, and which guest functions they stand for. One each, so
// that the host can compare them.
const accessors = new WeakMap<object, GuestObject>();

const guestOfAccessor = (accessor: object | undefined): GuestObject | undefined => accessor && accessors.get(accessor);

// And the other way round: one for each guest function.
const hostGetters = new WeakMap<GuestObject, () => unknown>();
const hostSetters = new WeakMap<GuestObject, (value: unknown) => void>();

/** What plain reads of accessors give inside {@link withoutGetters}. Never a guest value. */
export const accessorMet: unique symbol = Symbol("accessor");

// One for the process is right: `act` runs to its end before any other code does.
let gettersRun = true;

/**
 * Does something, during which plain reads of guest objects give {@link accessorMet} for getters
 * instead of running them.
 */
export function withoutGetters<Result>(act: () => Result): Result {
  gettersRun = false;
  try {
    return act();
  } finally {
    gettersRun = true;
  }
}

function hostGetterOf(getter: GuestObject | undefined): (() => unknown) | undefined {
  if (getter === undefined) return undefined;
  const known = hostGetters.get(getter);
  if (known) return known;
  const slots = functionSlots(getter);
  if (!slots) return throwTypeError("a getter must be a function");
  const hostGetter = function (this: unknown) {
    return gettersRun ? callFunction(slots, this) : accessorMet;
  };
  accessors.set(hostGetter, getter);
  hostGetters.set(getter, hostGetter);
  return hostGetter;
}

function hostSetterOf(setter: GuestObject | undefined): ((value: unknown) => void) | undefined {
  if (setter === undefined) return undefined;
  const known = hostSetters.get(setter);
  if (known) return known;
  const slots = functionSlots(setter);
  if (!slots) return throwTypeError("a setter must be a function");
  const hostSetter = function (this: unknown, value: unknown) {
    callFunction1(slots, this, value);
  };
  accessors.set(hostSetter, setter);
  hostSetters.set(setter, hostSetter);
  return hostSetter;
}

/**
 * The new value of an array's `length`: converted where the host could not, and charged for if the
 * array grows.
 */
function convertedLength(target: unknown, value: unknown): unknown {
  if (!Array.isArray(target) || slotsOf(target) !== undefined) return value;
  const length = isObject(value) ? lengthOfObject(value) : value;
  if (typeof length === "number" && length >>> 0 !== length) throwInvalidLength();
  const growth = Number(typeof length === "symbol" ? 0 : length) - target.length;
  // The host keeps longer arrays as tables, which take no room for holes.
  if (growth > 0 && growth <= 2 ** 25) chargeGrowth(target, growth);
  return length;
}

function lengthOfObject(value: GuestObject): number {
  const length = toUint32(value);
  return length === toNumber(value) ? length : throwInvalidLength();
}

function throwInvalidLength(): never {
  return throwRangeError("an array's length must be a whole number below 2^32");
}

// An array whose prototypes do not lead to a realm has nobody who counts; so much it may grow by at
// once.
const uncountedGrowth = 10_000;

function chargeGrowth(array: readonly unknown[], growth: number): void {
  let link: object | null = Object.getPrototypeOf(array);
  while (link !== null) {
    const slots = slotsOf(link);
    if (slots instanceof RootPrototypeSlots) return slots.realm.meter.allocate(8 * growth);
    link = slots === undefined ? Object.getPrototypeOf(link) : null;
  }
  if (growth > uncountedGrowth) throwRangeError("the array cannot grow by so much at once");
}

/**
 * Literals and arrays are filled by plain stores as long as no prototype of theirs has an accessor
 * or a read-only property.
 */
function noteUnusual(object: GuestObject, descriptor: Descriptor): void {
  const slots = slotsOf(object);
  if (slots === undefined) return;
  noteChange(slots);
  if (!(slots instanceof RootPrototypeSlots)) return;
  if ("get" in descriptor || "set" in descriptor || descriptor.writable !== true) slots.realm.intact = false;
}

function noteChange(slots: Slots | undefined): void {
  if (slots instanceof WatchedSlots) slots.isChanged = true;
}
