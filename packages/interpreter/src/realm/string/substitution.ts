// `$` patterns in replacement texts.

import type { GuestObject } from "../../guest-value.ts";
import { toStringValue } from "../../operations/conversion.ts";
import { get } from "../../operations/property.ts";
import { requireStack } from "../../stack-room.ts";

/** A match, as a replacement text sees it. */
export interface MatchedText {
  readonly matched: string;
  /** The whole text. */
  readonly text: string;
  readonly position: number;
  /** Groups 1 and up; undefined where one took no part. */
  readonly captures: readonly (string | undefined)[];
  readonly namedCaptures?: GuestObject | undefined;
}

/** The replacement with its `$` patterns filled in. */
export function getSubstitution(template: string, match: MatchedText): string {
  if (!template.includes("$")) return template;
  requireStack();
  return template.replace(/\$(?:[$&`']|\d\d?|<[^>]*>)/g, (reference) => substitute(reference, match));
}

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

function namedCapture(reference: string, match: MatchedText): string {
  // Without named groups "$<" stands for itself, and what is inside may hold references of its own.
  if (match.namedCaptures === undefined) return `$<${getSubstitution(reference.slice(2), match)}`;
  const value = get(match.namedCaptures, reference.slice(2, -1));
  return value === undefined ? "" : toStringValue(value);
}

/** `$12` is group 12 where there are so many, else group 1 and the digit "2". */
function numberedCapture(reference: string, captures: readonly (string | undefined)[]): string {
  const both = Number(reference.slice(1));
  if (both >= 1 && both <= captures.length) return captures[both - 1] ?? "";
  const first = Number(reference[1]);
  if (reference.length === 2 || first < 1 || first > captures.length) return reference;
  return (captures[first - 1] ?? "") + reference[2];
}
