// Guest proxies. Each is a host proxy whose handler belongs to the interpreter and calls the
// guest's traps. So the host triggers the traps for property reads, prototype chains and Reflect
// operations, and also checks the invariants. Guest code never gets the interpreter's handler.

import { type FunctionCode, functionSlots, settle } from "../function-object.ts";
import { throwRangeError, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject } from "../guest-value.ts";
import { requireTime } from "../limits.ts";
import type { Realm } from "../realm/realm.ts";
import { CallableProxySlots, ProxySlots, type ProxyState, proxyState } from "../slots/proxy.ts";
import { call, callWith, construct, getMethodOf } from "./call.ts";
import { countedKey, lengthOfArrayLike, maxHashedLength } from "./conversion.ts";
import { fromPropertyDescriptor, toPropertyDescriptor } from "./descriptor.ts";
import {
  defineOwnProperty,
  deleteProperty,
  fromHostDescriptor,
  get,
  getOwnProperty,
  getPrototypeOf,
  hasProperty,
  isExtensible,
  ownKeys,
  preventExtensions,
  set,
  setPrototypeOf,
  toHostDescriptor,
} from "./property.ts";

// The maximum number of proxies in a chain. Without a maximum, checking whether a proxy is an array
// could take very long: the host follows the whole chain and calls no traps.
const maxChainLength = 1_000;

/** Computes `new Proxy(target, handler)`. */
export function proxyCreate(realm: Realm, target: unknown, handler: unknown): GuestObject {
  if (!isObject(target) || !isObject(handler))
    return throwTypeError("a proxy needs an object as target and an object as handler");
  realm.meter.allocate(1_100);
  settle(target);
  const chainLength = (proxyState(target)?.chainLength ?? 0) + 1;
  if (chainLength > maxChainLength) throwRangeError(`a chain of more than ${maxChainLength} proxies is too long`);
  const state: ProxyState = { target, handler, chainLength };
  const proxy = new Proxy(target, hostHandler(realm, state));
  const targetSlots = functionSlots(target);
  if (!targetSlots) return brand(proxy, new ProxySlots(state));
  return brand(proxy, new CallableProxySlots(proxyCode(realm, state, targetSlots.code), proxy, state));
}

/**
 * Returns a guest proxy's trap and the guest's handler that contains it. If there is no trap, the
 * caller applies the operation to the target.
 */
function trapOf(
  state: ProxyState,
  name: string,
): { trap: GuestObject | undefined; handler: GuestObject; target: GuestObject } {
  const { handler, target } = state;
  if (!handler || !target) return throwTypeError(`cannot perform "${name}" on a proxy that has been revoked`);
  return { trap: getMethodOf(handler, name), handler, target };
}

