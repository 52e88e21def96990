// Set. Its values are in a host Set. So they are in the order that the specification requires, even
// if the Set is changed during an iteration.

import { throwTypeError } from "../../guest-throw.ts";
import { brand, slotsOfKind } from "../../guest-value.ts";
import { call, call3, isCallable, ordinaryCreateFromConstructor, requireCallable } from "../../operations/call.ts";
import { chargeEntryKey } from "../../operations/conversion.ts";
import { forEachOf } from "../../operations/iterator.ts";
import { noteCallbackResult, noteIfPromise } from "../../operations/promise-watch.ts";
import { get } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { CollectionIteratorSlots } from "../../slots/collection-iterator.ts";
import { SetSlots } from "../../slots/set.ts";
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
import type { Realm } from "../realm.ts";
import { makeCollectionIteratorPrototype } from "./iterator.ts";
import { setAlgebraMethods } from "./set-algebra.ts";

/** The built-in Set. */
export const setFamily: IntrinsicFamily = {
  intrinsics: ["SetPrototype", "SetIteratorPrototype"],
  globals: ["Set"],
  make: makeSet,
};

// The bytes of an empty Set, and of each value. An empty Set already has room for a few values.
// When a Set is full, the host moves its values to a hash table of twice the size.
const bytesOfSet = 200;
const bytesOfValue = 40;

function makeSet(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const set = defineConstructor(realm, {
    name: "Set",
    length: 0,
    cost: "counted",
    prototype,
    construct(newTarget, iterable) {
      realm.meter.allocate(bytesOfSet);
      const object = brand(ordinaryCreateFromConstructor(realm, newTarget, "SetPrototype"), new SetSlots());
      if (iterable === undefined || iterable === null) return object;
      const adder = get(object, "add");
      if (!isCallable(adder)) return throwTypeError('"add" is not a function');
      forEachOf(realm, iterable, (value) => {
        call(adder, object, value);
      });
      return object;
    },
  });
  defineAccessors(realm, set, { [Symbol.species]: brief((thisValue) => thisValue) });
  defineMethods(realm, prototype, { ...setMethods(realm), ...setAlgebraMethods(realm) });
  defineHidden(prototype, "keys", prototype["values"]);
  defineHidden(prototype, Symbol.iterator, prototype["values"]);
  defineAccessors(realm, prototype, { size: brief((thisValue) => valuesOf(thisValue, "size").size) });
  defineTag(prototype, "Set");
  const iteratorPrototype = makeCollectionIteratorPrototype(realm, "set-iterator", "Set Iterator");
  return { intrinsics: { SetPrototype: prototype, SetIteratorPrototype: iteratorPrototype }, globals: { Set: set } };
}

function setMethods(realm: Realm): MethodTable {
  const iterate = (thisValue: unknown, kind: "entries" | "values") => {
    const collection = valuesOf(thisValue, kind);
    return brand(
      realm.newObjectFrom("SetIteratorPrototype"),
      new CollectionIteratorSlots("set-iterator", kind, collection),
    );
  };
  return {
    add: counted((thisValue, value) => {
      const values = valuesFor(thisValue, value, "add");
      noteIfPromise(realm, value, "was added to a Set, where every promise is a different value");
      if (isFull(values) && !values.has(value)) realm.meter.allocate(bytesOfValue * values.size);
      values.add(value);
      return thisValue;
    }),
    clear: brief((thisValue) => valuesOf(thisValue, "clear").clear()),
    delete: counted((thisValue, value) => valuesFor(thisValue, value, "delete").delete(value)),
    entries: brief((thisValue) => iterate(thisValue, "entries")),
    forEach: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const values = valuesOf(thisValue, "forEach");
        const fn = requireCallable(callback, "forEach");
        for (const value of values) {
          realm.meter.charge(1);
          noteCallbackResult(realm, call3(realm, fn, thisArg, value, value, thisValue), "forEach");
        }
      }),
    ),
    has: counted((thisValue, value) =>
      valuesFor(thisValue, value, "has").has(noteIfPromise(realm, value, "was looked up in a Set")),
    ),
    values: brief((thisValue) => iterate(thisValue, "values")),
  };
}

/** Returns the values of a Set. @throws a guest TypeError for anything else */
export function valuesOf(thisValue: unknown, method: string): Set<unknown> {
  const slots = slotsOfKind(thisValue, SetSlots);
  return slots ? slots.values : throwTypeError(`${method} was called on ${valueText(thisValue)}, which is not a Set`);
}

/**
 * Returns the values of a Set, and charges for looking up a value in it. @throws a guest TypeError
 * for anything else
 */
function valuesFor(thisValue: unknown, value: unknown, method: string): Set<unknown> {
  const values = valuesOf(thisValue, method);
  chargeEntryKey(value, values.size);
  return values;
}

/**
 * Says whether the host may move the values to a larger hash table when the next one is added. The
 * caller charges for the move.
 */
const isFull = ({ size }: Set<unknown>): boolean => (size & (size - 1)) === 0;
