// Methods of String.prototype such as match, replace and split. If the argument is a regular
// expression, they call one of its methods, such as Symbol.replace.

import { throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import { call, call2, getMethodOf, invoke, isCallable } from "../../operations/call.ts";
import { requireObjectCoercible, toStringValue, toUint32 } from "../../operations/conversion.ts";
import { get } from "../../operations/property.ts";
import type { MethodTable } from "../define.ts";
import { counted } from "../define.ts";
import type { Realm } from "../realm.ts";
import { regExpCreate } from "../regexp/create.ts";
import { isRegExp } from "../regexp/is-regexp.ts";
import { indexOfText } from "./host-text.ts";
import { getSubstitution } from "./substitution.ts";
import { chargeText, countedText } from "./text.ts";

/** Creates the methods that take a pattern. */
export function stringPatternMethods(realm: Realm): MethodTable {
  return {
    match: counted((thisValue, pattern) => matchBy(realm, thisValue, pattern, Symbol.match, "match", undefined)),
    matchAll: counted((thisValue, pattern) => {
      requireObjectCoercible(thisValue, "String.prototype.matchAll");
      requireGlobal(pattern, "matchAll");
      return matchBy(realm, thisValue, pattern, Symbol.matchAll, "matchAll", "g");
    }),
    replace: counted((thisValue, pattern, replacement) => {
      requireObjectCoercible(thisValue, "String.prototype.replace");
      const outcome = delegated(realm, pattern, Symbol.replace, thisValue, replacement);
      if (outcome) return outcome.value;
      return replaceText(realm, toStringValue(thisValue), toStringValue(pattern), replacement, false);
    }),
    replaceAll: counted((thisValue, pattern, replacement) => {
      requireObjectCoercible(thisValue, "String.prototype.replaceAll");
      requireGlobal(pattern, "replaceAll");
      const outcome = delegated(realm, pattern, Symbol.replace, thisValue, replacement);
      if (outcome) return outcome.value;
      return replaceText(realm, toStringValue(thisValue), toStringValue(pattern), replacement, true);
    }),
    search: counted((thisValue, pattern) => matchBy(realm, thisValue, pattern, Symbol.search, "search", undefined)),
    split: counted((thisValue, separator, limit) => {
      requireObjectCoercible(thisValue, "String.prototype.split");
      const outcome = delegated(realm, separator, Symbol.split, thisValue, limit);
      if (outcome) return outcome.value;
      const text = toStringValue(thisValue);
      const most = limit === undefined ? 2 ** 32 - 1 : toUint32(limit);
      const between = toStringValue(separator);
      if (most === 0) return realm.newArray();
      if (separator === undefined) return realm.newArray([text]);
      return realm.newArray(splitText(realm, text, between, most));
    }),
  };
}

interface Outcome {
  readonly value: unknown;
}

/** Calls the pattern's own method. Returns undefined if the pattern has no such method. */
function delegated(
  realm: Realm,
  pattern: unknown,
  key: symbol,
  thisValue: unknown,
  argument: unknown,
): Outcome | undefined {
  const method = isObject(pattern) ? getMethodOf(pattern, key) : undefined;
  return method && { value: call2(realm, method, pattern, thisValue, argument) };
}

function matchBy(
  realm: Realm,
  thisValue: unknown,
  pattern: unknown,
  key: symbol,
  method: string,
  flags: string | undefined,
): unknown {
  requireObjectCoercible(thisValue, `String.prototype.${method}`);
  const own = isObject(pattern) ? getMethodOf(pattern, key) : undefined;
  if (own) return call(own, pattern, thisValue);
  const text = toStringValue(thisValue);
  return invoke(realm, regExpCreate(realm, pattern, flags), key, text);
}

function requireGlobal(pattern: unknown, method: string): void {
  if (!isRegExp(pattern)) return;
  const flags = get(pattern as GuestObject, "flags"); // only objects can be regular expressions
  requireObjectCoercible(flags, method);
  if (!toStringValue(flags).includes("g")) throwTypeError(`"${method}" needs a regular expression with the flag "g"`);
}

function replaceText(realm: Realm, text: string, sought: string, replacement: unknown, isAll: boolean): string {
  const template = isCallable(replacement) ? undefined : toStringValue(replacement);
  let result = "";
  let end = 0;
  for (const position of positions(realm, text, sought, isAll)) {
    const put =
      template === undefined
        ? toStringValue(call(replacement, undefined, sought, position, text))
        : getSubstitution(template, { matched: sought, text, position, captures: [] });
    result += text.slice(end, position) + countedText(realm, put);
    end = position + sought.length;
  }
  return countedText(realm, result + text.slice(end));
}

/**
 * Returns the positions of `sought` in `text`, without overlaps. All are found before the first
 * replacement is computed.
 */
function positions(realm: Realm, text: string, sought: string, isAll: boolean): number[] {
  chargeText(realm, text.length + sought.length);
  const found: number[] = [];
  const advance = Math.max(1, sought.length);
  const next = (from: number) => indexOfText(realm.meter, text, sought, from);
  for (let place = next(0); place !== -1; place = next(place + advance)) {
    realm.meter.charge(1);
    realm.meter.allocate(8);
    found.push(place);
    if (!isAll || place + advance > text.length) break;
  }
  return found;
}

function splitText(realm: Realm, text: string, separator: string, most: number): string[] {
  chargeText(realm, text.length + separator.length);
  if (separator === "") return splitUnits(realm, text, most);
  const parts: string[] = [];
  let start = 0;
  let end = indexOfText(realm.meter, text, separator, 0);
  while (end !== -1) {
    realm.meter.charge(1);
    realm.meter.allocate(24);
    parts.push(text.slice(start, end));
    if (parts.length >= most) return parts;
    start = end + separator.length;
    end = indexOfText(realm.meter, text, separator, start);
  }
  parts.push(text.slice(start));
  return parts;
}

function splitUnits(realm: Realm, text: string, most: number): string[] {
  const count = Math.min(text.length, most);
  realm.meter.charge(count);
  realm.meter.allocateElements(count);
  const parts = new Array<string>(count); // The array is made with its length, because a list that grows by `push` would be moved in memory again and again.
  for (let index = 0; index < count; index++) parts[index] = text[index] as string; // `index` is less than the length
  return parts;
}
