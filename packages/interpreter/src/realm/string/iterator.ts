// String iterators, which iterate by code point.

import { throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { iterationEnd } from "../../operations/iterator.ts";
import { counted, defineMethods, defineTag, nextMethod } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** The intrinsic %StringIteratorPrototype%. */
export const stringIteratorFamily: IntrinsicFamily = {
  intrinsics: ["StringIteratorPrototype"],
  make: makeStringIterator,
};

class StringIteratorSlots implements Slots {
  readonly type = "string-iterator";
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  get held(): readonly unknown[] {
    return [this.text];
  }
}

/** Creates an iterator over a string's code points. */
export function createStringIterator(realm: Realm, text: string): GuestObject {
  return brand(realm.newObjectFrom("StringIteratorPrototype"), new StringIteratorSlots(text));
}

function makeStringIterator(realm: Realm): MadeFamily {
  const prototype = realm.newObjectFrom("IteratorPrototype");
  defineMethods(realm, prototype, {
    next: counted(
      nextMethod(realm, (iterator) => {
        const slots = slotsOfKind(iterator, StringIteratorSlots);
        if (!slots) return throwTypeError("next was called on something that is not a string iterator");
        const point = slots.text.codePointAt(slots.position);
        if (point === undefined) return iterationEnd;
        const character = String.fromCodePoint(point);
        slots.position += character.length;
        return character;
      }),
    ),
  });
  defineTag(prototype, "String Iterator");
  return { intrinsics: { StringIteratorPrototype: prototype } };
}
