// The keys of `for (... in ...)`. The object and its prototypes are asked for theirs before the first round, as engines do it, and each key again
// when its turn comes: one that has gone by then is passed over. Proxies see both.

import type { GuestObject } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { toObject } from "./conversion.ts";
import { foreseeKeys } from "./counted-keys.ts";
import { noteKeys } from "./many-keys.ts";
import { getOwnProperty, getPrototypeOf, hasOwn, hasProperty, ownKeys } from "./property.ts";
import { proxyState } from "./proxy.ts";

// Its descriptor, and its place among those visited.
const operationsPerKey = 4;
const operationsPerProxyKey = 32;

/** The enumerable string keys of a value and of its prototypes, each once and as long as it is there. Nothing for undefined and null. */
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

/** Those that a nearer key hides are left out. A proxy's are all there: which are enumerable it is asked later. */
function keysOfChain(realm: Realm, object: GuestObject): ChainKeys {
  const keys: string[] = [];
  const visited = new Set<string>();
  let hasProxy = false;
  for (let owner: GuestObject | null = object; owner !== null; owner = getPrototypeOf(owner)) {
    const isProxy = proxyState(owner) !== undefined;
    hasProxy ||= isProxy;
    foreseeKeys(realm, owner);
    const own = ownKeys(owner);
    noteKeys(owner, own.length);
    realm.meter.charge(own.length * (isProxy ? operationsPerProxyKey : operationsPerKey));
    realm.meter.allocate(16 * own.length);
    for (const key of own) {
      if (typeof key === "symbol" || visited.has(key)) continue;
      visited.add(key);
      if (isProxy || getOwnProperty(owner, key)?.enumerable) keys.push(key);
    }
  }
  return { keys, hasProxy };
}

/** Whether the first on the chain that has the key shows it. An object that is not a proxy was asked before. */
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
