// The keys of `for (... in ...)`. All keys of the object and its prototypes are listed before the
// first iteration, as in other engines. Each key is checked again before its iteration: a key that
// has been deleted since is skipped. A proxy can observe the listing and the checks.

import { type GuestObject, slotsOf } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { proxyState } from "../slots/proxy.ts";
import { toObject } from "./conversion.ts";
import { chargeKeyListing, isOwnEnumerable, plainKeys } from "./counted-keys.ts";
import { noteKeys } from "./many-keys.ts";
import { getOwnProperty, getPrototypeOf, hasOwn, hasProperty, inheritsNoKeys, ownKeys } from "./property.ts";

// The cost of a key, in operations: reading its descriptor, and checking whether an earlier object
// of the prototype chain has the key, too.
const operationsPerKey = 4;
const operationsPerProxyKey = 32;

/**
 * Yields the enumerable string keys of a value and its prototypes. Yields each key once, and only
 * if it still exists. Yields nothing for undefined and null.
 */
export function* enumerableKeys(realm: Realm, value: unknown): Generator<string, void> {
  if (value === undefined || value === null) return;
  const object = toObject(realm, value);
  realm.promiseWatch?.refuseKeysOf(object, "was asked for its properties, but a promise has none");
  const { keys, hasProxy } = keysOfChain(realm, object);
  for (const key of keys) if (hasProxy ? isEnumerableNow(object, key) : hasProperty(object, key)) yield key;
}

interface ChainKeys {
  readonly keys: readonly string[];
  readonly hasProxy: boolean;
}

/**
 * Lists the keys of an object and its prototypes. Leaves out a key that an earlier object of the
 * chain also has. Includes all keys of a proxy, because the trap that says whether a key is
 * enumerable must be called later, right before the key's iteration.
 */
function keysOfChain(realm: Realm, object: GuestObject): ChainKeys {
  if (inheritsNoKeys(realm, object)) return { keys: plainKeys(realm, object), hasProxy: false };
  let keys: string[] = [];
  const nearer: Owner[] = [];
  let hasProxy = false;
  for (let owner: GuestObject | null = object; owner !== null; owner = getPrototypeOf(owner)) {
    const isProxy = proxyState(owner) !== undefined;
    hasProxy ||= isProxy;
    const own = isProxy || slotsOf(owner) !== undefined ? listedKeys(realm, owner, isProxy) : plainKeys(realm, owner);
    if (nearer.length === 0) keys = own;
    else keys = keys.concat(own.filter((key) => !isHidden(realm, nearer, key)));
    nearer.push({ object: owner, proxyKeys: isProxy ? new Set(own) : null });
  }
  return { keys, hasProxy };
}

/**
 * An object on a prototype chain. The keys of a proxy are stored here, so that the trap that lists
 * them is called only once.
 */
interface Owner {
  readonly object: GuestObject;
  readonly proxyKeys: ReadonlySet<string> | null;
}

/**
 * Returns the string keys of an object: all of them for a proxy, only the enumerable ones for other
 * objects.
 */
function listedKeys(realm: Realm, owner: GuestObject, isProxy: boolean): string[] {
  chargeKeyListing(realm, owner);
  const own = ownKeys(owner);
  noteKeys(owner, own.length);
  realm.meter.charge(own.length * (isProxy ? operationsPerProxyKey : operationsPerKey));
  return own.filter((key) => typeof key === "string" && (isProxy || isOwnEnumerable(owner, key))) as string[]; // the filter keeps only strings
}

function isHidden(realm: Realm, nearer: readonly Owner[], key: string): boolean {
  realm.meter.charge(nearer.length);
  return nearer.some(({ object, proxyKeys }) => (proxyKeys ? proxyKeys.has(key) : hasOwn(object, key)));
}

/**
 * Says whether the key is enumerable on the first object of the prototype chain that has it. If
 * that is an ordinary object, the key must be enumerable, because only enumerable keys of ordinary
 * objects are listed.
 */
function isEnumerableNow(object: GuestObject, key: string): boolean {
  for (let owner: GuestObject | null = object; owner !== null; owner = getPrototypeOf(owner)) {
    if (!proxyState(owner)) {
      if (hasOwn(owner, key)) return true;
      continue;
    }
    const descriptor = getOwnProperty(owner, key);
    if (descriptor) return descriptor.enumerable === true;
  }
  return false;
}
