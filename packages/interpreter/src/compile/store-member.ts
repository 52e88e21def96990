// Assigns properties: the cases of `a.b = c` and `a[b] = c` for which a plain assignment on the
// host is not enough. member.ts does the same for reads.

import type { MemberExpression, Node } from "acorn";
import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isHostArray, isObject } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { longNumberList } from "../long-lists.ts";
import { countedKey, longKey, toPropertyKey } from "../operations/conversion.ts";
import { beforeElement, beforeStore, mayBeIndex } from "../operations/holes.ts";
import { sampleComputedStore } from "../operations/object-bytes.ts";
import { type PropertyKeyValue, setV } from "../operations/property.ts";
import { keyText } from "../operations/text.ts";
import { type Context, positionOf } from "./context.ts";
import { located } from "./operators.ts";

/** Assigns a property. `property` is the evaluated key. */
export type StoreMember = (object: unknown, property: unknown, assigned: unknown) => void;

/** Assigns `base[key] = value` for values of any kind. */
export function writeMember(context: Context, node: Node, base: unknown, key: unknown, value: unknown): void {
  try {
    if (base === undefined || base === null) {
      throwTypeError(`cannot set property ${typeof key === "string" ? keyText(key) : ""} of ${base}`);
    }
    const property = toPropertyKey(key);
    chargeGrowth(context.meter, base, property);
    setV(context.realm, base, property, value);
  } catch (caught) {
    throw located(context, caught, node);
  }
}

/** Compiles `base[key] = value`. The closure is fast for arrays and plain objects. */
export function computedStore(context: Context, left: MemberExpression): StoreMember {
  const { meter } = context;
  return (object, property, assigned) => {
    if (typeof property === "number" && isHostArray(object) && isIndexUpTo(property, object.length)) {
      try {
        if (property === object.length) meter.allocateElement(object, property);
        if (object.length >= longNumberList) beforeElement(object, property, assigned);
        object[property] = assigned;
      } catch (caught) {
        throwStoreFailure(context, left, caught, property);
      }
    } else if (typeof property === "number" && typeof assigned === "number" && ArrayBuffer.isView(object)) {
      try {
        (object as unknown as GuestObject)[property] = assigned; // guest typed arrays are host typed arrays
      } catch (caught) {
        throwStoreFailure(context, left, caught, property);
      }
    } else if (
      typeof property === "string" &&
      property !== "length" &&
      isObject(object) &&
      !ArrayBuffer.isView(object)
    ) {
      if (property.length > longKey) countedKey(property);
      try {
        if (--meter.storesLeft < 0) sampleComputedStore(meter, object, property);
        if (mayBeIndex(property)) beforeStore(object, property, assigned);
        object[property] = assigned;
      } catch (caught) {
        throwStoreFailure(context, left, caught, property);
      }
    } else writeMember(context, left, object, property, assigned);
  };
}

// Says whether a key is an index of an array, or the first index after its end. Other numbers are
// charged in the same way as string keys.
const isIndexUpTo = (key: number, length: number): boolean => key <= length && key >= 0 && (key | 0) === key;

/**
 * Handles an exception of a refused assignment. Replaces the host's TypeError with our own, and
 * rethrows exceptions of the guest.
 */
export function throwStoreFailure(context: Context, node: Node, caught: unknown, key: PropertyKeyValue): never {
  if (caught instanceof TypeError) {
    throwTypeError(
      `cannot assign to property ${keyText(key)}: it is read-only or cannot be added`,
      positionOf(context, node),
    );
  }
  throw located(context, caught, node);
}

/** Charges for the growth of an array. Properties are charged where they are stored. */
function chargeGrowth(meter: Meter, base: unknown, key: PropertyKeyValue): void {
  if (typeof key !== "number" || !Number.isInteger(key) || !isHostArray(base)) return;
  if (key === base.length) meter.allocateElement(base, key);
  else if (key > base.length) meter.allocate(128 + 12 * Math.min(key - base.length + 1, 1100));
}
