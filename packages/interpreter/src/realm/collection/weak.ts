// WeakMap, WeakSet and WeakRef. A program must not be able to notice the host's garbage collector.
// So a WeakRef keeps its target in memory, and there is no FinalizationRegistry.

import { throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { call, isCallable, ordinaryCreateFromConstructor } from "../../operations/call.ts";
import { forEachOf } from "../../operations/iterator.ts";
import { get } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { SideTable } from "../../slots/side-table.ts";
import { brief, counted, defineConstructor, defineMethods, defineTag } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { isRegisteredSymbol } from "../symbol.ts";
import { addEntries } from "./map.ts";

/** The built-ins WeakMap, WeakSet and WeakRef. */
export const weakFamily: IntrinsicFamily = {
  intrinsics: ["WeakMapPrototype", "WeakSetPrototype", "WeakRefPrototype"],
  globals: ["WeakMap", "WeakSet", "WeakRef"],
  make(realm) {
    const map = makeWeakMap(realm);
    const set = makeWeakSet(realm);
    const ref = makeWeakRef(realm);
    return {
      intrinsics: { ...map.intrinsics, ...set.intrinsics, ...ref.intrinsics },
      globals: { ...map.globals, ...set.globals, ...ref.globals },
    };
  },
};

type Key = object;

class WeakMapSlots extends SideTable implements Slots {
  readonly type = "weak-map";
  readonly entries = new WeakMap<Key, unknown>();

  override valueFor(object: object): unknown {
    return this.entries.get(object);
  }
}

class WeakSetSlots implements Slots {
  readonly type = "weak-set";
  readonly values = new WeakSet<Key>();
}

class WeakRefSlots implements Slots {
  readonly type = "weak-ref";
  readonly target: Key;

  constructor(target: Key) {
    this.target = target;
  }

  get held(): readonly unknown[] {
    return [this.target];
  }
}

function makeWeakMap(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const entriesOf = (thisValue: unknown) =>
    slotsOfKind(thisValue, WeakMapSlots)?.entries ??
    throwTypeError(`a method of WeakMap was called on ${valueText(thisValue)}`);
  const weakMap = defineConstructor(realm, {
    name: "WeakMap",
    length: 0,
    cost: "counted",
    prototype,
    construct(newTarget, iterable) {
      realm.meter.allocate(192);
      const object = brand(ordinaryCreateFromConstructor(realm, newTarget, "WeakMapPrototype"), new WeakMapSlots());
      if (iterable !== undefined && iterable !== null) addEntries(realm, object, iterable, "set");
      return object;
    },
  });
  defineMethods(realm, prototype, {
    delete: brief((thisValue, key) => entriesOf(thisValue).delete(key)),
    get: counted((thisValue, key) => entriesOf(thisValue).get(key)),
    has: brief((thisValue, key) => entriesOf(thisValue).has(key)),
    set: counted((thisValue, key, value) => {
      const entries = entriesOf(thisValue);
      realm.meter.allocate(96);
      entries.set(heldWeakly(realm, key), value);
      return thisValue;
    }),
  });
  defineTag(prototype, "WeakMap");
  return { intrinsics: { WeakMapPrototype: prototype }, globals: { WeakMap: weakMap } };
}

function makeWeakSet(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const valuesOf = (thisValue: unknown) =>
    slotsOfKind(thisValue, WeakSetSlots)?.values ??
    throwTypeError(`a method of WeakSet was called on ${valueText(thisValue)}`);
  const weakSet = defineConstructor(realm, {
    name: "WeakSet",
    length: 0,
    cost: "counted",
    prototype,
    construct(newTarget, iterable) {
      realm.meter.allocate(192);
      const object = brand(ordinaryCreateFromConstructor(realm, newTarget, "WeakSetPrototype"), new WeakSetSlots());
      if (iterable !== undefined && iterable !== null) addValues(realm, object, iterable);
      return object;
    },
  });
  defineMethods(realm, prototype, {
    add: counted((thisValue, value) => {
      const values = valuesOf(thisValue);
      realm.meter.allocate(64);
      values.add(heldWeakly(realm, value));
      return thisValue;
    }),
    delete: brief((thisValue, value) => valuesOf(thisValue).delete(value)),
    has: brief((thisValue, value) => valuesOf(thisValue).has(value)),
  });
  defineTag(prototype, "WeakSet");
  return { intrinsics: { WeakSetPrototype: prototype }, globals: { WeakSet: weakSet } };
}

function makeWeakRef(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const weakRef = defineConstructor(realm, {
    name: "WeakRef",
    length: 1,
    cost: "counted",
    prototype,
    construct(newTarget, target) {
      const held = heldWeakly(realm, target);
      realm.meter.allocate(32);
      return brand(ordinaryCreateFromConstructor(realm, newTarget, "WeakRefPrototype"), new WeakRefSlots(held));
    },
  });
  defineMethods(realm, prototype, {
    deref: brief((thisValue) => {
      const slots = slotsOfKind(thisValue, WeakRefSlots);
      return slots ? slots.target : throwTypeError(`deref was called on ${valueText(thisValue)}`);
    }),
  });
  defineTag(prototype, "WeakRef");
  return { intrinsics: { WeakRefPrototype: prototype }, globals: { WeakRef: weakRef } };
}

function addValues(realm: Realm, set: GuestObject, iterable: unknown): void {
  const adder = get(set, "add");
  if (!isCallable(adder)) return throwTypeError('"add" is not a function');
  forEachOf(realm, iterable, (value) => {
    call(adder, set, value);
  });
}

/**
 * Returns a value that can be a weak key: an object, or a symbol that is not from `Symbol.for`.
 * @throws a guest TypeError for other values
 */
function heldWeakly(realm: Realm, value: unknown): Key {
  if (isObject(value)) return value;
  if (typeof value === "symbol" && !isRegisteredSymbol(realm, value)) return value as unknown as Key; // hosts accept such symbols as weak keys
  return throwTypeError(`${valueText(value)} cannot be held weakly; use an object`);
}
