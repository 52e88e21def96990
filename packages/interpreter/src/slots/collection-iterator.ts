// Iterators of Map and Set. Each is a guest object with a host iterator in its slots.

import type { Slots } from "../guest-value.ts";

/** The result of each step: the key, the value or both. */
export type CollectionIterationKind = "entries" | "keys" | "values";

/** Whether an iterator belongs to a Map or a Set. */
export type CollectionIteratorType = "map-iterator" | "set-iterator";

/** The collection to iterate over. */
type Collection = Map<unknown, unknown> | Set<unknown>;

/** The slots of an iterator of a Map or Set. */
export class CollectionIteratorSlots implements Slots {
  readonly type: CollectionIteratorType;
  readonly kind: CollectionIterationKind;
  readonly collection: Collection;
  /** How many entries the iterator has returned. */
  given = 0;
  /** The host iterator; null at the end. */
  entries: Iterator<[unknown, unknown]> | null;

  constructor(type: CollectionIteratorType, kind: CollectionIterationKind, collection: Collection) {
    this.type = type;
    this.kind = kind;
    this.collection = collection;
    this.entries = collection.entries();
  }

  get held(): readonly unknown[] {
    return this.entries ? [this.collection] : [];
  }
}

/**
 * Yields the entries that an iterator has not returned yet. To find them, skips as many entries of
 * the collection as the iterator has returned. If the program has since deleted some of those, too
 * many entries are skipped.
 */
export function* remainingEntries({
  collection,
  given,
  entries,
}: CollectionIteratorSlots): Iterable<readonly [unknown, unknown]> {
  let index = 0;
  if (entries) for (const entry of collection.entries()) if (index++ >= given) yield entry;
}
