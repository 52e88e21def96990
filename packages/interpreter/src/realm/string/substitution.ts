// `$` patterns in the second argument of `replace`.

import type { GuestObject } from "../../guest-value.ts";
import { chargeReading, currentMeter } from "../../limits.ts";
import { countedKey, toStringValue } from "../../operations/conversion.ts";
import { get } from "../../operations/property.ts";

/** A match, with everything that a replacement text can refer to. */
export interface MatchedText {
  readonly matched: string;
  /** The whole text that contains the match. */
  readonly text: string;
  readonly position: number;
  /** The texts of groups 1 and up; undefined for a group that did not take part in the match. */
  readonly captures: readonly (string | undefined)[];
  readonly namedCaptures?: unknown;
}

// The cost of one `$` pattern: the host joins three texts, and copies the joined text later.
const operationsOfReference = 2;
const bytesOfReference = 128;

/**
 * Returns the replacement text with its `$` patterns replaced. Charges for the patterns; the caller
 * charges for the length of the result.
 */
export function getSubstitution(template: string, match: MatchedText): string {
  let place = template.indexOf("$");
  if (place === -1) return template;
  chargeReading(template.length);
  const meter = currentMeter();
  // Without named groups, "$<" is plain text.
  const lastClose = match.namedCaptures === undefined ? -1 : template.lastIndexOf(">");
  let result = "";
  let end = 0;
  for (; place !== -1; place = template.indexOf("$", end)) {
    meter?.charge(operationsOfReference);
    meter?.allocate(bytesOfReference);
    const reference = template.slice(place, endOfReference(template, place, lastClose));
    result += template.slice(end, place) + (reference === "$" ? "$" : substitute(reference, match));
    end = place + reference.length;
  }
  return result + template.slice(end);
}

/**
 * Returns the position after the `$` pattern that begins at `place`, or after the "$" if it is not
 * part of a pattern. `lastClose` is the position of the last ">" that can end a name.
 */
function endOfReference(template: string, place: number, lastClose: number): number {
  const mark = template[place + 1] ?? "";
  if (isDigit(mark)) return place + (isDigit(template[place + 2] ?? "") ? 3 : 2);
  if (mark !== "" && "$&`'".includes(mark)) return place + 2;
  return mark === "<" && place < lastClose ? template.indexOf(">", place) + 1 : place + 1;
}

const isDigit = (character: string): boolean => character >= "0" && character <= "9" && character.length === 1;

function substitute(reference: string, match: MatchedText): string {
  const { matched, text, position } = match;
  switch (reference[1]) {
    case "$":
      return "$";
    case "&":
      return matched;
    case "`":
      return text.slice(0, position);
    case "'":
      return text.slice(Math.min(position + matched.length, text.length));
    case "<":
      return namedCapture(reference, match);
    default:
      return numberedCapture(reference, match.captures);
  }
}

function namedCapture(reference: string, { namedCaptures }: MatchedText): string {
  const value = get(namedCaptures as GuestObject, countedKey(reference.slice(2, -1))); // without named groups, "$<" is plain text
  return value === undefined ? "" : toStringValue(value);
}

/**
 * Returns the text of a numbered group. `$12` is group 12 if there are at least 12 groups;
 * otherwise it is group 1 followed by the digit "2".
 */
function numberedCapture(reference: string, captures: readonly (string | undefined)[]): string {
  const both = Number(reference.slice(1));
  if (both >= 1 && both <= captures.length) return captures[both - 1] ?? "";
  const first = Number(reference[1]);
  if (reference.length === 2 || first < 1 || first > captures.length) return reference;
  return (captures[first - 1] ?? "") + reference[2];
}
