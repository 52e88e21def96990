// Calls functions and constructors. Call depth and operations are counted only here and at the
// compiled call sites.

import { uninitialized } from "../bindings.ts";
import { type Frame, newFrame } from "../frame.ts";
import {
  calleeSlots,
  type FunctionCode,
  type FunctionSlots,
  functionSlots,
  instanceSite,
  settle,
} from "../function-object.ts";
import { throwError, throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import { Breach, type Meter } from "../limits.ts";
import { NestingBreach } from "../nesting-breach.ts";
import type { IntrinsicName, Realm } from "../realm/realm.ts";
import { get, getV, type PropertyKeyValue } from "./property.ts";
import { requireShortChain } from "./prototype-chain.ts";
import { keyText, valueText } from "./text.ts";

/** Says whether a value can be called. */
export function isCallable(value: unknown): value is GuestObject {
  return functionSlots(value) !== undefined;
}

/** Returns the value if it can be called. @throws a guest TypeError if not */
export function requireCallable(value: unknown, method: string): GuestObject {
  if (isCallable(value)) return value;
  return throwTypeError(`"${method}" needs a function, got ${valueText(value)}`);
}

/** Says whether a value can be called with `new`. */
export function isConstructor(value: unknown): value is GuestObject {
  const slots = functionSlots(value);
  return slots !== undefined && slots.code.construct !== "none";
}

/**
 * Calls a guest function with these arguments.
 *
 * @throws a guest TypeError when `callee` is not a function
 */
export function call(callee: unknown, thisValue: unknown, ...args: unknown[]): unknown {
  return callWith(callee, thisValue, args);
}

/** Calls a guest function with a list of arguments. */
export function callWith(callee: unknown, thisValue: unknown, args: readonly unknown[]): unknown {
  const slots = calleeSlots(callee);
  if (!slots) return throwTypeError(`${valueText(callee)} is not a function`);
  return slots.code.enter(slots, thisValue, args, undefined);
}

/** Calls a function without arguments, such as a getter or an iterator's `next`. */
export function callFunction(slots: FunctionSlots, thisValue: unknown): unknown {
  const { code } = slots;
  if (!code.simple) return code.enter(slots, thisValue, noArguments, undefined);
  const result = code.run(enterSimple(code.meter, slots, thisValue));
  code.meter.depth--;
  return result;
}

/** The same as {@link callFunction}, with one argument, for example for a setter. */
export function callFunction1(slots: FunctionSlots, thisValue: unknown, argument: unknown): unknown {
  const { code } = slots;
  if (!code.simple) return code.enter(slots, thisValue, [argument], undefined);
  const frame = enterSimple(code.meter, slots, thisValue);
  if (code.parameterCount > 0) frame[1] = argument;
  const result = code.run(frame);
  code.meter.depth--;
  return result;
}

// An empty list of arguments. All calls share it, because callees never change their list.
const noArguments: readonly unknown[] = [];

/**
 * The same as {@link call} with two arguments, but makes no array of them. Built-ins use it to call
 * a callback for each element.
 */
export function call2(realm: Realm, callee: unknown, thisValue: unknown, first: unknown, second: unknown): unknown {
  const slots = calleeSlots(callee);
  if (!slots?.code.simple) {
    const native = slots?.code.native;
    if (!native) return callWith(callee, thisValue, [first, second]);
    realm.meter.charge(2);
    return native(thisValue, first, second);
  }
  const { code } = slots;
  const frame = enterSimple(realm.meter, slots, thisValue);
  if (code.parameterCount > 0) {
    frame[1] = first;
    if (code.parameterCount > 1) frame[2] = second;
  }
  const result = code.run(frame);
  realm.meter.depth--;
  return result;
}

/** The same as {@link call} with three arguments, but makes no array of them. */
export function call3(
  realm: Realm,
  callee: unknown,
  thisValue: unknown,
  first: unknown,
  second: unknown,
  third: unknown,
): unknown {
  const slots = calleeSlots(callee);
  if (!slots?.code.simple) {
    const native = slots?.code.native;
    if (!native) return callWith(callee, thisValue, [first, second, third]);
    realm.meter.charge(2);
    return native(thisValue, first, second, third);
  }
  const { code } = slots;
  const frame = enterSimple(realm.meter, slots, thisValue);
  if (code.parameterCount > 0) {
    frame[1] = first;
    if (code.parameterCount > 1) frame[2] = second;
    if (code.parameterCount > 2) frame[3] = third;
  }
  const result = code.run(frame);
  realm.meter.depth--;
  return result;
}

/**
 * Counts a call of a function whose code is `simple`, and creates the frame of the call. The caller
 * stores the arguments into slots 1, 2, ..., and decreases the depth when the call returns.
 */
export function enterSimple(meter: Meter, slots: FunctionSlots, thisValue: unknown): Frame {
  if (--meter.left < 0) slots.code.warm(refillIn(meter, slots.code));
  if (++meter.depth > meter.maxDepth) meter.end(new NestingBreach(slots.code));
  return openFrame(slots, thisValue);
}

/**
 * Starts a new chunk of operations during a call. If the execution stops here, the error shows the
 * position at which the called function is defined.
 */
export function refillIn(meter: Meter, { definedAt }: FunctionCode): number {
  try {
    return meter.refill();
  } catch (caught) {
    if (caught instanceof Breach) caught.position ??= definedAt;
    throw caught;
  }
}

/** Creates the frame of a call, without the arguments. */
export function openFrame(slots: FunctionSlots, thisValue: unknown): Frame {
  const { code } = slots;
  const frame = newFrame(slots.environment, code.size);
  if (code.thisSlot !== 0) frame[code.thisSlot] = thisValue;
  if (code.storesSelfOrHome) {
    if (code.homeSlot !== 0) frame[code.homeSlot] = slots.homeObject;
    if (code.selfSlot !== 0) frame[code.selfSlot] = slots.self;
  }
  return frame;
}

/**
 * Calls a constructor with up to three arguments, without making an array of them. `count` is the
 * number of arguments. `newTarget` is the function itself, or the derived class that called
 * `super()`.
 */
export function construct3(
  realm: Realm,
  slots: FunctionSlots,
  newTarget: FunctionSlots,
  count: number,
  first: unknown,
  second: unknown,
  third: unknown,
): GuestObject {
  const { code } = slots;
  if (!code.simpleConstruct)
    return code.enter(slots, undefined, [first, second, third].slice(0, count), newTarget.self) as GuestObject; // a call with a new target returns an object
  const instance = code.construct === "derived" ? null : newInstanceOf(realm, slots, newTarget);
  const frame = enterSimple(realm.meter, slots, instance ?? uninitialized);
  if (code.newTargetSlot !== 0) frame[code.newTargetSlot] = newTarget.self;
  const stored = Math.min(count, code.parameterCount);
  if (stored > 0) {
    frame[1] = first;
    if (stored > 1) frame[2] = second;
    if (stored > 2) frame[3] = third;
  }
  const result = code.run(frame);
  realm.meter.depth--;
  if (instance === null) return derivedResult(code, frame, result);
  return isObject(result) ? result : instance;
}

/** Returns the result of a derived constructor: its return value, or `this`. */
export function derivedResult(code: FunctionCode, frame: Frame, result: unknown): GuestObject {
  if (isObject(result)) return result;
  if (result !== undefined) throwTypeError("a derived constructor may return only an object or undefined");
  const instance = code.thisSlot === 0 ? undefined : frame[code.thisSlot];
  return isObject(instance) ? instance : throwError("ReferenceError", 'the constructor did not call "super()"');
}

/** Creates the instance for a base constructor and initialises its fields. */
function newInstanceOf(realm: Realm, slots: FunctionSlots, newTarget: FunctionSlots): GuestObject {
  const instance = instanceFromSite(realm, newTarget);
  slots.instances?.initializeFields?.(instance);
  return instance;
}

function instanceFromSite(realm: Realm, newTarget: FunctionSlots): GuestObject {
  const { instances } = newTarget;
  // The cached host constructor is used only for classes, because the `prototype` of a class never
  // changes.
  if (instances === null || instances.site === null || !newTarget.code.isClass)
    return ordinaryCreateFromConstructor(realm, newTarget.self, "ObjectPrototype");
  realm.meter.allocate(48);
  return new instances.site();
}

/**
 * Calls a constructor with a list of arguments. `newTarget` must be a constructor, too.
 */
export function construct(
  constructorFunction: GuestObject,
  args: readonly unknown[],
  newTarget: GuestObject = constructorFunction,
): GuestObject {
  const slots = calleeSlots(constructorFunction);
  if (!slots || slots.code.construct === "none")
    return throwTypeError(`${valueText(constructorFunction)} is not a constructor`);
  return slots.code.enter(slots, undefined, args, newTarget) as GuestObject; // a call with a new target returns an object
}

/**
 * Returns a method of any value, or undefined if it has none. @throws a guest TypeError when the
 * property is not a function
 */
export function getMethod(realm: Realm, value: unknown, key: PropertyKeyValue): GuestObject | undefined {
  return checkedMethod(getV(realm, value, key), key);
}

/**
 * Returns a method of an object, or undefined if it has none. @throws a guest TypeError when the
 * property is not a function
 */
export function getMethodOf(object: GuestObject, key: PropertyKeyValue): GuestObject | undefined {
  return checkedMethod(object[key], key);
}

function checkedMethod(method: unknown, key: PropertyKeyValue): GuestObject | undefined {
  if (method === undefined || method === null) return undefined;
  if (!isCallable(method)) return throwTypeError(`property ${keyText(key)} is not a function`);
  return method;
}

/** Calls a method: `value[key](...args)`. */
export function invoke(realm: Realm, value: unknown, key: PropertyKeyValue, ...args: unknown[]): unknown {
  const method = getV(realm, value, key);
  if (!isCallable(method)) return throwTypeError(`property ${keyText(key)} is not a function`);
  return callWith(method, value, args);
}

/**
 * Returns the constructor for a new object of the same kind as this one, such as the result of
 * `map`: the `Symbol.species` of the object's constructor, or the default.
 */
export function speciesConstructor(object: GuestObject, defaultConstructor: GuestObject): GuestObject {
  const constructorFunction = get(object, "constructor");
  if (constructorFunction === undefined) return defaultConstructor;
  if (!isObject(constructorFunction)) return throwTypeError('"constructor" is not an object');
  const species = get(constructorFunction, Symbol.species);
  if (species === undefined || species === null) return defaultConstructor;
  if (!isConstructor(species)) return throwTypeError("the species is not a constructor");
  return species;
}

/**
 * Returns the `prototype` of `newTarget`. If it has none, returns the realm's built-in prototype
 * named `fallback`.
 */
export function getPrototypeFromConstructor(
  realm: Realm,
  newTarget: GuestObject,
  fallback: IntrinsicName,
): GuestObject {
  const prototype = get(newTarget, "prototype");
  if (!isObject(prototype)) return realm.intrinsic(fallback);
  settle(prototype);
  requireShortChain(null, prototype);
  return prototype;
}

// The bytes of the hidden class that is created for the first instance of a constructor.
const bytesOfSite = 400;

/** Creates an ordinary object. Its prototype is the `prototype` of `newTarget`. */
export function ordinaryCreateFromConstructor(
  realm: Realm,
  newTarget: GuestObject,
  fallback: IntrinsicName,
): GuestObject {
  realm.meter.allocate(48);
  const slots = calleeSlots(newTarget);
  const given = newTarget["prototype"];
  const instances = slots?.instances;
  if (instances?.site && instances.prototype === given) return new instances.site();
  const prototype = isObject(given) ? given : realm.intrinsic(fallback);
  settle(prototype);
  requireShortChain(null, prototype);
  realm.meter.allocate(bytesOfSite);
  return slots ? newInstance(slots, prototype) : (Object.create(prototype) as GuestObject);
}

/**
 * Creates an object with the given prototype. Stores the host constructor, so that later instances
 * can use it, too.
 */
function newInstance(slots: FunctionSlots, prototype: GuestObject): GuestObject {
  const Site = instanceSite(prototype);
  slots.instances = { initializeFields: slots.instances?.initializeFields ?? null, site: Site, prototype };
  return new Site();
}
