// Plain regular expressions: the program has replaced no method of them or of their prototype.
// Nearly all regular expressions are plain. For them, built-ins need not read the properties that
// the specification requires, because their values are known.

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
  // A plain assignment can change `exec` unnoticed, so it is checked here.
  return regExp["exec"] === realm.intrinsic("RegExpPrototypeExec") ? slots : undefined;
}

/** Sets `lastIndex` of a regular expression. It is always an own data property. */
export function setLastIndex(regExp: GuestObject, index: number): void {
  try {
    regExp["lastIndex"] = index;
  } catch {
    setOrThrow(regExp, "lastIndex", index);
  }
}
