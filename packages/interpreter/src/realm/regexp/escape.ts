// RegExp.escape: makes a pattern that matches exactly this text, at any place in a longer pattern.

import { throwTypeError } from "../../guest-throw.ts";
import { valueText } from "../../operations/text.ts";
import { requireStack } from "../../stack-room.ts";
import type { Realm } from "../realm.ts";
import { changeText } from "../string/host-text.ts";

/** Returns the pattern for a text. @throws a guest TypeError if it is not a string */
export function escapePattern(realm: Realm, text: unknown): string {
  if (typeof text !== "string") return throwTypeError(`RegExp.escape needs a string, got ${valueText(text)}`);
  requireStack(realm.meter.depth);
  realm.meter.charge(text.length >>> 2);
  // Charge for the list of all replaced pieces, which the host makes before it joins them.
  realm.meter.allocate(40 * text.length);
  // A letter or digit at the start is escaped, because it could become part of an escape before it,
  // such as \0 or \c.
  const first = /^[0-9A-Za-z]/.exec(text)?.[0] ?? "";
  const escape = (piece: string): string => piece.replace(special, escapeCharacter);
  return first.replace(/./, hexadecimal) + changeText(realm.meter, text.slice(first.length), false, escape);
}

const controls = new Map([
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
]);

// The characters to escape: pattern syntax, other punctuation, white space, line ends, and lone
// surrogates.
const special =
  /[\^$\\.*+?()[\]{}|/,\-=<>#&!%:;@~'`"\s]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escapeCharacter(character: string): string {
  if (/[\^$\\.*+?()[\]{}|/]/.test(character)) return `\\${character}`;
  return controls.get(character) ?? hexadecimal(character);
}

function hexadecimal(character: string): string {
  const digits = character.charCodeAt(0).toString(16);
  return digits.length > 2 ? `\\u${digits.padStart(4, "0")}` : `\\x${digits.padStart(2, "0")}`;
}
