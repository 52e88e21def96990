// Iterators of Map and Set: a host iterator behind a guest object.

import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, type Slots, slotsOfKind } from "../guest-value.ts";
import { iterationEnd } from "../operations/iterator.ts";
import { defineMethods, defineTag, nextMethod } from "./define.ts";
import type { Realm } from "./realm.ts";

/** What an iterator gives of each entry. */
export type CollectionIterationKind = "entries" | "keys" | "values";

type CollectionIteratorType = "map-iterator" | "set-iterator";

/** What is iterated over. */
type Collection = Map<unknown, unknown> | Set<unknown>;

/** The slots of an iterator of a Map or Set. */
export class CollectionIteratorSlots implements Slots {
  readonly type: CollectionIteratorType;
  readonly kind: CollectionIterationKind;
  readonly collection: Collection;
  /** How many entries were given. */
  given = 0;
  /** Null at the end. */
  entries: Iterator<[unknown, unknown]> | null;

  constructor(type: CollectionIteratorType, kind: CollectionIterationKind, collection: Collection) {
    this.type = type;
    this.kind = kind;
    this.collection = collection;
    this.entries = collection.entries();
  }
}

/** The entries that are still to come; too few of them when some that were given have been deleted since. */
export function* remainingEntries({
  collection,
  given,
  entries,
}: CollectionIteratorSlots): Iterable<readonly [unknown, unknown]> {
  let index = 0;
  if (entries) for (const entry of collection.entries()) if (index++ >= given) yield entry;
}

/** Makes %MapIteratorPrototype% or %SetIteratorPrototype%. */
export function makeCollectionIteratorPrototype(realm: Realm, type: CollectionIteratorType, tag: string): GuestObject {
  const prototype = realm.newObjectFrom("IteratorPrototype");
  defineMethods(realm, prototype, {
    next: nextMethod(realm, (iterator) => {
      const slots = slotsOfKind(iterator, CollectionIteratorSlots);
      if (slots?.type !== type) return throwTypeError(`next was called on something that is no ${tag}`);
      return step(realm, slots);
    }),
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
