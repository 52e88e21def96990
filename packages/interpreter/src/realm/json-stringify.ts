// JSON.stringify.

import { throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject, slotsOf, slotsOfKind } from "../guest-value.ts";
import { call, isCallable } from "../operations/call.ts";
import {
  lengthOfArrayLike,
  PrimitiveSlots,
  toIntegerOrInfinity,
  toNumber,
  toStringValue,
} from "../operations/conversion.ts";
import { createDataPropertyOrThrow, get, getV } from "../operations/property.ts";
import { isArray } from "./array-support.ts";
import { enumerableOwnKeys } from "./counted-keys.ts";
import type { Realm } from "./realm.ts";

/** The JSON text of a guest value; undefined when there is none, as for functions. */
export function stringifyJson(realm: Realm, value: unknown, replacer: unknown, space: unknown): string | undefined {
  const keys = isObject(replacer) && !isCallable(replacer) && isArray(replacer) ? keyList(realm, replacer) : null;
  const writer = new JsonWriter(realm, isCallable(replacer) ? replacer : null, keys, indentation(space));
  return writer.root(value);
}

function keyList(realm: Realm, replacer: GuestObject): string[] {
  const keys = new Set<string>();
  const length = lengthOfArrayLike(replacer);
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    const item = get(replacer, index);
    const value = typeof item === "object" ? slotsOfKind(item, PrimitiveSlots)?.value : item;
    if (typeof value === "string" || typeof value === "number") keys.add(toStringValue(item));
  }
  return [...keys];
}

function indentation(space: unknown): string {
  const boxed = slotsOfKind(space, PrimitiveSlots)?.value;
  const value = typeof boxed === "number" ? toNumber(space) : typeof boxed === "string" ? toStringValue(space) : space;
  if (typeof value === "number") return " ".repeat(Math.min(10, Math.max(0, toIntegerOrInfinity(value))));
  return typeof value === "string" ? value.slice(0, 10) : "";
}

class JsonWriter {
  readonly #realm: Realm;
  readonly #replacer: GuestObject | null;
  readonly #keys: readonly string[] | null;
  readonly #gap: string;
  readonly #open = new Set<GuestObject>();
  #indent = "";

  constructor(realm: Realm, replacer: GuestObject | null, keys: readonly string[] | null, gap: string) {
    this.#realm = realm;
    this.#replacer = replacer;
    this.#keys = keys;
    this.#gap = gap;
  }

  root(value: unknown): string | undefined {
    if (!this.#replacer) return this.#property(undefined, "", value);
    const holder = this.#realm.newObject();
    createDataPropertyOrThrow(holder, "", value);
    return this.#property(holder, "", value);
  }

  /** The text of a property; undefined when it is to be left out. `holder` is needed by replacers alone. */
  #property(holder: GuestObject | undefined, key: string, given: unknown): string | undefined {
    this.#realm.meter.charge(1);
    let value = given;
    if (isObject(value) || typeof value === "bigint") {
      const toJson = getV(this.#realm, value, "toJSON");
      if (isCallable(toJson)) value = call(toJson, value, key);
    }
    if (this.#replacer) value = call(this.#replacer, holder, key, value);
    return this.#value(isObject(value) ? unboxed(value) : value);
  }

  #value(value: unknown): string | undefined {
    switch (typeof value) {
      case "string":
        return this.#counted(quoted(this.#realm, value));
      case "number":
        return this.#counted(Number.isFinite(value) ? String(value) : "null");
      case "boolean":
        return this.#counted(String(value));
      case "bigint":
        return throwTypeError("a bigint cannot be written as JSON; convert it to a string or number first");
      case "object":
        if (value === null) return this.#counted("null");
        return isCallable(value) ? undefined : this.#composite(value as GuestObject); // objects are guest objects
      default:
        return undefined;
    }
  }

  #composite(object: GuestObject): string {
    const { meter } = this.#realm;
    if (this.#open.has(object)) return throwTypeError("a structure that contains itself cannot be written as JSON");
    if (++meter.depth > meter.maxDepth) meter.stop("call-depth");
    const outer = this.#indent;
    this.#open.add(object);
    this.#indent += this.#gap;
    const text = isArray(object) ? this.#array(object, outer) : this.#object(object, outer);
    this.#indent = outer;
    this.#open.delete(object);
    meter.depth--;
    return text;
  }

  #array(array: GuestObject, outer: string): string {
    const length = lengthOfArrayLike(array);
    let members = "";
    for (let index = 0; index < length; index++) {
      const text = this.#property(array, String(index), get(array, index)) ?? "null";
      members += (index === 0 ? this.#start() : this.#between()) + text;
    }
    return length === 0 ? "[]" : `[${members}${this.#end(outer)}]`;
  }

  #object(object: GuestObject, outer: string): string {
    let members = "";
    for (const key of this.#keys ?? enumerableOwnKeys(this.#realm, object)) {
      const text = this.#property(object, key, get(object, key));
      if (text === undefined) continue;
      const name = this.#counted(quoted(this.#realm, key));
      members += `${members === "" ? this.#start() : this.#between()}${name}${this.#gap === "" ? ":" : ": "}${text}`;
    }
    return members === "" ? "{}" : `{${members}${this.#end(outer)}}`;
  }

  #start(): string {
    return this.#gap === "" ? "" : this.#counted(`\n${this.#indent}`);
  }

  #between(): string {
    return this.#gap === "" ? "," : this.#counted(`,\n${this.#indent}`);
  }

  #end(outer: string): string {
    return this.#gap === "" ? "" : this.#counted(`\n${outer}`);
  }

  #counted(text: string): string {
    this.#realm.meter.allocate(2 * text.length + 24);
    return text;
  }
}

/** Number, String, Boolean and BigInt objects count as what they hold. */
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
