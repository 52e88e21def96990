// Runs regular expressions. The functions are named after the operations of the specification.

import { throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import { call, isCallable } from "../../operations/call.ts";
import { toLength } from "../../operations/conversion.ts";
import { createDataPropertyOrThrow, get } from "../../operations/property.ts";
import {
  endOfMatch,
  type RegExpMatch,
  type RegExpMatcher,
  type RegExpPattern,
  type RegExpSlots,
  regExpSlots,
} from "../../slots/regexp.ts";
import { requireStack } from "../../stack-room.ts";
import type { Realm } from "../realm.ts";
import { matcherOf } from "./matcher-of.ts";
import { plainRegExpSlots, setLastIndex } from "./plain-regexp.ts";

/** Calls the object's own `exec`, or the built-in one. Returns a match object or null. */
export function regExpExec(realm: Realm, regExp: GuestObject, text: string): GuestObject | null {
  const exec = ownExec(realm, regExp);
  return exec ? callExec(exec, regExp, text) : regExpBuiltinExec(realm, regExp, slotsOfReceiver(regExp), text);
}

/** Implements `RegExp.prototype.test`. If possible, makes no match object. */
export function regExpTest(realm: Realm, regExp: GuestObject, text: string): boolean {
  const slots = plainRegExpSlots(regExp);
  if (!slots || !needsNoMatchObject(realm, slots)) return regExpExec(realm, regExp, text) !== null;
  return matchUnseen(realm, regExp, slots, text) !== null;
}

/** Returns the method `exec` if a program has replaced the built-in one; otherwise null. */
function ownExec(realm: Realm, regExp: GuestObject): GuestObject | null {
  if (plainRegExpSlots(regExp)) return null;
  const exec = get(regExp, "exec");
  return isCallable(exec) && exec !== realm.intrinsic("RegExpPrototypeExec") ? exec : null;
}

function callExec(exec: GuestObject, regExp: GuestObject, text: string): GuestObject | null {
  const result = call(exec, regExp, text);
  return result === null || isObject(result) ? result : throwTypeError('"exec" returned neither an object nor null');
}

function slotsOfReceiver(regExp: GuestObject): RegExpSlots {
  return regExpSlots(regExp) ?? throwTypeError("the receiver is not a regular expression");
}

/** Implements `RegExp.prototype.exec`. */
export function regExpBuiltinExec(
  realm: Realm,
  regExp: GuestObject,
  { pattern }: RegExpSlots,
  text: string,
): GuestObject | null {
  requireStack(realm.meter.depth);
  const matcher = matcherOf(realm, pattern);
  const match = findMatch(realm, regExp, pattern, matcher, text);
  return match && matchObject(realm, text, match, matcher.names);
}

/**
 * Does the same as `exec`, for callers that do not expose the match object to guest code. The match
 * object is not created, but is charged as if it were. See {@link needsNoMatchObject}.
 */
export function matchUnseen(
  realm: Realm,
  regExp: GuestObject,
  { pattern }: RegExpSlots,
  text: string,
): RegExpMatch | null {
  requireStack(realm.meter.depth);
  const matcher = matcherOf(realm, pattern);
  const match = findMatch(realm, regExp, pattern, matcher, text);
  if (match) chargeMatchObject(realm, match, matcher);
  return match;
}

/** Says whether the match object need not be created if no guest code would see it. */
export function needsNoMatchObject(realm: Realm, { pattern }: RegExpSlots): boolean {
  return realm.intact && !pattern.hasIndices;
}

/** Charges for a match as if an object were made for it. */
function chargeMatchObject({ meter }: Realm, { length }: RegExpMatch, { names }: RegExpMatcher): void {
  meter.allocate(72);
  meter.allocateElements(length);
  if (names.size > 0) meter.allocate(bytesOfGroups(names));
}

const bytesOfGroups = (names: ReadonlyMap<string, number>): number => 48 + 16 * names.size;

/** Searches from the position at which `exec` starts, and sets `lastIndex`. */
function findMatch(
  realm: Realm,
  regExp: GuestObject,
  { isGlobal, isSticky, hasIndices }: RegExpPattern,
  matcher: RegExpMatcher,
  text: string,
): RegExpMatch | null {
  const start = toLength(regExp["lastIndex"]);
  const movesOn = isSticky || isGlobal;
  const match =
    start > text.length && movesOn ? null : matcher.match(realm.meter, text, movesOn ? start : 0, isSticky, hasIndices);
  if (!match) {
    if (movesOn) setLastIndex(regExp, 0);
    return null;
  }
  if (movesOn) setLastIndex(regExp, endOfMatch(match));
  return match;
}

/**
 * Returns the position after the character at `index`. In Unicode mode a surrogate pair is one
 * character.
 */
export function advanceStringIndex(text: string, index: number, isUnicode: boolean): number {
  const point = isUnicode ? text.codePointAt(index) : undefined;
  return index + (point !== undefined && point > 0xffff ? 2 : 1);
}

function matchObject(realm: Realm, text: string, match: RegExpMatch, names: ReadonlyMap<string, number>): GuestObject {
  const { index, ends } = match;
  const result: GuestObject = realm.newArray(match);
  const groups = groupsObject(realm, names, match);
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
  realm.meter.allocate(bytesOfGroups(names));
  const groups = Object.create(null) as GuestObject;
  for (const [name, index] of names) groups[name] = values[index];
  return groups;
}
