// Guest proxies: host proxies whose handler is ours and calls the guest's traps. So traps are met
// wherever the host looks: in property reads, prototype chains, Reflect operations; and the host
// itself checks the invariants. The host's handler object never reaches a guest.

import { type FunctionCode, FunctionSlots, functionSlots, settle } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOf } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { call, callWith, construct, getMethodOf } from "./call.ts";
import { lengthOfArrayLike } from "./conversion.ts";
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

/** The target and handler of a proxy. Both are null once it is revoked. */
export interface ProxyState {
  target: GuestObject | null;
  handler: GuestObject | null;
}

/** The slots of a proxy whose target is not a function. */
export class ProxySlots implements Slots {
  readonly type = "proxy";
  readonly state: ProxyState;

  constructor(state: ProxyState) {
    this.state = state;
  }
}

/** The slots of a proxy whose target is a function. */
export class CallableProxySlots extends FunctionSlots {
  readonly state: ProxyState;

  constructor(code: FunctionCode, self: GuestObject, state: ProxyState) {
    super(code, null, self);
    this.state = state;
    this.settled = true;
  }
}

/** The state of a proxy, or undefined when the object is none. */
export function proxyState(object: object): ProxyState | undefined {
  const slots = slotsOf(object);
  return slots instanceof ProxySlots || slots instanceof CallableProxySlots ? slots.state : undefined;
}

/** `new Proxy(target, handler)`. */
export function proxyCreate(realm: Realm, target: unknown, handler: unknown): GuestObject {
  if (!isObject(target) || !isObject(handler))
    return throwTypeError("a proxy needs an object as target and an object as handler");
  realm.meter.allocate(1_100);
  settle(target);
  const state: ProxyState = { target, handler };
  const proxy = new Proxy(target, hostHandler(realm, state));
  const targetSlots = functionSlots(target);
  if (!targetSlots) return brand(proxy, new ProxySlots(state));
  return brand(proxy, new CallableProxySlots(proxyCode(realm, state, targetSlots.code), proxy, state));
}

/** A trap and what to call it with, or no trap and the target that the operation goes on to. */
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
        return throwTypeError('"getPrototypeOf" gave neither an object nor null');
      return prototype;
    },
    setPrototypeOf(_target, prototype) {
      const { trap, handler, target } = enter("setPrototypeOf");
      const given = prototype as GuestObject | null; // the operations pass guest objects only
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
        return throwTypeError('"getOwnPropertyDescriptor" gave neither an object nor undefined');
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
    return isObject(object) ? object : throwTypeError('"construct" gave no object');
  };
}

function withHostAccessors(descriptor: ReturnType<typeof getOwnProperty>): PropertyDescriptor | undefined {
  return descriptor && toHostDescriptor(descriptor);
}

/** The keys that an `ownKeys` trap returned. The host refuses duplicates. */
function keyList(realm: Realm, list: unknown): (string | symbol)[] {
  if (!isObject(list)) return throwTypeError('"ownKeys" gave no list');
  const length = lengthOfArrayLike(list);
  realm.meter.charge(length);
  realm.meter.requireRoom(bytesPerListedKey * length);
  const keys: (string | symbol)[] = [];
  for (let index = 0; index < length; index++) {
    const key = get(list, index);
    if (typeof key !== "string" && typeof key !== "symbol")
      return throwTypeError('"ownKeys" gave something else than keys');
    keys.push(key);
  }
  // The host goes on alone: it looks for each key among the others.
  realm.meter.charge(operationsPerListedKey * length);
  return keys;
}

const operationsPerListedKey = 20;
const bytesPerListedKey = 80;
