// The keys of `for (... in ...)`. The object and its prototypes are asked for theirs before the
// first round, as engines do it, and each key again when its turn comes: one that has gone by then
// is passed over. Proxies see both.

import { type GuestObject, slotsOf } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { toObject } from "./conversion.ts";
import { foreseeKeys, isOwnEnumerable, plainKeys } from "./counted-keys.ts";
import { noteKeys } from "./many-keys.ts";
import { getOwnProperty, getPrototypeOf, hasOwn, hasProperty, inheritsNoKeys, ownKeys } from "./property.ts";
import { proxyState } from "./proxy.ts";

// Its descriptor, and whether a nearer object has it.
const operationsPerKey = 4;
const operationsPerProxyKey = 32;

/**
 * The enumerable string keys of a value and of its prototypes, each once and as long as it is
 * there. Nothing for undefined and null.
 */
export function* enumerableKeys(realm: Realm, value: unknown): Generator<string, void> {
  if (value === undefined || value === null) return;
  const object = toObject(realm, value);
  realm.promiseWatch?.refuseKeysOf(object, "was asked for its properties, of which promises have none");
  const { keys, hasProxy } = keysOfChain(realm, object);
  for (const key of keys) if (hasProxy ? isEnumerableNow(object, key) : hasProperty(object, key)) yield key;
}

interface ChainKeys {
  readonly keys: readonly string[];
  readonly hasProxy: boolean;
}

/**
 * Those that a nearer key hides are left out. A proxy's are all there: which are enumerable it is
 * asked later.
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

/** An object on a chain of prototypes. A proxy is not asked again which keys it has. */
interface Owner {
  readonly object: GuestObject;
  readonly proxyKeys: ReadonlySet<string> | null;
}

/**
 * The string keys of an object that may be a proxy: all of a proxy's, the enumerable ones of
 * others.
 */
function listedKeys(realm: Realm, owner: GuestObject, isProxy: boolean): string[] {
  foreseeKeys(realm, owner);
  const own = ownKeys(owner);
  noteKeys(owner, own.length);
  realm.meter.charge(own.length * (isProxy ? operationsPerProxyKey : operationsPerKey));
  return own.filter((key) => typeof key === "string" && (isProxy || isOwnEnumerable(owner, key))) as string[]; // the filter sees to it
}

function isHidden(realm: Realm, nearer: readonly Owner[], key: string): boolean {
  realm.meter.charge(nearer.length);
  return nearer.some(({ object, proxyKeys }) => (proxyKeys ? proxyKeys.has(key) : hasOwn(object, key)));
}

/**
 * Whether the key is enumerable on the first object of the prototype chain that has it. Objects
 * that are not proxies were checked before.
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
