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
import { get, setOrThrow } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import type { RegExpMatch, RegExpSlots } from "../../slots/regexp.ts";
import { requireStack } from "../../stack-room.ts";
import { counted, defineMethods, defineTag, type MethodTable, named } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { getSubstitution } from "../string/substitution.ts";
import { countedText } from "../string/text.ts";
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
  readonly isGlobal: boolean;
  readonly isUnicode: boolean;
  isDone = false;

  constructor(regExp: GuestObject, text: string, flags: string) {
    this.regExp = regExp;
    this.text = text;
    this.isGlobal = flags.includes("g");
    this.isUnicode = isUnicodeMode(flags);
  }

  get held(): readonly unknown[] {
    return [this.regExp, this.text];
  }
}

function makeStringIterator(realm: Realm): MadeFamily {
  const prototype = realm.newObjectFrom("IteratorPrototype");
  defineMethods(realm, prototype, {
    next: counted((thisValue) => {
      const slots = slotsOfKind(thisValue, RegExpStringIteratorSlots);
      if (!slots) return throwTypeError("next was called on something that is not an iterator of matches");
      const result = nextMatch(realm, slots);
      return realm.newIterResult(result ?? undefined, result === null);
    }),
  });
  defineTag(prototype, "RegExp String Iterator");
  return { intrinsics: { RegExpStringIteratorPrototype: prototype } };
}

