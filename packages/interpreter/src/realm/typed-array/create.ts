// How methods make typed arrays: of the class of the one they work on, or of a constructor that
// they were given.

import { throwTypeError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { construct, speciesConstructor } from "../../operations/call.ts";
import {
  holdsBigInts,
  type TypedArray,
  type TypedArrayKind,
  typedArrayKind,
  typedArrayLength,
} from "../../slots/typed-array.ts";
import type { Realm } from "../realm.ts";
import { requireTypedArray } from "./receiver.ts";

/**
 * Checks the result of a constructor: a typed array, with enough elements if `args` is a length
 * alone.
 */
export function createTypedArray(constructor: GuestObject, args: readonly unknown[]): TypedArray {
  const array = requireTypedArray(construct(constructor, args), "the constructor of a typed array");
  const [length] = args;
  if (args.length === 1 && typeof length === "number" && typedArrayLength(array) < length)
    return throwTypeError(`the constructor gave a typed array of fewer than ${length} elements`);
  return array;
}

/** A typed array of the same class as `original`, which a guest's class may decide. */
export function createFromSpecies(realm: Realm, original: TypedArray, args: readonly unknown[]): TypedArray {
  const kind = kindOf(original);
  const array = createTypedArray(speciesConstructor(original, realm.intrinsic(kind)), args);
  if (holdsBigInts(typedArrayKind(array)) !== holdsBigInts(kind))
    return throwTypeError(`the class of a ${kind} gave a ${typedArrayKind(array)}: one of them holds bigints`);
  return array;
}

/** A typed array of the same kind as `original`, whatever its class. */
export function createOfSameKind(realm: Realm, original: TypedArray, length: number): TypedArray {
  return createTypedArray(realm.intrinsic(kindOf(original)), [length]);
}

function kindOf(array: TypedArray): TypedArrayKind {
  return typedArrayKind(array) as TypedArrayKind; // it is a typed array
}
