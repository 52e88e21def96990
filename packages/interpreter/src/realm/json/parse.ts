// JSON.parse. The host parses the text, and its values are rebuilt as guest values. If the host
// refuses the text, the scanner in this file finds the error, because error messages must be the
// same in all engines.

import { throwError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { chargeGuest } from "../../limits.ts";
import { keepReferences, longNumberList } from "../../long-lists.ts";
import { beforeStore, mayBeIndex } from "../../operations/holes.ts";
import { noteKeys } from "../../operations/many-keys.ts";
import { bytesOfProperties } from "../../operations/object-bytes.ts";
import { createDataProperty } from "../../operations/property.ts";
import { requireStack } from "../../stack-room.ts";
import type { Realm } from "../realm.ts";

// For texts of up to this length, there is no check for enough memory before the host parses the
// text, because it makes only few values.
const shortText = 1 << 16;
// The maximum number of bytes of an object or array that the host's JSON.parse makes, without its
// content.
const bytesOfHostObject = 56;

/**
 * Returns the guest value of a JSON text. @throws a guest SyntaxError that says where the text is
 * wrong
 */
export function parseJson(realm: Realm, text: string): unknown {
  realm.meter.charge(text.length >>> 4);
  realm.meter.allocate(2 * text.length);
  realm.meter.requireTime(text.length >>> 1);
  if (text.length > shortText) realm.meter.requireRoom(bytesOfHostObject * openingsIn(text));
  return rebuild(realm, hostParse(text));
}

/**
 * Returns how many objects and arrays a JSON text contains at most. The number may be too high,
 * because brackets inside strings are counted too.
 */
const openingsIn = (text: string): number => occurrences(text, "{") + occurrences(text, "[");

/** Counts a character in a text with the host's search, which skips other characters quickly. */
function occurrences(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}

function hostParse(text: string): unknown {
  if (!hasEndsOfJson(text)) return refuse(text);
  try {
    return JSON.parse(text);
  } catch {
    // Replace the host's SyntaxError, because its message differs between engines.
    return refuse(text);
  }
}

function refuse(text: string): never {
  return throwError("SyntaxError", describeProblem(text));
}

/**
 * Says whether the first and last characters are possible in JSON. In most invalid texts they are
 * not, because such texts were cut off or are not JSON at all. For these texts, this check avoids
 * the host's SyntaxError, because creating that error would take longer than all other work.
 */
function hasEndsOfJson(text: string): boolean {
  const first = skipBlanks(text, 0);
  if (first === text.length) return false;
  const last = text.charAt(lastOfValue(text));
  switch (text.charAt(first)) {
    case "{":
      return last === "}";
    case "[":
      return last === "]";
    case '"':
      return last === '"';
    default:
      return "tfn-0123456789".includes(text.charAt(first));
  }
}

/**
 * Returns the position of the first character after white space, from `start` on, or the text's
 * length.
 */
function skipBlanks(text: string, start: number): number {
  let position = start;
  while (position < text.length && isBlank(text.charCodeAt(position))) position++;
  return position;
}

function lastOfValue(text: string): number {
  let position = text.length - 1;
  while (isBlank(text.charCodeAt(position))) position--;
  return position;
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

/** Converts a value that the host's JSON.parse returned to a guest value. */
function rebuild(realm: Realm, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { meter } = realm;
  if (++meter.depth > meter.maxDepth) meter.stop("call-depth");
  const rebuilt = Array.isArray(value)
    ? rebuildArray(realm, value)
    : rebuildObject(realm, value as { readonly [key: string]: unknown }); // all other values of JSON are objects
  meter.depth--;
  return rebuilt;
}

function rebuildArray(realm: Realm, values: readonly unknown[]): GuestObject {
  realm.meter.charge(values.length);
  const array = realm.newArray();
  realm.meter.allocateElements(values.length);
  if (values.length >= longNumberList) keepReferences(array);
  for (let index = 0; index < values.length; index++) {
    if (realm.intact) array[index] = rebuild(realm, values[index]);
    else createDataProperty(array, index, rebuild(realm, values[index]));
  }
  return array;
}

function rebuildObject(realm: Realm, fields: { readonly [key: string]: unknown }): GuestObject {
  const object = realm.newObject();
  const keys = Object.keys(fields);
  noteKeys(object, keys.length);
  realm.meter.allocate(bytesOfProperties(keys.length));
  for (const key of keys) {
    realm.meter.charge(1);
    const value = rebuild(realm, fields[key]);
    if (mayBeIndex(key)) beforeStore(object, key, value);
    if (realm.intact && key !== "__proto__") object[key] = value;
    else createDataProperty(object, key, value);
  }
  return object;
}

// The maximum length of a text in which the position of the error is searched. In a longer text,
// the search would take too long.
const maxScannedLength = 1_000_000;

function describeProblem(text: string): string {
  if (text.length > maxScannedLength) return "the text is not valid JSON";
  chargeGuest(4 * text.length);
  requireStack();
  const position = new JsonScanner(text).problem();
  const before = text.slice(0, position);
  const line = before.split("\n").length;
  const column = position - before.lastIndexOf("\n");
  const found = position < text.length ? `unexpected ${JSON.stringify(text[position])}` : "unexpected end";
  const around = text.slice(Math.max(0, position - 20), position + 20).replace(/[\n\r\t]/g, escapeOf);
  return `the text is not valid JSON: ${found} at line ${line}, column ${column}, near \`${around}\``;
}

const escapeOf = (letter: string): string => JSON.stringify(letter).slice(1, -1);

const charactersOfString = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const otherPrimitive = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

// Finds the first error in a JSON text. Uses a stack of open brackets instead of recursion.
class JsonScanner {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the position of the first error, or the text's length if the text ends too early. */
  problem(): number {
    const open: string[] = [];
    for (;;) {
      if (!this.#valueOrOpening(open)) return this.#position;
      for (;;) {
        this.#skipBlanks();
        const innermost = open.at(-1);
        if (innermost === undefined) return this.#position;
        if (this.#take(innermost)) {
          open.pop();
          continue;
        }
        if (!this.#take(",")) return this.#position;
        if (innermost === "}" && !this.#key()) return this.#position;
        break;
      }
    }
  }

  /** Reads a whole value, or only the opening bracket of an array or object that is not empty. */
  #valueOrOpening(open: string[]): boolean {
    for (;;) {
      this.#skipBlanks();
      const closing = this.#take("[") ? "]" : this.#take("{") ? "}" : undefined;
      if (closing === undefined) return this.#primitive();
      this.#skipBlanks();
      if (this.#take(closing)) return true;
      open.push(closing);
      if (closing === "}" && !this.#key()) return false;
    }
  }

  #key(): boolean {
    this.#skipBlanks();
    if (!this.#string()) return false;
    this.#skipBlanks();
    return this.#take(":");
  }

  #primitive(): boolean {
    if (this.#text[this.#position] === '"') return this.#string();
    return this.#skip(otherPrimitive);
  }

  #string(): boolean {
    if (!this.#take('"')) return false;
    this.#skip(charactersOfString);
    return this.#take('"');
  }

  #take(letter: string): boolean {
    if (this.#text[this.#position] !== letter) return false;
    this.#position++;
    return true;
  }

  #skipBlanks(): void {
    this.#position = skipBlanks(this.#text, this.#position);
  }

  /** Moves past text that matches `shape`, which must be a sticky pattern (with the flag "y"). */
  #skip(shape: RegExp): boolean {
    shape.lastIndex = this.#position;
    const isThere = shape.test(this.#text);
    if (isThere) this.#position = shape.lastIndex;
    return isThere;
  }
}
