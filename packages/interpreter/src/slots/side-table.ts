// Values that belong to objects but are not stored in them: the values of private names and of
// WeakMaps. Nobody can list these values. They can only be looked up for a known object.

/** A table of values. Each value belongs to an object, and is looked up by that object. */
export abstract class SideTable {
  readonly #isSideTable = true;

  /** Returns the value that belongs to an object, if there is one. Runs no guest code. */
  abstract valueFor(object: object): unknown;

  static is(object: object): object is SideTable {
    return #isSideTable in object && object.#isSideTable;
  }
}

/** Says whether an object is a side table. Calls no traps of proxies. */
export function isSideTable(object: object): object is SideTable {
  return SideTable.is(object);
}
