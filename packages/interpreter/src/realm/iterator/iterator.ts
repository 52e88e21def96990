// Iterator: the abstract class, the prototype of all iterators, and Iterator.from. Methods such as
// `map` are in prototype-methods.ts.

import { throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { call, callWith, getMethod, getMethodOf, ordinaryCreateFromConstructor } from "../../operations/call.ts";
import { ordinaryHasInstance } from "../../operations/comparison.ts";
import { getIteratorFromMethod, type IteratorRecord, iteratorRecord } from "../../operations/iterator.ts";
import {
  createDataPropertyOrThrow,
  defineOwnProperty,
  getOwnProperty,
  type PropertyKeyValue,
  setOrThrow,
} from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { brief, counted, defineConstructor, defineMethods, withLength } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { defineIteratorHelpers } from "./prototype-methods.ts";

/** Iterator and the prototypes of iterators. */
export const iteratorFamily: IntrinsicFamily = {
  intrinsics: ["Iterator", "IteratorPrototype", "WrapForValidIteratorPrototype"],
  globals: ["Iterator"],
  make: makeIterator,
};

class WrappedIteratorSlots implements Slots {
  readonly type = "wrapped-iterator";
  readonly record: IteratorRecord;

  constructor(record: IteratorRecord) {
    this.record = record;
  }

  get held(): readonly unknown[] {
    return [this.record.iterator, this.record.next];
  }
}

function makeIterator(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  defineMethods(realm, prototype, { [Symbol.iterator]: brief((thisValue) => thisValue) });
  const wrapPrototype = makeWrapPrototype(realm, prototype);
  const iterator = defineConstructor(realm, {
    name: "Iterator",
    length: 0,
    cost: "counted",
    prototype,
    construct(newTarget) {
      if (newTarget === iterator) return throwTypeError("Iterator is abstract; extend it, or use Iterator.from");
      return ordinaryCreateFromConstructor(realm, newTarget, "IteratorPrototype");
    },
    statics: { from: counted((_thisValue, value) => iteratorFrom(realm, iterator, value)) },
  });
  defineIteratorHelpers(realm, prototype);
  defineWeirdProperty(realm, prototype, "constructor", "constructor", iterator);
  defineWeirdProperty(realm, prototype, Symbol.toStringTag, "[Symbol.toStringTag]", "Iterator");
  return {
    intrinsics: { Iterator: iterator, IteratorPrototype: prototype, WrapForValidIteratorPrototype: wrapPrototype },
    globals: { Iterator: iterator },
  };
}

/**
 * Returns the iterator of an iterable, or the object itself if it is an iterator. `strings` says
 * whether a string is accepted as an iterable.
 */
export function getIteratorFlattenable(realm: Realm, value: unknown, strings: "iterate" | "reject"): IteratorRecord {
  if (!isObject(value) && !(strings === "iterate" && typeof value === "string"))
    return throwTypeError(`${valueText(value)} is not iterable`);
  const method = getMethod(realm, value, Symbol.iterator);
  if (method) return getIteratorFromMethod(value, method);
  if (!isObject(value)) return throwTypeError(`${valueText(value)} is not an object`);
  return iteratorRecord(value);
}

function iteratorFrom(realm: Realm, iterator: GuestObject, value: unknown): GuestObject {
  const record = getIteratorFlattenable(realm, value, "iterate");
  if (ordinaryHasInstance(iterator, record.iterator)) return record.iterator;
  return brand(realm.newObjectFrom("WrapForValidIteratorPrototype"), new WrappedIteratorSlots(record));
}

function makeWrapPrototype(realm: Realm, iteratorPrototype: GuestObject): GuestObject {
  const prototype = Object.create(iteratorPrototype) as GuestObject;
  return defineMethods(realm, prototype, {
    next: counted(
      withLength(0, (thisValue) => {
        const { record } = wrapped(thisValue, "next");
        return callWith(record.next, record.iterator, []);
      }),
    ),
    return: counted(
      withLength(0, (thisValue) => {
        const { iterator } = wrapped(thisValue, "return").record;
        const method = getMethodOf(iterator, "return");
        return method ? call(method, iterator) : realm.newIterResult(undefined, true);
      }),
    ),
  });
}

function wrapped(thisValue: unknown, method: string): WrappedIteratorSlots {
  return (
    slotsOfKind(thisValue, WrappedIteratorSlots) ??
    throwTypeError(`${method} was called on something that is not an iterator`)
  );
}

/**
 * Defines an accessor that makes a property of `home` read-only. The property of other objects,
 * such as those that inherit from `home`, can still be assigned: the setter then sets or defines an
 * own property of the other object.
 */
function defineWeirdProperty(
  realm: Realm,
  home: GuestObject,
  key: PropertyKeyValue,
  name: string,
  value: unknown,
): void {
  const setter = (thisValue: unknown, stored: unknown): void => {
    if (!isObject(thisValue)) return throwTypeError("only objects have properties to set");
    if (thisValue === home) return throwTypeError(`${name} of Iterator.prototype is read-only`);
    if (getOwnProperty(thisValue, key)) setOrThrow(thisValue, key, stored);
    else createDataPropertyOrThrow(thisValue, key, stored);
  };
  defineOwnProperty(home, key, {
    get: realm.newNativeFunction(`get ${name}`, 0, () => value),
    set: realm.newNativeFunction(`set ${name}`, 1, setter),
    enumerable: false,
    configurable: true,
  });
}
