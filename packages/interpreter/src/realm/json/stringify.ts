// JSON.stringify for guest values.

import { throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject, slotsOf, slotsOfKind } from "../../guest-value.ts";
import { call, isCallable } from "../../operations/call.ts";
import {
  chargeEntryKey,
  lengthOfArrayLike,
  PrimitiveSlots,
  toIntegerOrInfinity,
  toNumber,
  toStringValue,
} from "../../operations/conversion.ts";
import { enumerableOwnKeys } from "../../operations/counted-keys.ts";
import { isArray } from "../../operations/is-array.ts";
import { createDataPropertyOrThrow, get, getV } from "../../operations/property.ts";
import type { Realm } from "../realm.ts";

/** Returns the JSON text of a guest value; undefined for values without one, such as functions. */
export function stringifyJson(realm: Realm, value: unknown, replacer: unknown, space: unknown): string | undefined {
  const keys = isObject(replacer) && !isCallable(replacer) && isArray(replacer) ? keyList(realm, replacer) : null;
  const writer = new JsonWriter(realm, isCallable(replacer) ? replacer : null, keys, indentation(space));
  return writer.root(value);
}

// The bytes of a key: one entry in a list, and one in a set that doubles its size when it is full.
const bytesOfKey = 64;

function keyList(realm: Realm, replacer: GuestObject): string[] {
  const keys = new Set<string>();
  const length = lengthOfArrayLike(replacer);
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    const item = get(replacer, index);
    const value = typeof item === "object" ? slotsOfKind(item, PrimitiveSlots)?.value : item;
    if (typeof value !== "string" && typeof value !== "number") continue;
    const key = toStringValue(item);
    chargeEntryKey(key, keys.size);
    realm.meter.allocate(bytesOfKey);
    keys.add(key);
  }
  return [...keys];
}

function indentation(space: unknown): string {
  const boxed = slotsOfKind(space, PrimitiveSlots)?.value;
  const value = typeof boxed === "number" ? toNumber(space) : typeof boxed === "string" ? toStringValue(space) : space;
  if (typeof value === "number") return " ".repeat(Math.min(10, Math.max(0, toIntegerOrInfinity(value))));
  return typeof value === "string" ? value.slice(0, 10) : "";
}

// How many pieces are joined in one step. If pieces were concatenated one by one, the host would
// need 32 bytes of memory for each.
const maxPieces = 512;

// Writes JSON from left to right. Before it writes the name of a property, it finds out whether the
// property has a JSON text, because other properties are left out.
class JsonWriter {
  readonly #realm: Realm;
  readonly #replacer: GuestObject | null;
  readonly #keys: readonly string[] | null;
  readonly #gap: string;
  readonly #open = new Set<GuestObject>();
  readonly #quotedKeys = new Map<string, string>();
  #indent = "";
  #text = "";
  #pieces: string[] = [];

  constructor(realm: Realm, replacer: GuestObject | null, keys: readonly string[] | null, gap: string) {
    this.#realm = realm;
    this.#replacer = replacer;
    this.#keys = keys;
    this.#gap = gap;
  }

  root(value: unknown): string | undefined {
    let holder: GuestObject | undefined;
    if (this.#replacer) {
      holder = this.#realm.newObject();
      createDataPropertyOrThrow(holder, "", value);
    }
    const written = this.#resolve(holder, "", value);
    if (!hasText(written)) return undefined;
    this.#write(written);
    return this.#text + this.#pieces.join("");
  }

