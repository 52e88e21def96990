// Array iterators: the results of `values`, `keys` and `entries` of arrays and typed arrays.

import { throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { lengthOfArrayLike } from "../../operations/conversion.ts";
import { iterationEnd } from "../../operations/iterator.ts";
import { get } from "../../operations/property.ts";
import { typedArrayKind, typedArrayLength } from "../../slots/typed-array.ts";
import { counted, defineMethods, defineTag, nextMethod } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { requireTypedArray } from "../typed-array/receiver.ts";

/** The result of each step: the index, the element, or both. */
export type IterationKind = "keys" | "values" | "entries";

/** The intrinsic %ArrayIteratorPrototype%. */
export const arrayIteratorFamily: IntrinsicFamily = {
  intrinsics: ["ArrayIteratorPrototype", "ArrayIteratorPrototypeNext"],
  make: makeArrayIterator,
};

class ArrayIteratorSlots implements Slots {
  readonly type = "array-iterator";
  readonly kind: IterationKind;
  /** The object to iterate over; null at the end. */
  object: GuestObject | null;
  index = 0;

  constructor(object: GuestObject, kind: IterationKind) {
    this.object = object;
    this.kind = kind;
  }

  get held(): readonly unknown[] {
    return [this.object];
  }
}

/** Creates an iterator over the elements of an array-like object. */
export function createArrayIterator(realm: Realm, object: GuestObject, kind: IterationKind): GuestObject {
  return brand(realm.newObjectFrom("ArrayIteratorPrototype"), new ArrayIteratorSlots(object, kind));
}

function makeArrayIterator(realm: Realm): MadeFamily {
  const prototype = realm.newObjectFrom("IteratorPrototype");
  defineMethods(realm, prototype, {
    next: counted(
      nextMethod(realm, (iterator) => {
        const slots = slotsOfKind(iterator, ArrayIteratorSlots);
        if (!slots) return throwTypeError("next was called on something that is not an array iterator");
        return step(realm, slots);
      }),
    ),
  });
  defineTag(prototype, "Array Iterator");
  return {
    intrinsics: {
      ArrayIteratorPrototype: prototype,
      ArrayIteratorPrototypeNext: prototype["next"] as GuestObject, // defined just above
    },
  };
}

function step(realm: Realm, slots: ArrayIteratorSlots): unknown {
  const { object, index, kind } = slots;
  if (object === null) return iterationEnd;
  const length = typedArrayKind(object)
    ? typedArrayLength(requireTypedArray(object, "next"))
    : lengthOfArrayLike(object);
  if (index >= length) {
    slots.object = null;
    return iterationEnd;
  }
  slots.index = index + 1;
  if (kind === "keys") return index;
  const value = get(object, index);
  return kind === "values" ? value : realm.newArray([index, value]);
}
