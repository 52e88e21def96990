// Objects that are stored into typed arrays. Numbers the host stores by itself; an object is turned into one by its own methods, which
// the host could not call.

import type { GuestObject } from "../guest-value.ts";
import { toElement, typedArrayKind, typedArrayLength } from "../realm/typed-array-host.ts";
import type { Descriptor, PropertyKeyValue } from "./property.ts";

/** What `array[key] = value` stores for an object: its number or bigint when the key is an element's. */
export function storedInTypedArray(array: object, key: PropertyKeyValue, value: GuestObject): unknown {
  const kind = typedArrayKind(array);
  return kind && isNumeric(key) ? toElement(kind, value) : value;
}

/** A descriptor with an object as value, as the host can define it on `array`; null when it cannot be defined. */
export function definedInTypedArray(array: object, key: PropertyKeyValue, descriptor: Descriptor): Descriptor | null {
  const kind = typedArrayKind(array);
  if (!kind || !isNumeric(key)) return descriptor;
  if (!isElementOf(array, key)) return null;
  if (descriptor.configurable === false || descriptor.enumerable === false || descriptor.writable === false)
    return null;
  return { ...descriptor, value: toElement(kind, descriptor.value) };
}

/** Whether a key is a number in its canonical text, which on typed arrays can name nothing but an element. */
function isNumeric(key: PropertyKeyValue): key is string | number {
  if (typeof key !== "string") return typeof key === "number";
  return key === "-0" || String(Number(key)) === key;
}

function isElementOf(array: object, key: string | number): boolean {
  const index = Number(key);
  return (
    Number.isInteger(index) && !Object.is(index, -0) && key !== "-0" && index >= 0 && index < typedArrayLength(array)
  );
}
