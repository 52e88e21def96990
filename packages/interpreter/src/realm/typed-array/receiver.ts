// What methods of typed arrays are called on.

import { throwTypeError } from "../../guest-throw.ts";
import { valueText } from "../../operations/text.ts";
import { isOutOfBounds, type TypedArray, typedArrayKind } from "../../slots/typed-array.ts";

/**
 * The value when it is a typed array with a buffer behind it. @throws a guest TypeError for others
 */
export function requireTypedArray(value: unknown, method: string): TypedArray {
  const array = requireAnyTypedArray(value, method);
  if (isOutOfBounds(array)) return throwTypeError(`${method} was called on a typed array whose buffer is gone`);
  return array;
}

/**
 * The value when it is a typed array, even one whose buffer is gone. @throws a guest TypeError for
 * others
 */
export function requireAnyTypedArray(value: unknown, method: string): TypedArray {
  if (typedArrayKind(value) !== undefined) return value as TypedArray; // it is one
  return throwTypeError(`${method} was called on ${valueText(value)}, which is not a typed array`);
}
