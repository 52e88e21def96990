// Methods of String.prototype that search or read a string.

import { toIntegerOrInfinity, toNumber, toStringValue } from "../../operations/conversion.ts";
import { requireStack } from "../../stack-room.ts";
import { brief, counted, type MethodTable, withLength } from "../define.ts";
import { compareTexts } from "../intl/formats.ts";
import type { Realm } from "../realm.ts";
import { indexOfText } from "./host-text.ts";
import { chargeText, countedPart, soughtText, thisText } from "./text.ts";

/** Creates the methods that search a string, or read it at one position. */
export function stringSearchMethods(realm: Realm): MethodTable {
  return { ...placeMethods(realm), ...findingMethods(realm) };
}

function placeMethods(realm: Realm): MethodTable {
  return {
    at: brief((thisValue, position) => {
      const text = thisText(thisValue, "at");
      const index = toIntegerOrInfinity(position);
      return text[index < 0 ? text.length + index : index];
    }),
    charAt: brief((thisValue, position) => {
      const text = thisText(thisValue, "charAt");
      return countedPart(realm, text[toIntegerOrInfinity(position)] ?? "");
    }),
    charCodeAt: brief((thisValue, position) => {
      const text = thisText(thisValue, "charCodeAt");
      return text.charCodeAt(toIntegerOrInfinity(position));
    }),
    codePointAt: brief((thisValue, position) => {
      const text = thisText(thisValue, "codePointAt");
      return text.codePointAt(toIntegerOrInfinity(position));
    }),
  };
}

function findingMethods(realm: Realm): MethodTable {
  return {
    endsWith: counted(
      withLength(1, (thisValue, sought, end) => {
        const text = thisText(thisValue, "endsWith");
        const part = soughtText(sought, "endsWith");
        const limit = end === undefined ? text.length : toIntegerOrInfinity(end);
        chargeText(realm, part.length);
        return text.endsWith(part, limit);
      }),
    ),
    includes: counted(
      withLength(1, (thisValue, sought, from) => {
        const text = thisText(thisValue, "includes");
        const part = soughtText(sought, "includes");
        const start = toIntegerOrInfinity(from);
        chargeText(realm, text.length + part.length);
        return indexOfText(realm.meter, text, part, start) !== -1;
      }),
    ),
    indexOf: counted(
      withLength(1, (thisValue, sought, from) => {
        const text = thisText(thisValue, "indexOf");
        const part = toStringValue(sought);
        const start = toIntegerOrInfinity(from);
        chargeText(realm, text.length + part.length);
        return indexOfText(realm.meter, text, part, start);
      }),
    ),
    lastIndexOf: counted(
      withLength(1, (thisValue, sought, from) => {
        const text = thisText(thisValue, "lastIndexOf");
        const part = toStringValue(sought);
        const number = toNumber(from);
        // The charge is high, because the host may compare `part` with the text at each position.
        chargeText(realm, (text.length + 1) * (1 + (part.length >>> 3)));
        return text.lastIndexOf(part, number);
      }),
    ),
    localeCompare: counted(
      withLength(1, (thisValue, other, locales, options) => {
        const text = thisText(thisValue, "localeCompare");
        return compareTexts(realm, text, toStringValue(other), locales, options);
      }),
    ),
    startsWith: counted(
      withLength(1, (thisValue, sought, from) => {
        const text = thisText(thisValue, "startsWith");
        const part = soughtText(sought, "startsWith");
        const start = toIntegerOrInfinity(from);
        chargeText(realm, part.length);
        return text.startsWith(part, start);
      }),
    ),
    isWellFormed: counted((thisValue) => {
      const text = thisText(thisValue, "isWellFormed");
      chargeText(realm, text.length);
      requireStack(realm.meter.depth);
      return text.isWellFormed();
    }),
  };
}
