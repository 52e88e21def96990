// CopyDataProperties: what `{ ...source }` and rest properties do.

import type { GuestObject } from "../guest-value.ts";
import { slotsOf } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { createDataProperty, getOwnProperty, ownKeys, type PropertyKeyValue } from "./property.ts";
import { refuseHugeKeyList } from "./typed-array-element.ts";

/** Copies the own enumerable properties of `source`, but for the excluded keys. */
export function copyDataProperties(
  realm: Realm,
  target: GuestObject,
  source: GuestObject,
  excluded: readonly PropertyKeyValue[] = [],
): void {
  const isPlain = slotsOf(source) === undefined;
  const keys = isPlain ? enumerableOwnKeys(source) : ownKeys(source);
  realm.meter.charge(keys.length >> 3);
  realm.meter.allocate(16 * keys.length);
  const isExcluded = excluded.length === 0 ? () => false : exclusion(excluded);
  for (const key of keys) {
    if (isExcluded(key)) continue;
    // A getter of an earlier property may have changed a later one.
    if (isPlain ? !isEnumerable(source, key) : getOwnProperty(source, key)?.enumerable !== true) continue;
    const value = source[key];
    if (realm.intact && key !== "__proto__") target[key] = value;
    else createDataProperty(target, key, value);
  }
}

/** Of an object without slots: what the host has at hand, with the symbols, of which there are hardly ever any. */
function enumerableOwnKeys(object: GuestObject): (string | symbol)[] {
  const symbols = Object.getOwnPropertySymbols(object);
  if (ArrayBuffer.isView(object)) refuseHugeKeyList(object);
  const keys: (string | symbol)[] = Object.keys(object);
  for (const symbol of symbols) keys.push(symbol);
  return keys;
}

const isEnumerable = (object: object, key: PropertyKey): boolean => propertyIsEnumerable.call(object, key);

const { propertyIsEnumerable } = Object.prototype;

function exclusion(excluded: readonly PropertyKeyValue[]): (key: PropertyKeyValue) => boolean {
  const keys = new Set(excluded.map((key) => (typeof key === "number" ? String(key) : key)));
  return (key) => keys.has(key as string | symbol); // own keys are never numbers
}
