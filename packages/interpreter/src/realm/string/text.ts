// Texts that methods of strings are called on, look for and make.

import { throwTypeError } from "../../guest-throw.ts";
import { requireObjectCoercible, toStringValue } from "../../operations/conversion.ts";
import type { Realm } from "../realm.ts";
import { isRegExp } from "../regexp/is-regexp.ts";

/** The text that a method of strings was called on. */
export function thisText(thisValue: unknown, method: string): string {
  if (typeof thisValue === "string") return thisValue;
  return toStringValue(requireObjectCoercible(thisValue, `String.prototype.${method}`));
}

/** Pays for the host to go through a text once. */
export function chargeText(realm: Realm, length: number): void {
  realm.meter.charge(length >>> 5);
}

/** A text that was just made, paid for. */
export function countedText(realm: Realm, text: string): string {
  realm.meter.allocate(2 * text.length + 24);
  return text;
}

/** The text to look for. @throws a guest TypeError for regular expressions */
export function soughtText(value: unknown, method: string): string {
  if (isRegExp(value)) return throwTypeError(`"${method}" takes text, not a regular expression`);
  return toStringValue(value);
}
