// Storing properties: what `a.b = c` and `a[b] = c` come to when they are more than a plain store.
// The counterpart of member.ts.

import type { MemberExpression, Node } from "acorn";
import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isHostArray, isObject } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { countedKey, longKey, toPropertyKey } from "../operations/conversion.ts";
import { countStoredKey } from "../operations/many-keys.ts";
import { type PropertyKeyValue, setV } from "../operations/property.ts";
import { keyText } from "../operations/text.ts";
import { type Context, positionOf } from "./context.ts";
import { located } from "./operators.ts";

/** Stores a value under a key that has been evaluated. */
export type StoreMember = (object: unknown, property: unknown, assigned: unknown) => void;

/** `base[key] = value` for values of any kind. */
export function writeMember(context: Context, node: Node, base: unknown, key: unknown, value: unknown): void {
  try {
    if (base === undefined || base === null) {
      throwTypeError(`cannot set property ${typeof key === "string" ? keyText(key) : ""} of ${base}`);
    }
    const property = toPropertyKey(key);
    chargeStore(context.meter, base, property);
    setV(context.realm, base, property, value);
  } catch (caught) {
    throw located(context, caught, node);
  }
}

/** `base[key] = value` for one place in a program: quick for arrays and plain objects. */
export function computedStore(context: Context, left: MemberExpression): StoreMember {
  const { meter } = context;
  return (object, property, assigned) => {
    if (typeof property === "number" && isHostArray(object) && isIndexUpTo(property, object.length)) {
      try {
        if (property === object.length) meter.allocateElement(property);
        object[property] = assigned;
      } catch (caught) {
        throwStoreFailure(context, left, caught, property);
      }
    } else if (typeof property === "number" && typeof assigned === "number" && ArrayBuffer.isView(object)) {
      try {
        (object as unknown as GuestObject)[property] = assigned; // the guest's typed arrays are the host's
      } catch (caught) {
        throwStoreFailure(context, left, caught, property);
      }
    } else if (
      typeof property === "string" &&
      property !== "length" &&
      isObject(object) &&
      !ArrayBuffer.isView(object)
    ) {
      countStoredKey(meter, object, property.length);
      if (property.length > longKey) countedKey(property);
      try {
        object[property] = assigned;
      } catch (caught) {
        throwStoreFailure(context, left, caught, property);
      }
    } else writeMember(context, left, object, property, assigned);
  };
}

// Keys that are not whole numbers are charged for as other keys are.
const isIndexUpTo = (key: number, length: number): boolean => key <= length && key >= 0 && (key | 0) === key;

/**
 * Turns the host's TypeError for a refused store into one with our text. An exception of the guest
 * is passed on unchanged.
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

// An object of many properties is a table, which is doubled when it is full.
const bytesOfProperty = 48;

/**
 * Stores can make objects grow without limit. Arrays are charged by their growth; of others it is
 * not known whether they grow.
 */
function chargeStore(meter: Meter, base: unknown, key: PropertyKeyValue): void {
  if (typeof key === "string" && isObject(base)) countStoredKey(meter, base, key.length);
  else if (typeof key !== "number" || !Number.isInteger(key)) meter.allocate(bytesOfProperty);
  else if (!isHostArray(base)) meter.allocateElement(key);
  else if (key === base.length) meter.allocateElement(key);
  else if (key > base.length) meter.allocate(128 + 12 * Math.min(key - base.length + 1, 1100));
}
