// Creates typed arrays for methods: either with the class of an existing typed array, or with a
// given constructor.

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
 * Calls a constructor and checks its result: it must be a typed array. If the only argument is a
 * length, the typed array must have at least that many elements.
 */
export function createTypedArray(constructor: GuestObject, args: readonly unknown[]): TypedArray {
  const array = requireTypedArray(construct(constructor, args), "the constructor of a typed array");
  const [length] = args;
  if (args.length === 1 && typeof length === "number" && typedArrayLength(array) < length)
    return throwTypeError(`the constructor returned a typed array of fewer than ${length} elements`);
  return array;
}

/**
 * Creates a typed array of the same class as `original`. A guest class can choose another class
 * with `Symbol.species`.
 */
export function createFromSpecies(realm: Realm, original: TypedArray, args: readonly unknown[]): TypedArray {
  const kind = kindOf(original);
  const array = createTypedArray(speciesConstructor(original, realm.intrinsic(kind)), args);
  if (holdsBigInts(typedArrayKind(array)) !== holdsBigInts(kind))
    return throwTypeError(`the class of a ${kind} created a ${typedArrayKind(array)}: one of them contains bigints`);
  return array;
}

/**
 * Creates a built-in typed array of the same kind as `original`, even if `original` is an instance
 * of a guest class.
 */
export function createOfSameKind(realm: Realm, original: TypedArray, length: number): TypedArray {
  return createTypedArray(realm.intrinsic(kindOf(original)), [length]);
}

function kindOf(array: TypedArray): TypedArrayKind {
  return typedArrayKind(array) as TypedArrayKind; // `array` is a typed array, so it has a kind
}
