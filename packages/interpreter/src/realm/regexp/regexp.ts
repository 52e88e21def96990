// RegExp: the constructor and the accessors of the prototype. The methods that strings call are in
// symbols.ts.

import { throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject } from "../../guest-value.ts";
import { toStringValue } from "../../operations/conversion.ts";
import { get } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { RegExpPrototypeSlots, regExpSlots } from "../../slots/regexp.ts";
import { requireStack } from "../../stack-room.ts";
import { type AccessorTable, brief, counted, defineAccessors, defineConstructor, defineMethods } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { regExpAlloc, regExpInitialize } from "./create.ts";
import { escapePattern } from "./escape.ts";
import { regExpBuiltinExec, regExpTest } from "./exec.ts";
import { isRegExp } from "./is-regexp.ts";
import { plainRegExpSlots } from "./plain-regexp.ts";
import { regExpSymbolMethods } from "./symbols.ts";

/** The built-in RegExp. */
export const regexpFamily: IntrinsicFamily = {
  intrinsics: ["RegExp", "RegExpPrototype", "RegExpPrototypeExec"],
  globals: ["RegExp"],
  make: makeRegExp,
};

function makeRegExp(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const slots = new RegExpPrototypeSlots(prototype);
  brand(prototype, slots);
  const regExp = defineConstructor(realm, {
    name: "RegExp",
    length: 2,
    cost: "counted",
    prototype,
    construct: (newTarget, pattern, flags) => constructRegExp(realm, newTarget, pattern, flags),
    call: (_thisValue, pattern, flags) => {
      if (flags === undefined && isRegExp(pattern) && get(pattern as GuestObject, "constructor") === regExp)
        return pattern; // only objects can be regular expressions
      return constructRegExp(realm, regExp, pattern, flags);
    },
    statics: { escape: counted((_thisValue, text) => escapePattern(realm, text)) },
  });
  defineAccessors(realm, regExp, { [Symbol.species]: brief((thisValue) => thisValue) });
  defineMethods(realm, prototype, {
    exec: counted((thisValue, value) => {
      const slots = regExpSlots(thisValue);
      if (!slots) return throwTypeError("exec was called on something that is not a regular expression");
      return regExpBuiltinExec(realm, thisValue as GuestObject, slots, toStringValue(value)); // `thisValue` has slots, so it is an object
    }),
    test: counted((thisValue, value) => {
      if (!isObject(thisValue)) return throwTypeError(`test was called on ${valueText(thisValue)}`);
      return regExpTest(realm, thisValue, toStringValue(value));
    }),
    toString: counted((thisValue: unknown) => {
      if (!isObject(thisValue)) return throwTypeError(`toString was called on ${valueText(thisValue)}`);
      return `/${toStringValue(get(thisValue, "source"))}/${toStringValue(get(thisValue, "flags"))}`;
    }),
    compile: counted((thisValue, pattern, flags) => {
      const slots = regExpSlots(thisValue);
      if (!slots) return throwTypeError("compile was called on something that is not a regular expression");
      return initializeFrom(realm, thisValue as GuestObject, pattern, flags); // `thisValue` has slots, so it is an object
    }),
    ...regExpSymbolMethods(realm),
  });
  defineAccessors(realm, prototype, flagAccessors(realm, prototype));
  slots.exec = prototype["exec"];
  slots.isChanged = false;
  return {
    intrinsics: {
      RegExp: regExp,
      RegExpPrototype: prototype,
      RegExpPrototypeExec: prototype["exec"] as GuestObject, // defined just above
    },
    globals: { RegExp: regExp },
  };
}

function constructRegExp(realm: Realm, newTarget: GuestObject, pattern: unknown, flags: unknown): GuestObject {
  if (isRegExp(pattern) && !regExpSlots(pattern)) {
    const like = pattern as GuestObject; // only objects can be regular expressions
    const source = get(like, "source");
    const givenFlags = flags === undefined ? get(like, "flags") : flags;
    return regExpInitialize(realm, regExpAlloc(realm, newTarget), source, givenFlags);
  }
  return initializeFrom(realm, regExpAlloc(realm, newTarget), pattern, flags);
}

function initializeFrom(realm: Realm, object: GuestObject, pattern: unknown, flags: unknown): GuestObject {
  const slots = regExpSlots(pattern);
  if (!slots) return regExpInitialize(realm, object, pattern, flags);
  return regExpInitialize(realm, object, slots.pattern.source, flags === undefined ? slots.pattern.flags : flags);
}

const flagNames = [
  ["hasIndices", "d"],
  ["global", "g"],
  ["ignoreCase", "i"],
  ["multiline", "m"],
  ["dotAll", "s"],
  ["unicode", "u"],
  ["unicodeSets", "v"],
  ["sticky", "y"],
] as const;

function flagAccessors(realm: Realm, prototype: GuestObject): AccessorTable {
  const accessors: { [name: string]: AccessorTable[string] } = {
    flags: brief((thisValue) => {
      if (!isObject(thisValue)) return throwTypeError(`flags was read from ${valueText(thisValue)}`);
      const plain = plainRegExpSlots(thisValue)?.pattern.flags;
      if (plain !== undefined) return plain.length < 2 ? plain : [...plain].sort().join("");
      return flagNames.map(([name, flag]) => (get(thisValue, name) ? flag : "")).join("");
    }),
    source: counted((thisValue) => {
      const slots = regExpSlots(thisValue);
      if (slots) {
        realm.meter.charge(slots.pattern.source.length);
        return escapedSource(slots.pattern.source);
      }
      return thisValue === prototype
        ? "(?:)"
        : throwTypeError("source was read from something that is not a regular expression");
    }),
  };
  for (const [name, flag] of flagNames) {
    accessors[name] = brief((thisValue) => {
      const slots = regExpSlots(thisValue);
      if (slots) return slots.pattern.flags.includes(flag);
      return thisValue === prototype
        ? undefined
        : throwTypeError(`${name} was read from something that is not a regular expression`);
    });
  }
  return accessors;
}

const lineEnds = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\u2028", "\\u2028"],
  ["\u2029", "\\u2029"],
]);

/**
 * Returns the pattern as it would be in a literal. Escapes line ends, and those slashes that are
 * not in sets.
 */
function escapedSource(source: string): string {
  if (source === "") return "(?:)";
  let isInSet = false;
  requireStack();
  return source.replace(/\\?[\s\S]/g, (piece) => {
    const letter = piece.at(-1) ?? "";
    const lineEnd = lineEnds.get(letter);
    if (lineEnd) return lineEnd;
    if (piece === "[") isInSet = true;
    if (piece === "]") isInSet = false;
    return piece === "/" && !isInSet ? "\\/" : piece;
  });
}
