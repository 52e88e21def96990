// Iterators of Map and Set. Each is a guest object with a host iterator in its slots.

import { throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, slotsOfKind } from "../../guest-value.ts";
import { iterationEnd } from "../../operations/iterator.ts";
import { CollectionIteratorSlots, type CollectionIteratorType } from "../../slots/collection-iterator.ts";
import { counted, defineMethods, defineTag, nextMethod } from "../define.ts";
import type { Realm } from "../realm.ts";

/** Creates %MapIteratorPrototype% or %SetIteratorPrototype%. */
export function makeCollectionIteratorPrototype(realm: Realm, type: CollectionIteratorType, tag: string): GuestObject {
  const prototype = realm.newObjectFrom("IteratorPrototype");
  defineMethods(realm, prototype, {
    next: counted(
      nextMethod(realm, (iterator) => {
        const slots = slotsOfKind(iterator, CollectionIteratorSlots);
        if (slots?.type !== type) return throwTypeError(`next was called on something that is not a ${tag}`);
        return step(realm, slots);
      }),
    ),
  });
  return defineTag(prototype, tag);
}

function step(realm: Realm, slots: CollectionIteratorSlots): unknown {
  const result = slots.entries?.next();
  if (!result || result.done) {
    slots.entries = null;
    return iterationEnd;
  }
  slots.given++;
  const [key, value] = result.value;
  if (slots.kind === "entries") return realm.newArray([key, value]);
  return slots.kind === "keys" ? key : value;
}