function hostHandler(realm: Realm, state: ProxyState): ProxyHandler<GuestObject> {
  const handler: ProxyHandler<GuestObject> = {
    getPrototypeOf() {
      const { trap, handler, target } = enter("getPrototypeOf");
      if (!trap) return getPrototypeOf(target);
      const prototype = call(trap, handler, target);
      if (prototype !== null && !isObject(prototype))
        return throwTypeError('"getPrototypeOf" returned neither an object nor null');
      return prototype;
    },
    setPrototypeOf(_target, prototype) {
      const { trap, handler, target } = enter("setPrototypeOf");
      const given = prototype as GuestObject | null; // the callers pass only guest objects
      return trap ? Boolean(call(trap, handler, target, given)) : setPrototypeOf(target, given);
    },
    isExtensible() {
      const { trap, handler, target } = enter("isExtensible");
      return trap ? Boolean(call(trap, handler, target)) : isExtensible(target);
    },
    preventExtensions() {
      const { trap, handler, target } = enter("preventExtensions");
      return trap ? Boolean(call(trap, handler, target)) : preventExtensions(target);
    },
    getOwnPropertyDescriptor(_target, key) {
      const { trap, handler, target } = enter("getOwnPropertyDescriptor");
      if (!trap) return withHostAccessors(getOwnProperty(target, key));
      const descriptor = call(trap, handler, target, key);
      if (descriptor === undefined) return undefined;
      if (!isObject(descriptor))
        return throwTypeError('"getOwnPropertyDescriptor" returned neither an object nor undefined');
      return withHostAccessors(toPropertyDescriptor(descriptor));
    },
    defineProperty(_target, key, descriptor) {
      const { trap, handler, target } = enter("defineProperty");
      if (!trap) return defineOwnProperty(target, key, fromHostDescriptor(descriptor));
      return Boolean(call(trap, handler, target, key, fromPropertyDescriptor(realm, fromHostDescriptor(descriptor))));
    },
    has(_target, key) {
      const { trap, handler, target } = enter("has");
      return trap ? Boolean(call(trap, handler, target, key)) : hasProperty(target, key);
    },
    get(_target, key, receiver) {
      const { trap, handler, target } = enter("get");
      return trap ? call(trap, handler, target, key, receiver) : get(target, key, receiver);
    },
    set(_target, key, value, receiver) {
      const { trap, handler, target } = enter("set");
      return trap ? Boolean(call(trap, handler, target, key, value, receiver)) : set(target, key, value, receiver);
    },
    deleteProperty(_target, key) {
      const { trap, handler, target } = enter("deleteProperty");
      return trap ? Boolean(call(trap, handler, target, key)) : deleteProperty(target, key);
    },
    ownKeys() {
      const { trap, handler, target } = enter("ownKeys");
      return trap ? keyList(realm, call(trap, handler, target)) : ownKeys(target);
    },
  };
  const enter = (name: string) => {
    realm.meter.charge(1);
    return trapOf(state, name);
  };
  return Object.setPrototypeOf(handler, null);
}

function proxyCode(realm: Realm, state: ProxyState, targetCode: FunctionCode): FunctionCode {
  return realm.nativeCode(
    "",
    0,
    (thisValue, ...args) => {
      const { trap, handler, target } = trapOf(state, "apply");
      return trap ? call(trap, handler, target, thisValue, realm.newArray(args)) : callWith(target, thisValue, args);
    },
    { nativeConstruct: targetCode.construct === "none" ? null : constructThrough(realm, state) },
  );
}

function constructThrough(realm: Realm, state: ProxyState) {
  return (newTarget: GuestObject, ...args: unknown[]): GuestObject => {
    const { trap, handler, target } = trapOf(state, "construct");
    if (!trap) return construct(target, args, newTarget);
    const object = call(trap, handler, target, realm.newArray(args), newTarget);
    return isObject(object) ? object : throwTypeError('"construct" did not return an object');
  };
}

function withHostAccessors(descriptor: ReturnType<typeof getOwnProperty>): PropertyDescriptor | undefined {
  return descriptor && toHostDescriptor(descriptor);
}

/** Returns the keys that an `ownKeys` trap returned. The host checks for duplicates. */
function keyList(realm: Realm, list: unknown): (string | symbol)[] {
  if (!isObject(list)) return throwTypeError('"ownKeys" did not return a list');
  const length = lengthOfArrayLike(list);
  realm.meter.charge(length);
  realm.meter.requireRoom(bytesPerListedKey * length);
  const keys: (string | symbol)[] = [];
  let longKeys = 0;
  let comparedCharacters = 0;
  for (let index = 0; index < length; index++) {
    const key = get(list, index);
    if (typeof key !== "string" && typeof key !== "symbol")
      return throwTypeError('"ownKeys" returned something other than keys');
    if (typeof key === "string" && key.length > maxHashedLength) comparedCharacters += longKeys++ * key.length;
    keys.push(typeof key === "string" ? countedKey(key) : key);
  }
  // Charge for the host's check for duplicates, which comes later.
  realm.meter.charge(operationsPerListedKey * length);
  requireTime(comparedCharacters / charactersComparedInOperation);
  return keys;
}

const charactersComparedInOperation = 512;

const operationsPerListedKey = 20;
const bytesPerListedKey = 80;
