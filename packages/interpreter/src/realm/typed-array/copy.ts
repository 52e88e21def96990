// Methods of typed arrays that create a new typed array.

import { throwRangeError } from "../../guest-throw.ts";
import { call } from "../../operations/call.ts";
import { relativeIndex, toIntegerOrInfinity } from "../../operations/conversion.ts";
import { storeElement, toElement } from "../../operations/typed-array-element.ts";
import { guestBuffer } from "../../slots/array-buffer.ts";
import {
  bytesOf,
  elementSize,
  givenByteOffset,
  hostBufferOf,
  hostMethods,
  isOutOfBounds,
  type TypedArray,
  type TypedArrayKind,
  tracksLength,
  typedArrayKind,
  typedArrayLength,
} from "../../slots/typed-array.ts";
import { comparatorOf } from "../array/sort.ts";
import { counted, type MethodTable, withLength } from "../define.ts";
import type { Realm } from "../realm.ts";
import { sortByValue, sortedElements, storeAll } from "./change.ts";
import { createFromSpecies, createOfSameKind } from "./create.ts";
import { requireAnyTypedArray, requireTypedArray } from "./receiver.ts";

/** Creates the methods that do not change the typed array. */
export function typedArrayCopyMethods(realm: Realm): MethodTable {
  return {
    slice: counted((thisValue, start, end) => {
      const array = requireTypedArray(thisValue, "slice");
      const length = typedArrayLength(array);
      const first = relativeIndex(start, length, 0);
      const final = relativeIndex(end, length, length);
      const result = createFromSpecies(realm, array, [Math.max(final - first, 0)]);
      if (final > first) copyElements(realm, requireTypedArray(array, "slice"), result, first, final);
      return result;
    }),
    subarray: counted((thisValue, start, end) => {
      const array = requireAnyTypedArray(thisValue, "subarray");
      const buffer = guestBuffer(realm, hostBufferOf(array));
      const length = isOutOfBounds(array) ? 0 : typedArrayLength(array);
      const byteOffset = givenByteOffset(array);
      const first = relativeIndex(start, length, 0);
      const offset = byteOffset + first * elementSize(typedArrayKind(array) as TypedArrayKind); // `array` is a typed array, so it has a kind
      if (end === undefined && tracksLength(array)) return createFromSpecies(realm, array, [buffer, offset]);
      const count = Math.max(relativeIndex(end, length, length) - first, 0);
      return createFromSpecies(realm, array, [buffer, offset, count]);
    }),
    toReversed: counted((thisValue) => {
      const result = copyOf(realm, requireTypedArray(thisValue, "toReversed"));
      hostMethods.reverse.call(result);
      return result;
    }),
    toSorted: counted((thisValue, comparator) => {
      const compare = comparatorOf(comparator, "toSorted");
      const array = requireTypedArray(thisValue, "toSorted");
      const result = copyOf(realm, array);
      if (compare)
        storeAll(
          result,
          sortedElements(realm, array, (left, right) => call(compare, undefined, left, right)),
        );
      else sortByValue(realm, result);
      return result;
    }),
    with: counted(
      withLength(2, (thisValue, position, value) => {
        const array = requireTypedArray(thisValue, "with");
        const length = typedArrayLength(array);
        const relative = toIntegerOrInfinity(position);
        const index = relative < 0 ? length + relative : relative;
        const element = toElement(typedArrayKind(array), value);
        if (!(index >= 0 && index < typedArrayLength(array)))
          return throwRangeError(`there is no element ${relative} to replace`);
        const result = createOfSameKind(realm, array, length);
        realm.meter.charge(length);
        for (let at = 0; at < length; at++)
          storeElement(result, at, at === index ? element : (array[at] as number | bigint));
        return result;
      }),
    ),
  };
}

function copyOf(realm: Realm, array: TypedArray): TypedArray {
  const result = createOfSameKind(realm, array, typedArrayLength(array));
  realm.meter.charge(typedArrayLength(array) >>> 4);
  hostMethods.set.call(result, array, 0);
  return result;
}

/**
 * Copies elements to the start of `target`. Between typed arrays of the same kind, the bytes are
 * copied from front to back, as the specification requires.
 */
function copyElements(realm: Realm, source: TypedArray, target: TypedArray, first: number, final: number): void {
  const end = Math.min(final, typedArrayLength(source));
  const kind = typedArrayKind(source) as TypedArrayKind; // `source` is a typed array, so it has a kind
  if (kind === typedArrayKind(target) && hostBufferOf(source) !== hostBufferOf(target)) {
    const size = elementSize(kind);
    const bytes = bytesOf(source).subarray(first * size, end * size);
    realm.meter.charge(bytes.length >>> 10);
    bytesOf(target).set(bytes.subarray(0, typedArrayLength(target) * size));
    return;
  }
  for (let index = first; index < end; index++) {
    realm.meter.charge(1);
    storeElement(target, index - first, toElement(typedArrayKind(target), source[index]));
  }
}
