// Copies properties, for `{ ...source }` and rest properties: CopyDataProperties in the
// specification.

import type { GuestObject } from "../guest-value.ts";
import { slotsOf } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { chargeKeyListing, noteListedKeys } from "./counted-keys.ts";
import { beforeStore, mayBeIndex } from "./holes.ts";
import { expectedKeys, noteKeys } from "./many-keys.ts";
import { bytesOfProperties } from "./object-bytes.ts";
import {
  accessorFound,
  createDataProperty,
  getOwnProperty,
  ownKeys,
  type PropertyKeyValue,
  withoutGetters,
} from "./property.ts";
import { refuseHugeKeyList } from "./typed-array-element.ts";

/** Settings of {@link copyDataProperties}. */
export interface CopyOptions {
  /** Keys that are not copied. */
  readonly excluded?: readonly PropertyKeyValue[];
  /**
   * Whether a plain assignment to the target might call a setter. The target itself may have a
   * setter, or a prototype that the program chose.
   */
  readonly mayCallSetters?: boolean;
}

// The maximum number of properties that are copied the quick way. An object with more properties is
// stored as a hash table by V8.
const maxQuickKeys = 100;
// The cost of copying a property by reading its descriptor, in operations.
const operationsOfDescriptor = 8;

/** Copies the own enumerable properties of `source`. */
export function copyDataProperties(
  realm: Realm,
  target: GuestObject,
  source: GuestObject,
  { excluded = [], mayCallSetters = false }: CopyOptions = {},
): void {
  const isPlain = slotsOf(source) === undefined;
  if (!isPlain) realm.promiseWatch?.refuseKeysOf(source, "was copied as if it were its value");
  chargeKeyListing(realm, source);
  const keys = isPlain ? enumerableOwnKeys(source) : ownKeys(source);
  noteListedKeys(source, keys.length);
  noteKeys(target, Math.max(expectedKeys(target), keys.length));
  realm.meter.charge(keys.length * ((excluded.length + 8) >>> 3) * (keys.length > maxQuickKeys ? 6 : 1));
  realm.meter.allocate(bytesOfProperties(keys.length));
  const copied = isPlain && realm.intact && !mayCallSetters ? copyData(target, source, keys, excluded) : 0;
  for (let index = copied; index < keys.length; index++) {
    const key = keys[index] as string | symbol; // `index` is less than the length
    realm.meter.charge(operationsOfDescriptor);
    if (isExcluded(key, excluded) || getOwnProperty(source, key)?.enumerable !== true) continue;
    createDataProperty(target, key, source[key]);
  }
}

/**
 * Copies properties by plain assignment until it reaches a getter. The caller copies the rest in
 * another way, because a getter may change the properties after it. Returns the index in `keys` at
 * which it stopped.
 */
function copyData(
  target: GuestObject,
  source: GuestObject,
  keys: readonly (string | symbol)[],
  excluded: readonly PropertyKeyValue[],
): number {
  return withoutGetters(() => {
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string | symbol; // `index` is less than the length
      if (excluded.length > 0 && isExcluded(key, excluded)) continue;
      const value = source[key];
      if (value === accessorFound || key === "__proto__") return index;
      if (mayBeIndex(key)) beforeStore(target, key, value);
      target[key] = value;
    }
    return keys.length;
  });
}

/**
 * Returns the enumerable own keys of an object without slots: the string keys, as the host lists
 * them, and then the symbols.
 */
function enumerableOwnKeys(object: GuestObject): (string | symbol)[] {
  if (ArrayBuffer.isView(object)) refuseHugeKeyList(object);
  const keys: (string | symbol)[] = Object.keys(object);
  const symbols = Object.getOwnPropertySymbols(object);
  for (let index = 0; index < symbols.length; index++) keys.push(symbols[index] as symbol); // `index` is less than the length
  return keys;
}

function isExcluded(key: string | symbol, excluded: readonly PropertyKeyValue[]): boolean {
  for (let index = 0; index < excluded.length; index++) {
    const each = excluded[index];
    if (each === key || (typeof each === "number" && String(each) === key)) return true;
  }
  return false;
}
