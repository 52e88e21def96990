// The methods of RegExp.prototype that string methods call: Symbol.match, matchAll, replace, search
// and split.

import { throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { call3, callWith, construct, isCallable, speciesConstructor } from "../../operations/call.ts";
import {
  lengthOfArrayLike,
  toIntegerOrInfinity,
  toLength,
  toObject,
  toStringValue,
  toUint32,
} from "../../operations/conversion.ts";
import { iterationEnd } from "../../operations/iterator.ts";
import { get, setOrThrow } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { endOfMatch, type RegExpMatch, RegExpPattern, type RegExpSlots } from "../../slots/regexp.ts";
import { requireStack } from "../../stack-room.ts";
import { counted, defineMethods, defineTag, type MethodTable, named, nextMethod } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { getSubstitution, type MatchedText } from "../string/substitution.ts";
import { countedText } from "../string/text.ts";
import { newRegExpObject } from "./create.ts";
import { advanceStringIndex, matchUnseen, needsNoMatchObject, regExpBuiltinExec, regExpExec } from "./exec.ts";
import { matcherOf } from "./matcher-of.ts";
import { plainRegExpSlots, setLastIndex } from "./plain-regexp.ts";

/** Creates the methods whose keys are well-known symbols. */
export function regExpSymbolMethods(realm: Realm): MethodTable {
  return {
    [Symbol.match]: counted(
      named(
        "[Symbol.match]",
        (thisValue, value) => {
          const regExp = receiver(thisValue, "match");
          return match(realm, regExp, toStringValue(value));
        },
        1,
      ),
    ),
    [Symbol.matchAll]: counted(
      named(
        "[Symbol.matchAll]",
        (thisValue, value) => {
          const regExp = receiver(thisValue, "matchAll");
          return matchAll(realm, regExp, toStringValue(value));
        },
        1,
      ),
    ),
    [Symbol.replace]: counted(
      named(
        "[Symbol.replace]",
        (thisValue, value, replacement) => {
          const regExp = receiver(thisValue, "replace");
          return replace(realm, regExp, toStringValue(value), replacement);
        },
        2,
      ),
    ),
    [Symbol.search]: counted(
      named(
        "[Symbol.search]",
        (thisValue, value) => {
          const regExp = receiver(thisValue, "search");
          return search(realm, regExp, toStringValue(value));
        },
        1,
      ),
    ),
    [Symbol.split]: counted(
      named(
        "[Symbol.split]",
        (thisValue, value, limit) => {
          const regExp = receiver(thisValue, "split");
          return split(realm, regExp, toStringValue(value), limit);
        },
        2,
      ),
    ),
  };
}

/** The intrinsic %RegExpStringIteratorPrototype%. */
export const regexpStringIteratorFamily: IntrinsicFamily = {
  intrinsics: ["RegExpStringIteratorPrototype"],
  make: makeStringIterator,
};

class RegExpStringIteratorSlots implements Slots {
  readonly type = "regexp-string-iterator";
  readonly regExp: GuestObject;
  readonly text: string;
  readonly flags: string;
  isDone = false;

  constructor(regExp: GuestObject, text: string, flags: string) {
    this.regExp = regExp;
    this.text = text;
    this.flags = flags;
  }

  get held(): readonly unknown[] {
    return [this.regExp, this.text];
  }
}

function makeStringIterator(realm: Realm): MadeFamily {
  const prototype = realm.newObjectFrom("IteratorPrototype");
  defineMethods(realm, prototype, {
    next: counted(nextMethod(realm, (iterator) => nextMatch(realm, iterator))),
  });
  defineTag(prototype, "RegExp String Iterator");
  return { intrinsics: { RegExpStringIteratorPrototype: prototype } };
}

function nextMatch(realm: Realm, iterator: unknown): unknown {
  const slots = slotsOfKind(iterator, RegExpStringIteratorSlots);
  if (!slots) return throwTypeError("next was called on something that is not an iterator of matches");
  if (slots.isDone) return iterationEnd;
  const result = regExpExec(realm, slots.regExp, slots.text);
  if (result === null || !slots.flags.includes("g")) slots.isDone = true;
  else moveOnIfEmpty(slots.regExp, result, slots.text, isUnicodeMode(slots.flags));
  return result ?? iterationEnd;
}

function receiver(thisValue: unknown, method: string): GuestObject {
  return isObject(thisValue) ? thisValue : throwTypeError(`${method} was called on ${valueText(thisValue)}`);
}

const isUnicodeMode = (flags: string): boolean => flags.includes("u") || flags.includes("v");

/**
 * After an empty match, moves `lastIndex` by one character, so that the next search starts there.
 * Returns the matched text.
 */
function moveOnIfEmpty(regExp: GuestObject, result: GuestObject, text: string, isUnicode: boolean): string {
  const matched = toStringValue(get(result, 0));
  if (matched === "") {
    const index = toLength(get(regExp, "lastIndex"));
    setOrThrow(regExp, "lastIndex", advanceStringIndex(text, index, isUnicode));
  }
  return matched;
}

function match(realm: Realm, regExp: GuestObject, text: string): GuestObject | null {
  const slots = plainRegExpSlots(regExp);
  if (slots?.pattern.isGlobal) return allMatches(realm, regExp, slots.pattern, text);
  if (slots) {
    realm.meter.charge(operationsOfFlags);
    return regExpBuiltinExec(realm, regExp, slots, text);
  }
  const flags = toStringValue(get(regExp, "flags"));
  if (!flags.includes("g")) return regExpExec(realm, regExp, text);
  setOrThrow(regExp, "lastIndex", 0);
  const found: string[] = [];
  for (;;) {
    realm.meter.charge(1);
    const result = regExpExec(realm, regExp, text);
    if (result === null) return found.length === 0 ? null : realm.newArray(found);
    found.push(moveOnIfEmpty(regExp, result, text, isUnicodeMode(flags)));
  }
}

function allMatches(realm: Realm, regExp: GuestObject, pattern: RegExpPattern, text: string): GuestObject | null {
  const found: string[] = [];
  forEachMatch(realm, regExp, pattern, text, (match) => void found.push(match[0]));
  return found.length === 0 ? null : realm.newArray(found);
}

/**
 * Calls `visit` for each match of a plain global regular expression. No guest code can change the
 * matches, not even if `visit` runs some.
 */
function forEachMatch(
  realm: Realm,
  regExp: GuestObject,
  pattern: RegExpPattern,
  text: string,
  visit: (match: RegExpMatch) => void,
): void {
  setLastIndex(regExp, 0);
  const { meter } = realm;
  const { isSticky, isUnicode } = pattern;
  requireStack(meter.depth);
  const matcher = matcherOf(realm, pattern);
  for (let start = 0; ; ) {
    meter.charge(1);
    const match = start > text.length ? null : matcher.match(meter, text, start, isSticky);
    if (!match) return;
    meter.allocate(72 + 24 * match.length);
    const end = endOfMatch(match);
    start = end === match.index ? advanceStringIndex(text, end, isUnicode) : end;
    visit(match);
  }
}

function matchAll(realm: Realm, regExp: GuestObject, text: string): GuestObject {
  const species = speciesConstructor(regExp, realm.intrinsic("RegExp"));
  const flags = toStringValue(get(regExp, "flags"));
  const matcher = copyOf(realm, regExp, species, flags);
  setOrThrow(matcher, "lastIndex", toLength(get(regExp, "lastIndex")));
  const slots = new RegExpStringIteratorSlots(matcher, text, flags);
  return brand(realm.newObjectFrom("RegExpStringIteratorPrototype"), slots);
}

/** Returns `new species(regExp, flags)`. A plain copy uses the same matcher. */
function copyOf(realm: Realm, regExp: GuestObject, species: GuestObject, flags: string): GuestObject {
  const slots = species === realm.intrinsic("RegExp") ? plainRegExpSlots(regExp) : undefined;
  if (!slots) return construct(species, [regExp, flags]);
  const pattern = new RegExpPattern(slots.pattern.source, flags);
  pattern.matcher = slots.pattern.matcher;
  return newRegExpObject(realm, pattern);
}

function search(realm: Realm, regExp: GuestObject, text: string): unknown {
  const before = get(regExp, "lastIndex");
  if (!Object.is(before, 0)) setOrThrow(regExp, "lastIndex", 0);
  const result = regExpExec(realm, regExp, text);
  if (!Object.is(get(regExp, "lastIndex"), before)) setOrThrow(regExp, "lastIndex", before);
  return result === null ? -1 : get(result, "index");
}

function replace(realm: Realm, regExp: GuestObject, text: string, replacement: unknown): string {
  const template = isCallable(replacement) ? undefined : toStringValue(replacement);
  const isFixed = template !== undefined && !template.includes("$");
  let result = "";
  let end = 0;
  const putAt = (position: number, matched: string, put: string): void => {
    realm.meter.charge(1);
    if (position < end) return;
    result += text.slice(end, position) + countedText(realm, put);
    end = position + matched.length;
  };
  const putFor = (match: MatchedText): string =>
    template === undefined
      ? toStringValue(callWith(replacement, undefined, replacerArguments(match)))
      : getSubstitution(template, match);
  const putMatch = (match: RegExpMatch): void => {
    const { index: position, length } = match;
    const matched = match[0];
    realm.meter.charge(length - 1);
    if (isFixed) putAt(position, matched, template);
    else if (length === 1 && template === undefined)
      putAt(position, matched, toStringValue(call3(realm, replacement, undefined, matched, position, text)));
    else putAt(position, matched, putFor({ matched, text, position, captures: match.slice(1) }));
  };
  const slots = plainRegExpSlots(regExp);
  if (!slots || !replacePlainly(realm, regExp, slots, text, putMatch)) {
    for (const result of resultsToReplace(realm, regExp, text)) {
      const found = readResult(realm, result, text, template !== undefined);
      putAt(found.position, found.matched, putFor(found));
    }
  }
  if (end >= text.length) return result;
  return countedText(realm, result + text.slice(end));
}

/**
 * Calls `put` for each match to replace. Returns false if guest code may need to see match objects.
 */
function replacePlainly(
  realm: Realm,
  regExp: GuestObject,
  slots: RegExpSlots,
  text: string,
  put: (match: RegExpMatch) => void,
): boolean {
  requireStack(realm.meter.depth);
  if (matcherOf(realm, slots.pattern).names.size > 0) return false;
  if (slots.pattern.isGlobal) forEachMatch(realm, regExp, slots.pattern, text, put);
  else {
    if (!needsNoMatchObject(realm, slots)) return false;
    realm.meter.charge(operationsOfFlags + 1);
    const match = matchUnseen(realm, regExp, slots, text);
    if (match) put(match);
  }
  return true;
}

// The cost of reading the property `flags`, which calls a built-in, in operations.
const operationsOfFlags = 2;

function resultsToReplace(realm: Realm, regExp: GuestObject, text: string): GuestObject[] {
  const flags = toStringValue(get(regExp, "flags"));
  const isGlobal = flags.includes("g");
  if (isGlobal) setOrThrow(regExp, "lastIndex", 0);
  const results: GuestObject[] = [];
  for (;;) {
    realm.meter.charge(1);
    const result = regExpExec(realm, regExp, text);
    if (result === null) return results;
    results.push(result);
    if (!isGlobal) return results;
    moveOnIfEmpty(regExp, result, text, isUnicodeMode(flags));
  }
}

function readResult(realm: Realm, result: GuestObject, text: string, isForTemplate: boolean): MatchedText {
  const count = Math.max(lengthOfArrayLike(result) - 1, 0);
  const matched = toStringValue(get(result, 0));
  const position = Math.max(Math.min(toIntegerOrInfinity(get(result, "index")), text.length), 0);
  const captures: (string | undefined)[] = [];
  for (let index = 1; index <= count; index++) {
    realm.meter.charge(1);
    const capture = get(result, index);
    captures.push(capture === undefined ? undefined : toStringValue(capture));
  }
  const groups = get(result, "groups");
  const namedCaptures = isForTemplate && groups !== undefined ? toObject(realm, groups) : groups;
  return { matched, text, position, captures, namedCaptures };
}

function replacerArguments({ matched, captures, position, text, namedCaptures }: MatchedText): unknown[] {
  const args: unknown[] = [matched, ...captures, position, text];
  if (namedCaptures !== undefined) args.push(namedCaptures);
  return args;
}

function split(realm: Realm, regExp: GuestObject, text: string, limit: unknown): GuestObject {
  const species = speciesConstructor(regExp, realm.intrinsic("RegExp"));
  const flags = toStringValue(get(regExp, "flags"));
  const splitter = copyOf(realm, regExp, species, flags.includes("y") ? flags : `${flags}y`);
  const most = limit === undefined ? 2 ** 32 - 1 : toUint32(limit);
  if (most === 0) return realm.newArray();
  if (text === "") return realm.newArray(regExpExec(realm, splitter, text) === null ? [text] : []);
  return realm.newArray(splitParts(realm, splitter, text, most, isUnicodeMode(flags)));
}

function splitParts(realm: Realm, splitter: GuestObject, text: string, most: number, isUnicode: boolean): unknown[] {
  const parts: unknown[] = [];
  let start = 0;
  let place = 0;
  while (place < text.length) {
    realm.meter.charge(1);
    const pattern = plainRegExpSlots(splitter)?.pattern;
    if (pattern) {
      requireStack(realm.meter.depth);
      const match = matcherOf(realm, pattern).match(realm.meter, text, place, false);
      if (!match || match.index >= text.length) break;
      const end = endOfMatch(match);
      if (end === start) {
        place = advanceStringIndex(text, match.index, isUnicode);
        continue;
      }
      parts.push(countedText(realm, text.slice(start, match.index)));
      if (parts.length === most) return parts;
      realm.meter.charge(match.length);
      for (let group = 1; group < match.length; group++) {
        parts.push(match[group]);
        if (parts.length === most) return parts;
      }
      start = place = end;
      continue;
    }
    setOrThrow(splitter, "lastIndex", place);
    const result = regExpExec(realm, splitter, text);
    const end = result && Math.min(toLength(get(splitter, "lastIndex")), text.length);
    if (result === null || end === null || end === start) {
      place = advanceStringIndex(text, place, isUnicode);
      continue;
    }
    parts.push(countedText(realm, text.slice(start, place)));
    if (parts.length === most) return parts;
    start = end;
    for (let index = 1; index <= Math.max(lengthOfArrayLike(result) - 1, 0); index++) {
      realm.meter.charge(1);
      parts.push(get(result, index));
      if (parts.length === most) return parts;
    }
    place = start;
  }
  parts.push(text.slice(start));
  return parts;
}