  /**
   * Returns the value to write for a property, after `toJSON` and the replacer have run. `holder`
   * is the object that has the property; only the replacer uses it.
   */
  #resolve(holder: GuestObject | undefined, key: string, given: unknown): unknown {
    this.#realm.meter.charge(1);
    let value = given;
    if (isObject(value) || typeof value === "bigint") {
      const toJson = getV(this.#realm, value, "toJSON");
      if (isCallable(toJson)) value = call(toJson, value, key);
    }
    if (this.#replacer) value = call(this.#replacer, holder, key, value);
    if (value !== given && isObject(value))
      this.#realm.promiseWatch?.refuseKeysOf(value, "was passed to JSON.stringify");
    return isObject(value) ? unboxed(value) : value;
  }

  /** Writes a value that has a JSON text. */
  #write(value: unknown): void {
    switch (typeof value) {
      case "string":
        return this.#add(quoted(this.#realm, value));
      case "number":
        return this.#add(Number.isFinite(value) ? String(value) : "null");
      case "bigint":
        return throwTypeError("a bigint cannot be written as JSON; convert it to a string or number first");
      case "object":
        return value === null ? this.#add("null") : this.#composite(value as GuestObject); // every other object is a guest object
      default:
        return this.#add(String(value));
    }
  }

  #composite(object: GuestObject): void {
    const { meter } = this.#realm;
    if (this.#open.has(object)) throwTypeError("a structure that contains itself cannot be written as JSON");
    if (++meter.depth > meter.maxDepth) meter.stop("call-depth");
    const outer = this.#indent;
    this.#open.add(object);
    this.#indent += this.#gap;
    if (isArray(object)) this.#array(object, outer);
    else this.#object(object, outer);
    this.#indent = outer;
    this.#open.delete(object);
    meter.depth--;
  }

  #array(array: GuestObject, outer: string): void {
    const length = lengthOfArrayLike(array);
    this.#add("[");
    for (let index = 0; index < length; index++) {
      // The index becomes a string, because `toJSON` and replacers may read the key.
      const value = this.#resolve(array, String(index), get(array, index));
      this.#separate(index === 0);
      if (hasText(value)) this.#write(value);
      else this.#add("null");
    }
    this.#end(length === 0, outer, "]");
  }

  #object(object: GuestObject, outer: string): void {
    let isEmpty = true;
    this.#add("{");
    for (const key of this.#keys ?? enumerableOwnKeys(this.#realm, object)) {
      const value = this.#resolve(object, key, get(object, key));
      if (!hasText(value)) continue;
      this.#separate(isEmpty);
      isEmpty = false;
      this.#add(this.#name(key));
      this.#write(value);
    }
    this.#end(isEmpty, outer, "}");
  }

  #name(key: string): string {
    let name = this.#quotedKeys.get(key);
    if (name === undefined) {
      name = quoted(this.#realm, key) + (this.#gap === "" ? ":" : ": ");
      if (this.#quotedKeys.size < 1_000) this.#quotedKeys.set(key, name);
    }
    return name;
  }

  #separate(isFirst: boolean): void {
    if (!isFirst) this.#add(",");
    if (this.#gap !== "") this.#add(`\n${this.#indent}`);
  }

  #end(isEmpty: boolean, outer: string, closing: string): void {
    if (!isEmpty && this.#gap !== "") this.#add(`\n${outer}`);
    this.#add(closing);
  }

  #add(text: string): void {
    this.#realm.meter.allocate(2 * text.length + 24);
    this.#pieces.push(text);
    if (this.#pieces.length < maxPieces) return;
    this.#text += this.#pieces.join("");
    this.#pieces = [];
  }
}

/** Says whether a value has a JSON text. A property whose value has none is left out. */
function hasText(value: unknown): boolean {
  return value !== undefined && typeof value !== "symbol" && !isCallable(value);
}

/**
 * Returns the primitive of a Number, String, Boolean or BigInt object. Returns other objects as
 * they are.
 */
function unboxed(object: GuestObject): unknown {
  const slots = slotsOf(object);
  if (!(slots instanceof PrimitiveSlots)) return object;
  switch (typeof slots.value) {
    case "number":
      return toNumber(object);
    case "string":
      return toStringValue(object);
    case "boolean":
    case "bigint":
      return slots.value;
    default:
      return object;
  }
}

function quoted(realm: Realm, text: string): string {
  realm.meter.charge(text.length >>> 5);
  return JSON.stringify(text);
}