function nextMatch(realm: Realm, slots: RegExpStringIteratorSlots): GuestObject | null {
  if (slots.isDone) return null;
  const result = regExpExec(realm, slots.regExp, slots.text);
  if (result === null || !slots.isGlobal) slots.isDone = true;
  else moveOnIfEmpty(slots.regExp, result, slots.text, slots.isUnicode);
  return result;
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
  const slots = plainRegExpSlots(realm, regExp);
  if (slots?.flags.includes("g")) return allMatches(realm, regExp, slots, text);
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

function allMatches(realm: Realm, regExp: GuestObject, slots: RegExpSlots, text: string): GuestObject | null {
  const found: string[] = [];
  for (const { texts } of plainMatches(realm, regExp, slots, text)) found.push(texts[0] ?? "");
  return found.length === 0 ? null : realm.newArray(found);
}

/** Returns all matches of a plain global regular expression. Runs no guest code. */
function plainMatches(realm: Realm, regExp: GuestObject, slots: RegExpSlots, text: string): RegExpMatch[] {
  setLastIndex(regExp, 0);
  const isUnicode = isUnicodeMode(slots.flags);
  const found: RegExpMatch[] = [];
  requireStack(realm.meter.depth);
  const matcher = matcherOf(realm, slots);
  const isSticky = slots.flags.includes("y");
  for (let start = 0; ; ) {
    realm.meter.charge(1);
    const match = start > text.length ? null : matcher.match(realm.meter, text, start, isSticky);
    if (!match) return found;
    realm.meter.allocate(72 + 24 * match.texts.length);
    found.push(match);
    start = match.end === match.index ? advanceStringIndex(text, match.end, isUnicode) : match.end;
  }
}

function matchAll(realm: Realm, regExp: GuestObject, text: string): GuestObject {
  const species = speciesConstructor(regExp, realm.intrinsic("RegExp"));
  const flags = toStringValue(get(regExp, "flags"));
  const matcher = construct(species, [regExp, flags]);
  setOrThrow(matcher, "lastIndex", toLength(get(regExp, "lastIndex")));
  const slots = new RegExpStringIteratorSlots(matcher, text, flags);
  return brand(realm.newObjectFrom("RegExpStringIteratorPrototype"), slots);
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
  let result = "";
  let end = 0;
  for (const { matched, position, captures, namedCaptures } of whatToReplace(realm, regExp, text)) {
    const put =
      template === undefined
        ? toStringValue(
            captures.length === 0 && namedCaptures === undefined
              ? call3(realm, replacement, undefined, matched, position, text)
              : callWith(replacement, undefined, replacerArguments(matched, captures, position, text, namedCaptures)),
          )
        : getSubstitution(template, {
            matched,
            text,
            position,
            captures,
            namedCaptures: namedCaptures === undefined ? undefined : toObject(realm, namedCaptures),
          });
    realm.meter.charge(1);
    if (position < end) continue;
    result += text.slice(end, position) + countedText(realm, put);
    end = position + matched.length;
  }
  if (end >= text.length) return result;
  return countedText(realm, result + text.slice(end));
}

const noCaptures: readonly string[] = [];

/** A match with everything that `replace` needs. */
interface Found {
  readonly matched: string;
  readonly position: number;
  readonly captures: readonly (string | undefined)[];
  readonly namedCaptures: unknown;
}

function whatToReplace(realm: Realm, regExp: GuestObject, text: string): Iterable<Found> {
  const slots = plainRegExpSlots(realm, regExp);
  if (slots) requireStack(realm.meter.depth);
  const matches = slots && matcherOf(realm, slots).names.size === 0 ? plainlyMatched(realm, regExp, slots, text) : null;
  if (!matches) return readResults(realm, resultsToReplace(realm, regExp, text), text);
  return matches.map(({ index, texts }) => {
    realm.meter.charge(texts.length - 1);
    const captures = texts.length === 1 ? noCaptures : texts.slice(1);
    return { matched: texts[0] ?? "", position: index, captures, namedCaptures: undefined };
  });
}

/** Returns the matches to replace, or null if guest code may need to see match objects. */
function plainlyMatched(
  realm: Realm,
  regExp: GuestObject,
  slots: RegExpSlots,
  text: string,
): readonly RegExpMatch[] | null {
  if (slots.flags.includes("g")) return plainMatches(realm, regExp, slots, text);
  if (!needsNoMatchObject(realm, slots)) return null;
  realm.meter.charge(operationsOfFlags + 1);
  const match = matchUnseen(realm, regExp, slots, text);
  return match ? [match] : [];
}

// The cost of reading the property `flags`, which calls a built-in, in operations.
const operationsOfFlags = 2;

/** Reads the match objects one by one when they are needed. Guest code may run before each read. */
function* readResults(realm: Realm, results: readonly GuestObject[], text: string): Iterable<Found> {
  for (const result of results) yield readResult(realm, result, text);
}

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

function readResult(realm: Realm, result: GuestObject, text: string): Found {
  const count = Math.max(lengthOfArrayLike(result) - 1, 0);
  const matched = toStringValue(get(result, 0));
  const position = Math.max(Math.min(toIntegerOrInfinity(get(result, "index")), text.length), 0);
  const captures: (string | undefined)[] = [];
  for (let index = 1; index <= count; index++) {
    realm.meter.charge(1);
    const capture = get(result, index);
    captures.push(capture === undefined ? undefined : toStringValue(capture));
  }
  return { matched, position, captures, namedCaptures: get(result, "groups") };
}

function replacerArguments(
  matched: string,
  captures: readonly (string | undefined)[],
  position: number,
  text: string,
  namedCaptures: unknown,
): unknown[] {
  const args: unknown[] = [matched, ...captures, position, text];
  if (namedCaptures !== undefined) args.push(namedCaptures);
  return args;
}

function split(realm: Realm, regExp: GuestObject, text: string, limit: unknown): GuestObject {
  const species = speciesConstructor(regExp, realm.intrinsic("RegExp"));
  const flags = toStringValue(get(regExp, "flags"));
  const splitter = construct(species, [regExp, flags.includes("y") ? flags : `${flags}y`]);
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
    const slots = plainRegExpSlots(realm, splitter);
    if (slots) {
      requireStack(realm.meter.depth);
      const match = matcherOf(realm, slots).match(realm.meter, text, place, false);
      if (!match || match.index >= text.length) break;
      if (match.end === start) {
        place = advanceStringIndex(text, match.index, isUnicode);
        continue;
      }
      parts.push(countedText(realm, text.slice(start, match.index)));
      if (parts.length === most) return parts;
      realm.meter.charge(match.texts.length);
      for (const capture of match.texts.slice(1)) {
        parts.push(capture);
        if (parts.length === most) return parts;
      }
      start = place = match.end;
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
