// Checks the value on which a method of typed arrays was called.

import { throwTypeError } from "../../guest-throw.ts";
import { valueText } from "../../operations/text.ts";
import { isOutOfBounds, type TypedArray, typedArrayKind } from "../../slots/typed-array.ts";

/**
 * Returns the value if it is a typed array whose buffer is still usable. @throws a guest TypeError
 * for other values
 */
export function requireTypedArray(value: unknown, method: string): TypedArray {
  const array = requireAnyTypedArray(value, method);
  if (isOutOfBounds(array)) return throwTypeError(`${method} was called on a typed array whose buffer is gone`);
  return array;
}

/**
 * Returns the value if it is a typed array, even if its buffer is detached. @throws a guest
 * TypeError for other values
 */
export function requireAnyTypedArray(value: unknown, method: string): TypedArray {
  if (typedArrayKind(value) !== undefined) return value as TypedArray; // `value` has a kind, so it is a typed array
  return throwTypeError(`${method} was called on ${valueText(value)}, which is not a typed array`);
}
