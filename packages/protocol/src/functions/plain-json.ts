// Readers that do not know the codec, such as clients of other protocols, get values as plain JSON.
//
// An object that occurs several times in a value is written each time. The JSON of a small value
// may therefore have many gigabytes, so its size is limited.

import type { JsonValue } from "../json.ts";
import { toBase64 } from "./base64.ts";
import { encodeValue } from "./value-codec.ts";

/**
 * Converts a value to JSON for readers that do not know {@link encodeValue}. Big integers are
 * written as digits, dates as ISO strings, maps as objects, sets as lists, and bytes as base64.
 * JSON has no numbers such as `NaN`, so they become null. `undefined` in a list, or as the whole
 * value, becomes null too.
 *
 * If the JSON would be far larger than the encoded value, because objects occur in it many times,
 * returns the encoded value.
 *
 * @throws AgentError `invalid-value` with the path of the first value that cannot be encoded
 * @example
 * ```ts
 * import { toPlainJson } from "@smolts/protocol";
 *
 * console.log(toPlainJson({ total: 2n ** 70n, seen: new Set([1, 2]) }));
 * // { total: '1180591620717411303424', seen: [ 1, 2 ] }
 * ```
 */
export function toPlainJson(value: unknown): JsonValue {
  const encoded = encodeValue(value);
  const plain = new PlainWriter(freeCharacters + 4 * JSON.stringify(encoded).length).write(value);
  return plain === undefined ? encoded : plain;
}

/**
 * Returns a value as a text for readers that do not know {@link encodeValue}: strings unchanged,
 * numbers and big integers as digits, `undefined` as an empty text, and objects as JSON.
 *
 * @throws AgentError `invalid-value` with the path of the first value that cannot be encoded
 * @example
 * ```ts
 * import { toPlainText } from "@smolts/protocol";
 *
 * console.log(toPlainText(2n ** 70n)); // 1180591620717411303424
 * ```
 */
export function toPlainText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "";
  if (typeof value === "number") return `${value}`;
  const json = toPlainJson(value);
  return typeof json === "string" ? json : JSON.stringify(json);
}

/** JSON of up to this many characters is always allowed, even if the encoded value is tiny. */
const freeCharacters = 1_000_000;

class PlainWriter {
  /** How many more characters may be written. Below 0, writing ends immediately. */
  #room: number;

  constructor(room: number) {
    this.#room = room;
  }

  /** Returns the JSON, or undefined if it is too large. */
  write(value: unknown): JsonValue | undefined {
    const json = this.#json(value);
    return this.#room < 0 ? undefined : json;
  }

  #json(value: unknown): JsonValue {
    this.#room -= 1;
    if (this.#room < 0) return null;
    switch (typeof value) {
      case "string":
        return this.#text(value);
      case "bigint":
        return this.#text(`${value}`);
      case "number":
        return Number.isFinite(value) ? value : null;
      case "boolean":
        return value;
      default:
        return typeof value === "object" && value !== null ? this.#object(value) : null;
    }
  }

  #object(value: object): JsonValue {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (value instanceof Uint8Array) return this.#text(toBase64(value));
    if (value instanceof Map) return this.#fields([...value].map(([key, item]) => [this.#key(key), item]));
    if (value instanceof Set) return Array.from(value, (item) => this.#json(item));
    return Array.isArray(value) ? this.#list(value) : this.#fields(Object.entries(value));
  }

  /** Writes a list. Checks its length first, because a sparse array may be too long for memory. */
  #list(values: readonly unknown[]): JsonValue {
    if (values.length > this.#room) {
      this.#room = -1;
      return null;
    }
    return Array.from(values, (item) => this.#json(item));
  }

  #key(key: unknown): string {
    return typeof key === "object" && key !== null ? JSON.stringify(this.#json(key)) : `${key}`;
  }

  #fields(entries: readonly (readonly [string, unknown])[]): JsonValue {
    const kept = entries.filter(([, item]) => item !== undefined);
    // Use Object.fromEntries, which treats `__proto__` like any other key.
    return Object.fromEntries(kept.map(([key, item]) => [this.#text(key), this.#json(item)]));
  }

  #text(text: string): string {
    this.#room -= text.length;
    return text;
  }
}
