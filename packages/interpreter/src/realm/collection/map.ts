// Map. Its entries are in a host Map. So they are in the order that the specification requires,
// even if the Map is changed during an iteration.

import { throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject, slotsOfKind } from "../../guest-value.ts";
import { call2, call3, isCallable, ordinaryCreateFromConstructor, requireCallable } from "../../operations/call.ts";
import { chargeEntryKey } from "../../operations/conversion.ts";
import { forEachOf } from "../../operations/iterator.ts";
import { noteCallbackResult, noteIfPromise } from "../../operations/promise-watch.ts";
import { get } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { CollectionIteratorSlots } from "../../slots/collection-iterator.ts";
import { MapSlots } from "../../slots/map.ts";
import {
  brief,
  counted,
  defineAccessors,
  defineConstructor,
  defineHidden,
  defineMethods,
  defineTag,
  type MethodTable,
  withLength,
} from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import { groupBy } from "../object/object.ts";
import type { Realm } from "../realm.ts";
import { makeCollectionIteratorPrototype } from "./iterator.ts";

/** The built-in Map. */
export const mapFamily: IntrinsicFamily = {
  intrinsics: ["MapPrototype", "MapIteratorPrototype"],
  globals: ["Map"],
  make: makeMap,
};

// The bytes of an empty Map, and of each entry. An empty Map already has room for a few entries.
// When a Map is full, the host moves its entries to a hash table of twice the size.
const bytesOfMap = 240;
const bytesOfEntry = 56;

function makeMap(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const map = defineConstructor(realm, {
    name: "Map",
    length: 0,
    cost: "counted",
    prototype,
    construct(newTarget, iterable) {
      realm.meter.allocate(bytesOfMap);
      const object = brand(ordinaryCreateFromConstructor(realm, newTarget, "MapPrototype"), new MapSlots());
      if (iterable !== undefined && iterable !== null) addEntries(realm, object, iterable, "set");
      return object;
    },
    statics: { groupBy: counted((_thisValue, items, callback) => groupedMap(realm, items, callback)) },
  });
  defineAccessors(realm, map, { [Symbol.species]: brief((thisValue) => thisValue) });
  defineMethods(realm, prototype, mapMethods(realm));
  defineHidden(prototype, Symbol.iterator, prototype["entries"]);
  defineAccessors(realm, prototype, { size: brief((thisValue) => entriesOf(thisValue, "size").size) });
  defineTag(prototype, "Map");
  const iteratorPrototype = makeCollectionIteratorPrototype(realm, "map-iterator", "Map Iterator");
  return { intrinsics: { MapPrototype: prototype, MapIteratorPrototype: iteratorPrototype }, globals: { Map: map } };
}

function mapMethods(realm: Realm): MethodTable {
  const iterate = (thisValue: unknown, kind: "entries" | "keys" | "values") => {
    const collection = entriesOf(thisValue, kind);
    return brand(
      realm.newObjectFrom("MapIteratorPrototype"),
      new CollectionIteratorSlots("map-iterator", kind, collection),
    );
  };
  return {
    clear: brief((thisValue) => entriesOf(thisValue, "clear").clear()),
    delete: counted((thisValue, key) => entriesFor(thisValue, key, "delete").delete(key)),
    entries: brief((thisValue) => iterate(thisValue, "entries")),
    forEach: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const entries = entriesOf(thisValue, "forEach");
        const fn = requireCallable(callback, "forEach");
        for (const [key, value] of entries) {
          realm.meter.charge(1);
          noteCallbackResult(realm, call3(realm, fn, thisArg, value, key, thisValue), "forEach");
        }
      }),
    ),
    get: counted((thisValue, key) => {
      const value = entriesFor(thisValue, key, "get").get(key);
      if (value === undefined) noteIfPromise(realm, key, "was looked up as a key of a Map");
      return value;
    }),
    has: counted((thisValue, key) =>
      entriesFor(thisValue, key, "has").has(noteIfPromise(realm, key, "was looked up as a key of a Map")),
    ),
    keys: brief((thisValue) => iterate(thisValue, "keys")),
    set: counted((thisValue, key, value) => {
      const entries = entriesFor(thisValue, key, "set");
      noteIfPromise(realm, key, "was used as a key of a Map, where every promise is a different key");
      if (isFull(entries) && !entries.has(key)) realm.meter.allocate(bytesOfEntry * entries.size);
      entries.set(key, value);
      return thisValue;
    }),
    values: brief((thisValue) => iterate(thisValue, "values")),
  };
}

/** Calls `set` (or a similar method) of the collection for each `[key, value]` of an iterable. */
export function addEntries(realm: Realm, collection: GuestObject, iterable: unknown, adderName: string): void {
  const adder = get(collection, adderName);
  if (!isCallable(adder)) return throwTypeError(`"${adderName}" is not a function`);
  forEachOf(realm, iterable, (entry) => {
    if (!isObject(entry)) return throwTypeError(`an entry must be [key, value], got ${valueText(entry)}`);
    const key = get(entry, 0);
    const value = get(entry, 1);
    call2(realm, adder, collection, key, value);
  });
}

function groupedMap(realm: Realm, items: unknown, callback: unknown): GuestObject {
  const groups = groupBy(realm, items, callback, (key) => key);
  const slots = new MapSlots();
  for (const [key, values] of groups) {
    if (isFull(slots.entries)) realm.meter.allocate(bytesOfEntry * slots.entries.size);
    slots.entries.set(key, realm.newArray(values));
  }
  return brand(realm.newObjectFrom("MapPrototype"), slots);
}

/**
 * Says whether the host may move the entries to a larger hash table when the next one is added. The
 * caller charges for the move.
 */
const isFull = ({ size }: Map<unknown, unknown>): boolean => (size & (size - 1)) === 0;

/**
 * Returns the entries of a Map, and charges for looking up a key in it. @throws a guest TypeError
 * for anything else
 */
function entriesFor(thisValue: unknown, key: unknown, method: string): Map<unknown, unknown> {
  const entries = entriesOf(thisValue, method);
  chargeEntryKey(key, entries.size);
  return entries;
}

function entriesOf(thisValue: unknown, method: string): Map<unknown, unknown> {
  const slots = slotsOfKind(thisValue, MapSlots);
  return slots ? slots.entries : throwTypeError(`${method} was called on ${valueText(thisValue)}, which is not a Map`);
}
