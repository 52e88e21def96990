// The keys of `for (... in ...)`.

import type { GuestObject } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { toObject } from "./conversion.ts";
import { getOwnProperty, getPrototypeOf, hasProperty, ownKeys } from "./property.ts";
import { proxyState } from "./proxy.ts";

// Its descriptor, and its place among those visited.
const operationsPerKey = 4;
const operationsPerProxyKey = 32;

/** The enumerable string keys of a value and of its prototypes, each once. Nothing for undefined and null. */
export function* enumerableKeys(realm: Realm, value: unknown): Generator<{ key: string; object: GuestObject }, void> {
  if (value === undefined || value === null) return;
  const object = toObject(realm, value);
  const visited = new Set<string>();
  for (let owner: GuestObject | null = object; owner !== null; owner = getPrototypeOf(owner)) {
    const keys = ownKeys(owner);
    realm.meter.charge(keys.length * (proxyState(owner) ? operationsPerProxyKey : operationsPerKey));
    realm.meter.allocate(16 * keys.length);
    for (const key of keys) {
      if (typeof key === "symbol" || visited.has(key)) continue;
      const descriptor = getOwnProperty(owner, key);
      if (!descriptor) continue;
      visited.add(key);
      if (descriptor.enumerable) yield { key, object };
    }
  }
}

/** Whether a key of {@link enumerableKeys} is still there when its turn comes. A proxy is not asked again. */
export function isStillThere(object: GuestObject, key: string): boolean {
  return proxyState(object) !== undefined || hasProperty(object, key);
}
