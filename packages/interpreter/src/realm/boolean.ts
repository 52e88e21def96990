// Boolean: the constructor and the prototype.

import { throwTypeError } from "../guest-throw.ts";
import { brand, slotsOfKind } from "../guest-value.ts";
import { ordinaryCreateFromConstructor } from "../operations/call.ts";
import { PrimitiveSlots } from "../operations/conversion.ts";
import { noteIfPromise } from "../operations/promise-watch.ts";
import { brief, defineConstructor, defineMethods } from "./define.ts";
import type { IntrinsicFamily, MadeFamily } from "./intrinsics.ts";
import type { Realm } from "./realm.ts";

/** The built-in Boolean. */
export const booleanFamily: IntrinsicFamily = {
  intrinsics: ["BooleanPrototype"],
  globals: ["Boolean"],
  make: makeBoolean,
};

function makeBoolean(realm: Realm): MadeFamily {
  const prototype = brand(realm.newObject(), new PrimitiveSlots(false));
  const boolean = defineConstructor(realm, {
    name: "Boolean",
    length: 1,
    cost: "counted",
    prototype,
    construct: (newTarget, value) =>
      brand(ordinaryCreateFromConstructor(realm, newTarget, "BooleanPrototype"), new PrimitiveSlots(Boolean(value))),
    call: (_thisValue, value) =>
      Boolean(noteIfPromise(realm, value, "was converted to a boolean, where every promise is true")),
  });
  defineMethods(realm, prototype, {
    toString: brief((thisValue: unknown) => String(booleanOf(thisValue))),
    valueOf: brief((thisValue: unknown) => booleanOf(thisValue)),
  });
  return { intrinsics: { BooleanPrototype: prototype }, globals: { Boolean: boolean } };
}

function booleanOf(thisValue: unknown): boolean {
  if (typeof thisValue === "boolean") return thisValue;
  const value = slotsOfKind(thisValue, PrimitiveSlots)?.value;
  return typeof value === "boolean" ? value : throwTypeError("a method of booleans was called on something else");
}
