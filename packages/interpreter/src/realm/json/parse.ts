// JSON.parse: the host reads the text, and its values are rebuilt as the guest's. Only when the
// host refuses is the text read by our own scanner, to say where and why in words that do not
// differ from engine to engine.

import { throwError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { chargeTurn } from "../../limits.ts";
import { noteKeys } from "../../operations/many-keys.ts";
import { createDataProperty } from "../../operations/property.ts";
import { requireStack } from "../../stack-room.ts";
import type { Realm } from "../realm.ts";

/** The guest value of a JSON text. @throws a guest SyntaxError that says where the text is wrong */
export function parseJson(realm: Realm, text: string): unknown {
  realm.meter.charge(text.length >>> 4);
  realm.meter.allocate(2 * text.length);
  realm.meter.foresee(text.length >>> 1);
  return rebuild(realm, hostParse(text));
}

function hostParse(text: string): unknown {
  if (!haveEndsOfJson(text)) return refuse(text);
  try {
    return JSON.parse(text);
  } catch {
    // The host's SyntaxError quotes differently in each engine.
    return refuse(text);
  }
}

function refuse(text: string): never {
  return throwError("SyntaxError", describeProblem(text));
}

/**
 * Whether the first and the last character may be those of a JSON text. They are not in most texts
 * that the host would refuse: those were cut off, or are not JSON at all. To make its SyntaxError
 * takes the host longer than all the rest.
 */
function haveEndsOfJson(text: string): boolean {
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

/** The position of the first character from `start` on that is not blank, or the text's length. */
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

/** A guest value for what the host's JSON.parse gave. */
function rebuild(realm: Realm, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { meter } = realm;
  if (++meter.depth > meter.maxDepth) meter.stop("call-depth");
  const rebuilt = Array.isArray(value)
    ? rebuildArray(realm, value)
    : rebuildObject(realm, value as { readonly [key: string]: unknown }); // JSON knows no other objects
  meter.depth--;
  return rebuilt;
}

function rebuildArray(realm: Realm, values: readonly unknown[]): GuestObject {
  realm.meter.charge(values.length);
  const array = realm.newArray();
  realm.meter.allocate(8 * values.length);
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
  for (const key of keys) {
    realm.meter.charge(1);
    const value = rebuild(realm, fields[key]);
    if (realm.intact && key !== "__proto__") object[key] = value;
    else createDataProperty(object, key, value);
  }
  return object;
}

// To say where a longer one goes wrong takes too long.
const longestScanned = 1_000_000;

function describeProblem(text: string): string {
  if (text.length > longestScanned) return "the text is not valid JSON";
  chargeTurn(4 * text.length);
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

// Finds the first place where a text stops being JSON. Its loop keeps a stack of open brackets
// instead of calling itself.
class JsonScanner {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The position of the first problem; the text's length when it is the end that comes too early.
   */
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

  /** Reads a value up to its end, or into an array or object that is not empty. */
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

  /** `shape` is sticky. */
  #skip(shape: RegExp): boolean {
    shape.lastIndex = this.#position;
    const isThere = shape.test(this.#text);
    if (isThere) this.#position = shape.lastIndex;
    return isThere;
  }
}
