// A regular expression is plain if the program has not replaced any of its methods, or of the
// methods of its prototype. Nearly all regular expressions are plain. For them, built-ins need not
// read properties such as `flags` or `exec`, because the values are known.

import type { GuestObject } from "../../guest-value.ts";
import { setOrThrow } from "../../operations/property.ts";
import { type RegExpSlots, regExpSlots } from "../../slots/regexp.ts";

/** Returns the slots of a plain regular expression; undefined for all other values. */
export function plainRegExpSlots(value: unknown): RegExpSlots | undefined {
  const slots = regExpSlots(value);
  if (!slots || slots.isChanged) return undefined;
  const { home } = slots;
  if (home.isChanged || Object.getPrototypeOf(value) !== home.prototype) return undefined;
  // A plain assignment to `exec` is not recorded anywhere, so compare the property itself.
  return (value as GuestObject)["exec"] === home.exec ? slots : undefined; // `value` has slots, so it is an object
}

/** Sets `lastIndex` of a regular expression, which is always an own data property. */
export function setLastIndex(regExp: GuestObject, index: number): void {
  try {
    regExp["lastIndex"] = index;
  } catch {
    setOrThrow(regExp, "lastIndex", index);
  }
}
