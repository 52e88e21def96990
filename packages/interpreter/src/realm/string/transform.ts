// Methods of String.prototype that return a new string.

import { throwRangeError } from "../../guest-throw.ts";
import { toIntegerOrInfinity, toLength, toStringValue } from "../../operations/conversion.ts";
import { requireStack } from "../../stack-room.ts";
import { brief, counted, type MethodTable, withLength } from "../define.ts";
import { changeCase } from "../intl/formats.ts";
import type { Realm } from "../realm.ts";
import { changeText, type NormalizationForm, normalizeText } from "./host-text.ts";
import { chargeText, countedPart, countedText, thisText } from "./text.ts";

/** Creates the methods that return a new string. */
export function stringTransformMethods(realm: Realm): MethodTable {
  return { ...buildingMethods(realm), ...cuttingMethods(realm), ...caseMethods(realm) };
}

// The maximum length of a string in V8. Other hosts allow longer strings.
const maxTextLength = 2 ** 29 - 24;

function buildingMethods(realm: Realm): MethodTable {
  return {
    concat: counted(
      withLength(1, (thisValue, ...parts) => {
        let text = thisText(thisValue, "concat");
        for (const part of parts) {
          text += toStringValue(part);
          realm.meter.allocate(2 * text.length);
        }
        return text;
      }),
    ),
    padEnd: counted(
      withLength(1, (thisValue, length, filler) => {
        const text = thisText(thisValue, "padEnd");
        return text + padding(realm, text, length, filler);
      }),
    ),
    padStart: counted(
      withLength(1, (thisValue, length, filler) => {
        const text = thisText(thisValue, "padStart");
        return padding(realm, text, length, filler) + text;
      }),
    ),
    repeat: counted((thisValue, count) => {
      const text = thisText(thisValue, "repeat");
      const times = toIntegerOrInfinity(count);
      if (times < 0 || times === Number.POSITIVE_INFINITY)
        return throwRangeError(`a string cannot be repeated ${times} times`);
      return repeated(realm, text, text.length * times, times);
    }),
    normalize: counted(
      withLength(0, (thisValue, form) => {
        const text = thisText(thisValue, "normalize");
        const name = form === undefined ? "NFC" : toStringValue(form);
        if (!["NFC", "NFD", "NFKC", "NFKD"].includes(name))
          return throwRangeError("the normalization form must be NFC, NFD, NFKC or NFKD");
        return normalizeText(realm.meter, text, name as NormalizationForm); // `name` is one of the four forms
      }),
    ),
    toWellFormed: counted((thisValue) => {
      const text = thisText(thisValue, "toWellFormed");
      chargeText(realm, text.length);
      requireStack(realm.meter.depth);
      return countedText(realm, text.toWellFormed());
    }),
  };
}

function cuttingMethods(realm: Realm): MethodTable {
  return {
    slice: brief((thisValue, start, end) => {
      const text = thisText(thisValue, "slice");
      const from = toIntegerOrInfinity(start);
      return countedPart(realm, text.slice(from, end === undefined ? text.length : toIntegerOrInfinity(end)));
    }),
    substr: brief((thisValue, start, length) => {
      const text = thisText(thisValue, "substr");
      const relative = toIntegerOrInfinity(start);
      const from = relative < 0 ? Math.max(text.length + relative, 0) : Math.min(relative, text.length);
      const count = length === undefined ? text.length : toIntegerOrInfinity(length);
      return countedPart(realm, text.slice(from, Math.min(from + Math.max(count, 0), text.length)));
    }),
    substring: brief((thisValue, start, end) => {
      const text = thisText(thisValue, "substring");
      const from = toIntegerOrInfinity(start);
      return countedPart(realm, text.substring(from, end === undefined ? text.length : toIntegerOrInfinity(end)));
    }),
    trim: counted((thisValue) => trimmed(realm, thisText(thisValue, "trim"), "trim")),
    trimEnd: counted((thisValue) => trimmed(realm, thisText(thisValue, "trimEnd"), "trimEnd")),
    trimStart: counted((thisValue) => trimmed(realm, thisText(thisValue, "trimStart"), "trimStart")),
  };
}

function caseMethods(realm: Realm): MethodTable {
  const changed = (thisValue: unknown, method: "toLowerCase" | "toUpperCase") => {
    const text = thisText(thisValue, method);
    chargeText(realm, text.length);
    const isContextual = method === "toLowerCase" && text.length > 1_000 && text.includes("\u03a3"); // The lower case of a Greek sigma depends on whether it ends a word.
    return countedText(
      realm,
      changeText(realm.meter, text, isContextual, (piece) => piece[method]()),
    );
  };
  return {
    toLocaleLowerCase: counted(
      withLength(0, (thisValue, locales) =>
        changeCase(realm, thisText(thisValue, "toLocaleLowerCase"), "toLocaleLowerCase", locales),
      ),
    ),
    toLocaleUpperCase: counted(
      withLength(0, (thisValue, locales) =>
        changeCase(realm, thisText(thisValue, "toLocaleUpperCase"), "toLocaleUpperCase", locales),
      ),
    ),
    toLowerCase: brief((thisValue) => changed(thisValue, "toLowerCase")),
    toUpperCase: brief((thisValue) => changed(thisValue, "toUpperCase")),
  };
}

function trimmed(realm: Realm, text: string, method: "trim" | "trimEnd" | "trimStart"): string {
  chargeText(realm, text.length);
  return countedPart(realm, text[method]());
}

function padding(realm: Realm, text: string, length: unknown, filler: unknown): string {
  const missing = toLength(length) - text.length;
  if (missing <= 0) return "";
  const fill = filler === undefined ? " " : toStringValue(filler);
  if (fill === "") return "";
  return repeated(realm, fill, text.length + missing, Math.ceil(missing / fill.length)).slice(0, missing);
}

// The bytes that `repeat` allocates in addition to the text, for intermediate strings: the host
// repeats a string by joining two copies, then two of the results, and so on.
const bytesOfRepeated = 72;

/** Repeats a string. `length` is the length of the result. */
function repeated(realm: Realm, text: string, length: number, times: number): string {
  if (length > maxTextLength) return throwRangeError(`a string of ${length} characters is too long`);
  realm.meter.charge(length >>> 8);
  realm.meter.allocate(bytesOfRepeated + 2 * length);
  return text.repeat(times);
}
