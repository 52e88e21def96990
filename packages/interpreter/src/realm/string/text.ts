// Helpers of string methods: they convert `this` and the string to search for, and charge for
// results.

import { throwTypeError } from "../../guest-throw.ts";
import { requireObjectCoercible, toStringValue } from "../../operations/conversion.ts";
import type { Realm } from "../realm.ts";
import { isRegExp } from "../regexp/is-regexp.ts";

/** Returns the string on which a method was called. */
export function thisText(thisValue: unknown, method: string): string {
  if (typeof thisValue === "string") return thisValue;
  return toStringValue(requireObjectCoercible(thisValue, `String.prototype.${method}`));
}

/** Charges for one pass of the host over a string. */
export function chargeText(realm: Realm, length: number): void {
  realm.meter.charge(length >>> 5);
}

/** Charges for a new string and returns it. */
export function countedText(realm: Realm, text: string): string {
  realm.meter.allocate(2 * text.length + 24);
  return text;
}

// The bytes of a part of a long text. They are few, because the part refers to the whole text, and
// no characters are copied.
const bytesOfPart = 32;

/**
 * Charges for a part of a text. A single character with a code below 256 costs nothing, because the
 * host keeps one shared string for each of these characters.
 */
export function countedPart(realm: Realm, part: string): string {
  if (part.length > 1 || part.charCodeAt(0) > 255) realm.meter.allocate(bytesOfPart);
  return part;
}

/** Returns the string to search for. @throws a guest TypeError for regular expressions */
export function soughtText(value: unknown, method: string): string {
  if (isRegExp(value)) return throwTypeError(`"${method}" takes text, not a regular expression`);
  return toStringValue(value);
}
