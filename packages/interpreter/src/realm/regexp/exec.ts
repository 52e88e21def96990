// Running regular expressions, under the spec's names.

import { throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import { call, isCallable } from "../../operations/call.ts";
import { toLength } from "../../operations/conversion.ts";
import { createDataPropertyOrThrow, get } from "../../operations/property.ts";
import { type RegExpMatch, type RegExpSlots, regExpSlots } from "../../slots/regexp.ts";
import { requireStack } from "../../stack-room.ts";
import type { Realm } from "../realm.ts";
import { matcherOf } from "./matcher-of.ts";
import { setLastIndex } from "./plain-regexp.ts";

/** Calls the object's own `exec`, or the built-in one. Gives a match object or null. */
export function regExpExec(realm: Realm, regExp: GuestObject, text: string): GuestObject | null {
  const exec = get(regExp, "exec");
  if (isCallable(exec) && exec !== realm.intrinsic("RegExpPrototypeExec")) {
    const result = call(exec, regExp, text);
    return result === null || isObject(result) ? result : throwTypeError('"exec" gave neither an object nor null');
  }
  const slots = regExpSlots(regExp);
  if (!slots) return throwTypeError("the receiver is not a regular expression");
  return regExpBuiltinExec(realm, regExp, slots, text);
}

/** `RegExp.prototype.exec`. */
export function regExpBuiltinExec(
  realm: Realm,
  regExp: GuestObject,
  slots: RegExpSlots,
  text: string,
): GuestObject | null {
  requireStack(realm.meter.depth);
  const { flags } = slots;
  const matcher = matcherOf(realm, slots);
  const start = toLength(regExp["lastIndex"]);
  const isSticky = flags.includes("y");
  const movesOn = isSticky || flags.includes("g");
  const hasIndices = flags.includes("d");
  const match =
    start > text.length && movesOn ? null : matcher.match(realm.meter, text, movesOn ? start : 0, isSticky, hasIndices);
  if (!match) {
    if (movesOn) setLastIndex(regExp, 0);
    return null;
  }
  if (movesOn) setLastIndex(regExp, match.end);
  return matchObject(realm, text, match, matcher.names);
}

/** The position after `index`, past a surrogate pair in Unicode mode. */
export function advanceStringIndex(text: string, index: number, isUnicode: boolean): number {
  const point = isUnicode ? text.codePointAt(index) : undefined;
  return index + (point !== undefined && point > 0xffff ? 2 : 1);
}

function matchObject(
  realm: Realm,
  text: string,
  { index, texts, ends }: RegExpMatch,
  names: ReadonlyMap<string, number>,
): GuestObject {
  const result: GuestObject = realm.newArray(texts);
  const groups = groupsObject(realm, names, texts);
  if (realm.intact) {
    result["index"] = index;
    result["input"] = text;
    result["groups"] = groups;
  } else {
    createDataPropertyOrThrow(result, "index", index);
    createDataPropertyOrThrow(result, "input", text);
    createDataPropertyOrThrow(result, "groups", groups);
  }
  if (ends) createDataPropertyOrThrow(result, "indices", indicesArray(realm, names, ends));
  return result;
}

function indicesArray(realm: Realm, names: ReadonlyMap<string, number>, ends: readonly number[]): GuestObject {
  const arrays: (GuestObject | undefined)[] = [];
  for (let group = 0; group < ends.length; group += 2) {
    arrays.push(ends[group] === -1 ? undefined : realm.newArray([ends[group], ends[group + 1]]));
  }
  const indices: GuestObject = realm.newArray(arrays);
  createDataPropertyOrThrow(indices, "groups", groupsObject(realm, names, arrays));
  return indices;
}

function groupsObject(
  realm: Realm,
  names: ReadonlyMap<string, number>,
  values: readonly unknown[],
): GuestObject | undefined {
  if (names.size === 0) return undefined;
  realm.meter.allocate(48 + 16 * names.size);
  const groups = Object.create(null) as GuestObject;
  for (const [name, index] of names) groups[name] = values[index];
  return groups;
}
