// The internal methods of objects. The functions are named after the operations of the
// specification.
//
// Guest objects are host objects, so ordinary objects, arrays, strings and typed arrays behave as
// in the host. A guest Proxy is a host Proxy with the interpreter's handler (proxy.ts), so the host
// calls its traps at the right times. Two things remain to be done here. Functions must be settled
// before their properties are used (function-object.ts). And accessors must be converted: the host
// stores them as host functions that call the guest functions.

import { FunctionSlots, functionSlots, settle } from "../function-object.ts";
import { throwRangeError, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOf, slotsOfKind, WatchedSlots } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { ResizableViewSlots } from "../slots/typed-array.ts";
import { callFunction, callFunction1 } from "./call.ts";
import { PrimitiveSlots, toNumber, toUint32 } from "./conversion.ts";
import { beforeLengthChange, beforeLock, beforeStore, beforeUnusual, mayBeIndex, noteTableOf } from "./holes.ts";
import { expectedKeys } from "./many-keys.ts";
import { countDeletion, countStore } from "./object-bytes.ts";
import { requireShortChain } from "./prototype-chain.ts";
import { keyText } from "./text.ts";
import { defineElement, mayNeedConversion, refuseHugeKeyList, setElement } from "./typed-array-element.ts";

/**
 * A property key: the result of {@link toPropertyKey}. An integer is the same key as its decimal
 * text.
 */
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
 * The slots of Object.prototype and Array.prototype. They record changes, because a plain
 * assignment to a new object may no longer define a property of the object once these prototypes
 * have accessors or read-only properties.
 */
export class RootPrototypeSlots extends WatchedSlots implements Slots {
  readonly type = "root-prototype";
  readonly realm: Realm;

  constructor(realm: Realm) {
    super();
    this.realm = realm;
  }
}

/** The slots of an object that is on prototype chains, but that programs must not see. */
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

/** Reads `object[key]`. */
export function get(object: GuestObject, key: PropertyKeyValue, receiver: unknown = object): unknown {
  if (receiver === object) return object[key];
  settle(object);
  return Reflect.get(object, key, receiver);
}

/**
 * Increases whenever an accessor is defined or a prototype is changed. Earlier results of
 * {@link readsPlainly} may then be wrong, so callers must check again. All sessions share this
 * number, so a change in one session makes the others check again, too.
 */
export let accessorVersion = 0;

/**
 * Says whether it is certain that reading `key` from the object runs no code: its prototype chain
 * contains no proxy, and no accessor for the key.
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
 * Says whether objects with these slots are certainly not proxies. The slots of a callable proxy
 * are a subclass of FunctionSlots.
 */
function isOrdinary(slots: Slots): boolean {
  return slots instanceof RootPrototypeSlots || slots instanceof PrimitiveSlots || slots.constructor === FunctionSlots;
}

/**
 * Reads `value[key]` from any value. For a primitive, looks the key up in the value's prototype.
 * Throws for undefined and null.
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

/** Returns the prototype in which a primitive's properties are looked up. */
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

