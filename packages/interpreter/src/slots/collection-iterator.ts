// Iterators of Map and Set: a host iterator behind a guest object.

import type { Slots } from "../guest-value.ts";

/** Selects the result of each step: the key, the value or both. */
export type CollectionIterationKind = "entries" | "keys" | "values";

/** The iterator of a Map, or of a Set. */
export type CollectionIteratorType = "map-iterator" | "set-iterator";

/** The collection to iterate over. */
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

/**
 * The entries that are still to come; too few of them when some that were given have been deleted
 * since.
 */
export function* remainingEntries({
  collection,
  given,
  entries,
}: CollectionIteratorSlots): Iterable<readonly [unknown, unknown]> {
  let index = 0;
  if (entries) for (const entry of collection.entries()) if (index++ >= given) yield entry;
}
