// The constructor String. This file also makes String.prototype from the methods of the other
// files. Guest strings are host strings. So the methods convert their arguments to primitives,
// charge for the work, and call the host's own methods.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, slotsOfKind } from "../../guest-value.ts";
import { lengthOfArrayLike, PrimitiveSlots, toNumber, toObject, toStringValue } from "../../operations/conversion.ts";
import { get } from "../../operations/property.ts";
import { brief, counted, defineConstructor, defineHidden, defineMethods, named, withLength } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { createStringIterator } from "./iterator.ts";
import { stringPatternMethods } from "./patterns.ts";
import { stringSearchMethods } from "./search.ts";
import { countedText, thisText } from "./text.ts";
import { stringTransformMethods } from "./transform.ts";

/** The built-in String. */
export const stringFamily: IntrinsicFamily = {
  intrinsics: ["StringPrototype"],
  globals: ["String"],
  make: makeString,
};

function makeString(realm: Realm): MadeFamily {
  const prototype = makePrototype(realm);
  const string = defineConstructor(realm, {
    name: "String",
    length: 1,
    cost: "counted",
    prototype,
    construct: (newTarget, ...args) => {
      const text = args.length === 0 ? "" : toStringValue(args[0]);
      return realm.newStringObject(text, newTarget);
    },
    call: (_thisValue, ...args) => {
      if (args.length === 0) return "";
      const [value] = args;
      if (typeof value === "string") return value;
      return countedText(realm, typeof value === "symbol" ? value.toString() : toStringValue(value));
    },
    statics: {
      fromCharCode: counted(
        withLength(1, (_thisValue, ...units) => {
          realm.meter.charge(units.length);
          let text = "";
          for (const unit of units) text += String.fromCharCode(toNumber(unit));
          return countedText(realm, text);
        }),
      ),
      fromCodePoint: counted(
        withLength(1, (_thisValue, ...points) => {
          realm.meter.charge(points.length);
          let text = "";
          for (const point of points) text += characterOf(toNumber(point));
          return countedText(realm, text);
        }),
      ),
      raw: counted(withLength(1, (_thisValue, template, ...substitutions) => raw(realm, template, substitutions))),
    },
  });
  return { intrinsics: { StringPrototype: prototype }, globals: { String: string } };
}

function makePrototype(realm: Realm): GuestObject {
  const host = new String("");
  Object.setPrototypeOf(host, realm.objectPrototype);
  const prototype = brand(host as unknown as GuestObject, new PrimitiveSlots("")); // the prototype has guest slots now
  defineMethods(realm, prototype, {
    ...stringSearchMethods(realm),
    ...stringTransformMethods(realm),
    ...stringPatternMethods(realm),
    toString: brief((thisValue: unknown) => textOf(thisValue)),
    valueOf: brief((thisValue: unknown) => textOf(thisValue)),
    [Symbol.iterator]: counted(
      named("[Symbol.iterator]", (thisValue) => createStringIterator(realm, thisText(thisValue, "[Symbol.iterator]"))),
    ),
  });
  defineHidden(prototype, "trimLeft", prototype["trimStart"]);
  defineHidden(prototype, "trimRight", prototype["trimEnd"]);
  return prototype;
}

function textOf(thisValue: unknown): string {
  if (typeof thisValue === "string") return thisValue;
  const value = slotsOfKind(thisValue, PrimitiveSlots)?.value;
  return typeof value === "string" ? value : throwTypeError("a method of strings was called on something else");
}

function characterOf(point: number): string {
  if (!Number.isInteger(point) || point < 0 || point > 0x10ffff) return throwRangeError(`${point} is not a code point`);
  return String.fromCodePoint(point);
}

function raw(realm: Realm, template: unknown, substitutions: readonly unknown[]): string {
  const cooked = toObject(realm, template);
  const literals = toObject(realm, get(cooked, "raw"));
  const length = lengthOfArrayLike(literals);
  let text = "";
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    text += countedText(realm, toStringValue(get(literals, index)));
    if (index + 1 < length && index < substitutions.length)
      text += countedText(realm, toStringValue(substitutions[index]));
  }
  return text;
}