/** Assigns `object[key] = value`. Returns false if that is not possible. */
export function set(object: GuestObject, key: PropertyKeyValue, value: unknown, receiver: unknown = object): boolean {
  settle(object);
  if (isObject(receiver)) {
    if (receiver !== object) settle(receiver);
    beforeStore(receiver, key, value);
  }
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
 * Handles `Reflect.set` for a receiver that is a typed array other than `object`. Returns undefined
 * if the host can do the assignment.
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
 * Assigns `object[key] = value` in strict mode.
 *
 * @throws a guest TypeError when that is not possible
 */
export function setOrThrow(object: GuestObject, key: PropertyKeyValue, value: unknown): void {
  countStore(object, key);
  if (!(mayStorePlainly(object, key) ? storePlainly(object, key, value) : set(object, key, value)))
    throwTypeError(`cannot assign to property ${keyText(key)}: it is read-only or cannot be added`);
}

/**
 * Says whether a plain assignment on the host has the same effect as {@link set}. A plain
 * assignment takes only a fraction of the time of `set`.
 */
function mayStorePlainly(object: GuestObject, key: PropertyKeyValue): boolean {
  return slotsOf(object) === undefined && key !== "length" && !ArrayBuffer.isView(object);
}

/** Assigns `object[key] = value` on the host. Returns false if the host refuses it. */
function storePlainly(object: GuestObject, key: PropertyKeyValue, value: unknown): boolean {
  if (mayBeIndex(key)) beforeStore(object, key, value);
  try {
    object[key] = value;
    return true;
  } catch (caught) {
    // Return false only if the host itself refused the store. A guest setter can throw host errors,
    // too, such as the TypeError of an operator.
    if (caught instanceof TypeError && !wouldCallSetter(object, key)) return false;
    throw caught;
  }
}

/** Says whether an assignment to an object without slots would run a guest setter. */
function wouldCallSetter(object: GuestObject, key: PropertyKeyValue): boolean {
  for (let link: object | null = object; link !== null; link = Reflect.getPrototypeOf(link)) {
    settle(link);
    const slots = slotsOf(link);
    if (slots && !isOrdinary(slots)) return false;
    const descriptor = Reflect.getOwnPropertyDescriptor(link, key);
    if (descriptor) return descriptor.set !== undefined;
  }
  return false;
}

/** Assigns `value[key] = stored` for any value, in strict mode. */
export function setV(realm: Realm, value: unknown, key: PropertyKeyValue, stored: unknown): void {
  if (isObject(value)) return setOrThrow(value, key, stored);
  if (value === undefined || value === null) throwTypeError(`cannot set property ${keyText(key)} of ${value}`);
  if (!Reflect.set(prototypeOfPrimitive(realm, value), key, stored, value)) {
    throwTypeError(`cannot set property ${keyText(key)} of a ${typeof value}`);
  }
}

/** Says whether an object has a property: `key in object`. */
export function hasProperty(object: GuestObject, key: PropertyKeyValue): boolean {
  settle(object);
  return Reflect.has(object, key);
}

/** Says whether the object itself has the property. */
export function hasOwn(object: GuestObject, key: PropertyKeyValue): boolean {
  settle(object);
  return Object.hasOwn(object, key);
}

/** Computes `delete object[key]`. Returns false if that is not possible. */
export function deleteProperty(object: GuestObject, key: PropertyKeyValue): boolean {
  settle(object);
  noteChange(slotsOf(object));
  noteTableOf(object);
  countDeletion(object, key);
  return Reflect.deleteProperty(object, key);
}

/** Deletes a property. @throws a guest TypeError when it is not possible */
export function deletePropertyOrThrow(object: GuestObject, key: PropertyKeyValue): void {
  if (!deleteProperty(object, key)) throwTypeError(`cannot delete property ${keyText(key)}`);
}

/** Returns the descriptor of an own property, with its accessors as guest functions. */
export function getOwnProperty(object: GuestObject, key: PropertyKeyValue): Descriptor | undefined {
  settle(object);
  const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
  return descriptor && fromHostDescriptor(descriptor);
}

/**
 * Says whether an object is a plain object or array whose prototypes neither add nor hide
 * enumerable keys.
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
 * Says whether Object.prototype or Array.prototype has only its original properties, none of which
 * is enumerable.
 */
function isUnchangedRoot(root: object): boolean {
  const slots = slotsOf(root);
  if (!(slots instanceof RootPrototypeSlots) || slots.isChanged) return false;
  return expectedKeys(root) === 0 && Object.keys(root).length === 0;
}

/** Defines an own property. Returns false if it is not possible. */
export function defineOwnProperty(object: GuestObject, key: PropertyKeyValue, descriptor: Descriptor): boolean {
  settle(object);
  countStore(object, key);
  noteRootChange(object, descriptor);
  if (hasUnusualAttributes(descriptor)) beforeUnusual(object, key);
  beforeStore(object, key, descriptor.value);
  noteTableOf(object);
  if (key === "length" && "value" in descriptor) descriptor.value = convertedLength(object, descriptor.value);
  if (mayNeedConversion(object, descriptor.value)) {
    const isDefined = defineElement(object, key, descriptor);
    if (isDefined !== undefined) return isDefined;
  }
  return Reflect.defineProperty(object, key, toHostDescriptor(descriptor));
}

/** Defines an own property. @throws a guest TypeError when it is not possible */
export function definePropertyOrThrow(object: GuestObject, key: PropertyKeyValue, descriptor: Descriptor): void {
  if (!defineOwnProperty(object, key, descriptor)) throwTypeError(`cannot define property ${keyText(key)}`);
}

/**
 * Defines an own property like an object literal: writable, enumerable and configurable. Returns
 * false if that is not possible.
 */
export function createDataProperty(object: GuestObject, key: PropertyKeyValue, value: unknown): boolean {
  countStore(object, key);
  if (isNewToPlainObject(object, key)) {
    if (mayBeIndex(key)) beforeStore(object, key, value);
    object[key] = value;
    return true;
  }
  noteChange(slotsOf(object));
  beforeStore(object, key, value);
  const descriptor = { value, writable: true, enumerable: true, configurable: true };
  if (mayNeedConversion(object, value)) return defineOwnProperty(object, key, descriptor);
  settle(object);
  return Reflect.defineProperty(object, key, descriptor);
}

/**
 * Says whether a plain assignment creates the property in the same way as an object literal. The
 * caller then assigns, because that is ten times as fast for the host as a definition.
 */
function isNewToPlainObject(object: GuestObject, key: PropertyKeyValue): boolean {
  if (slotsOf(object) !== undefined || Array.isArray(object) || key in object || !Object.isExtensible(object))
    return false;
  const prototype = Object.getPrototypeOf(object); // the object has no slots, so it is not a proxy
  if (prototype === null) return true;
  const slots = slotsOf(prototype);
  return slots instanceof RootPrototypeSlots && slots.realm.intact && prototype === slots.realm.objectPrototype;
}

/**
 * Defines an own property like an object literal. @throws a guest TypeError when that is not
 * possible
 */
export function createDataPropertyOrThrow(object: GuestObject, key: PropertyKeyValue, value: unknown): void {
  if (!createDataProperty(object, key, value)) throwTypeError(`cannot define property ${keyText(key)}`);
}

/**
 * Returns all own keys, in the order of the specification. The result is a host array, which guest
 * code must not see.
 */
export function ownKeys(object: GuestObject): (string | symbol)[] {
  settle(object);
  if (ArrayBuffer.isView(object)) refuseHugeKeyList(object);
  return Reflect.ownKeys(object);
}

/** Returns the object's prototype. */
export function getPrototypeOf(object: GuestObject): GuestObject | null {
  settle(object);
  const prototype = Reflect.getPrototypeOf(object) as GuestObject | null; // prototypes of guest objects are guest objects
  const slots = prototype === null ? undefined : slotsOf(prototype);
  return slots instanceof HiddenPrototypeSlots ? slots.shown : prototype;
}

/** Changes the object's prototype. Returns false if it is not possible. */
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

/** Says whether properties can be added to the object. */
export function isExtensible(object: GuestObject): boolean {
  return Reflect.isExtensible(object);
}

/** Forbids adding properties. Returns false if it is not possible. */
export function preventExtensions(object: GuestObject): boolean {
  settle(object);
  if (slotsOfKind(object, ResizableViewSlots)) return false; // the number of its elements can change
  beforeLock(object);
  return Reflect.preventExtensions(object);
}

/**
 * Converts a guest descriptor to a host one. Accessors become host functions that call the guest
 * functions.
 */
export function toHostDescriptor(descriptor: Descriptor): PropertyDescriptor {
  // Without a prototype, so that the host does not look up absent fields in its own
  // Object.prototype.
  const host = { __proto__: null, ...descriptor } as unknown as PropertyDescriptor; // its accessors are replaced below
  if ("get" in descriptor || "set" in descriptor) accessorVersion++;
  if ("get" in descriptor) host.get = hostGetterOf(descriptor.get) as () => unknown; // undefined is a valid accessor
  if ("set" in descriptor) host.set = hostSetterOf(descriptor.set) as (value: unknown) => void;
  return host;
}

/** Converts a host descriptor to a guest one. */
export function fromHostDescriptor(host: PropertyDescriptor): Descriptor {
  const { get, set, ...fields } = host;
  if (!("get" in host) && !("set" in host)) return fields;
  return { ...fields, get: guestOfAccessor(get), set: guestOfAccessor(set) };
}

/** A host function that calls a guest function as an accessor. */
interface HostAccessor {
  guest?: GuestObject;
}

const guestOfAccessor = (accessor: object | undefined): GuestObject | undefined =>
  (accessor as HostAccessor | undefined)?.guest; // only functions that are made below have it

/** The result of a plain read of an accessor inside {@link withoutGetters}. Never a guest value. */
export const accessorFound: unique symbol = Symbol("accessor");

// Whether guest getters run now. They do not run inside `withoutGetters`. One variable for the
// whole process is enough, because `withoutGetters` is synchronous: no other code can run at the
// same time.
let gettersRun = true;

/**
 * Runs `act`. While it runs, a plain read of an accessor does not call the getter, but returns
 * {@link accessorFound}.
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
  const slots = functionSlots(getter);
  if (!slots) return throwTypeError("a getter must be a function");
  slots.accessors ??= {};
  if (slots.accessors.get) return slots.accessors.get;
  const hostGetter: HostAccessor & (() => unknown) = function (this: unknown) {
    return gettersRun ? callFunction(slots, this) : accessorFound;
  };
  hostGetter.guest = getter;
  slots.accessors.get = hostGetter;
  return hostGetter;
}

function hostSetterOf(setter: GuestObject | undefined): ((value: unknown) => void) | undefined {
  if (setter === undefined) return undefined;
  const slots = functionSlots(setter);
  if (!slots) return throwTypeError("a setter must be a function");
  slots.accessors ??= {};
  if (slots.accessors.set) return slots.accessors.set;
  const hostSetter: HostAccessor & ((value: unknown) => void) = function (this: unknown, value: unknown) {
    callFunction1(slots, this, value);
  };
  hostSetter.guest = setter;
  slots.accessors.set = hostSetter;
  return hostSetter;
}

/**
 * Returns the new value for an array's `length`, and charges for new elements. If the value is an
 * object, it is converted to a number here, because the host cannot convert guest objects.
 */
function convertedLength(target: unknown, value: unknown): unknown {
  if (!Array.isArray(target) || slotsOf(target) !== undefined) return value;
  const length = isObject(value) ? lengthOfObject(value) : value;
  if (typeof length === "number" && length >>> 0 !== length) throwInvalidLength();
  const converted = Number(typeof length === "symbol" ? 0 : length);
  beforeLengthChange(target, converted);
  const growth = converted - target.length;
  // An array that grows by more than this becomes a hash table, in which holes take no memory.
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

// The maximum number of elements that an array may gain in one step if it cannot be charged. The
// charge needs a meter, which is found through the array's prototypes, but the program may have
// replaced these.
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
 * Records that Object.prototype or Array.prototype got an accessor or a read-only property. From
 * then on, plain assignments are no longer safe for filling literals and arrays.
 */
function noteRootChange(object: GuestObject, descriptor: Descriptor): void {
  const slots = slotsOf(object);
  if (slots === undefined) return;
  noteChange(slots);
  if (!(slots instanceof RootPrototypeSlots)) return;
  if ("get" in descriptor || "set" in descriptor || descriptor.writable !== true) slots.realm.intact = false;
}

/** Says whether the host may have to store an element with this descriptor in a hash table. */
const hasUnusualAttributes = ({ writable, enumerable, configurable }: Descriptor): boolean =>
  !(writable && enumerable && configurable);

function noteChange(slots: Slots | undefined): void {
  if (slots instanceof WatchedSlots) slots.isChanged = true;
}
