// A regular expression is plain if the program has not replaced any of its methods, or of the
// methods of its prototype. Nearly all regular expressions are plain. For them, built-ins need not
// read properties such as `flags` or `exec`, because the values are known.

import type { GuestObject } from "../../guest-value.ts";
import { slotsOfKind } from "../../guest-value.ts";
import { setOrThrow } from "../../operations/property.ts";
import { RegExpPrototypeSlots, type RegExpSlots, regExpSlots } from "../../slots/regexp.ts";
import type { Realm } from "../realm.ts";

/** Returns the slots of a plain regular expression; undefined for all other objects. */
export function plainRegExpSlots(realm: Realm, regExp: GuestObject): RegExpSlots | undefined {
  const slots = regExpSlots(regExp);
  if (!slots || slots.isChanged) return undefined;
  const prototype = realm.intrinsic("RegExpPrototype");
  if (Object.getPrototypeOf(regExp) !== prototype) return undefined;
  if (slotsOfKind(prototype, RegExpPrototypeSlots)?.isChanged !== false) return undefined;
  // A plain assignment to `exec` is not recorded anywhere, so compare the property itself.
  return regExp["exec"] === realm.intrinsic("RegExpPrototypeExec") ? slots : undefined;
}

/** Sets `lastIndex` of a regular expression, which is always an own data property. */
export function setLastIndex(regExp: GuestObject, index: number): void {
  try {
    regExp["lastIndex"] = index;
  } catch {
    setOrThrow(regExp, "lastIndex", index);
  }
}
