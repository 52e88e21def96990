// Regular expressions as nearly all are: nobody has given them, or their prototype, other methods.
// What the language has built-ins ask of such a one by its properties is known.

import type { GuestObject } from "../../guest-value.ts";
import { slotsOfKind } from "../../guest-value.ts";
import { setOrThrow } from "../../operations/property.ts";
import { RegExpPrototypeSlots, type RegExpSlots, regExpSlots } from "../../slots/regexp.ts";
import type { Realm } from "../realm.ts";

/** The slots of a plain regular expression; undefined for all other objects. */
export function plainRegExpSlots(realm: Realm, regExp: GuestObject): RegExpSlots | undefined {
  const slots = regExpSlots(regExp);
  if (!slots || slots.isChanged) return undefined;
  const prototype = realm.intrinsic("RegExpPrototype");
  if (Object.getPrototypeOf(regExp) !== prototype) return undefined;
  if (slotsOfKind(prototype, RegExpPrototypeSlots)?.isChanged !== false) return undefined;
  // A plain store changes it unseen.
  return regExp["exec"] === realm.intrinsic("RegExpPrototypeExec") ? slots : undefined;
}

/** Sets `lastIndex` of a regular expression, where it always is an own property with a value. */
export function setLastIndex(regExp: GuestObject, index: number): void {
  try {
    regExp["lastIndex"] = index;
  } catch {
    setOrThrow(regExp, "lastIndex", index);
  }
}
