// Encodes and decodes values. The log, steps, the sandbox boundary, workers and guests all use this
// format.
//
// An encoded value is JSON. Values that JSON has are written as they are. Every other value is an
// object with the key "$", which says what it is:
//   {"$":"undefined"}  {"$":"number","value":"NaN"}  {"$":"bigint","value":"12"}  {"$":"date","value":0}  {"$":"bytes","value":"aGk="}
//   {"$":"map","entries":[[k,v]]}  {"$":"set","values":[v]}  {"$":"array","length":9,"items":[[2,v]]} (an array with holes)
//   {"$":"object","entries":[["$",v]]} (a plain object that has the key "$" itself)
// An object that occurs several times is {"$":"shared","id":1,"value":v} the first time, and
// {"$":"ref","id":1} after that.
//
// Cycles, functions, accessors, class instances, symbols and the key "__proto__" are refused. The
// error names the path to the value.
//
// The programs of the interpreter have their own kinds of objects. To encode and decode these with
// the same code, the interpreter passes functions that inspect and build them.

import { AgentError } from "../error.ts";
import type { JsonValue } from "../json.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { keysCollide } from "./colliding-keys.ts";
import { jsonLength } from "./json-length.ts";

/** The result of {@link encodeValue}: JSON, with tagged objects for values that JSON lacks. */
export type EncodedValue = JsonValue;

/** The kinds of objects that the codec distinguishes. */
export type ObjectShape =
  | { readonly type: "object" | "array" }
  | { readonly type: "map"; readonly entries: Iterable<readonly [unknown, unknown]> }
  | { readonly type: "set"; readonly values: Iterable<unknown> }
  | { readonly type: "date"; readonly time: number }
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  /** `what` names the value in the error message, such as `a function`. */
  | { readonly type: "refused"; readonly what: string };

/** Options of {@link encodeValue} for values of another realm, such as a sandbox. */
export interface EncodeOptions {
  /** Returns the kind of an object or function. The default knows the host's own classes. */
  readonly inspect?: (value: object) => ObjectShape;
  /**
   * Reads an own property of a plain object or array without running any code, and calls `refuse`
   * if that is not possible. The default reads the property's descriptor, which is safe for every
   * object but slow.
   */
  readonly read?: (object: object, key: string | number, refuse: (what: string) => never) => unknown;
  /**
   * Called before values are copied, with their size in bytes and their number, so that the caller
   * can throw at a limit.
   */
  readonly charge?: (bytes: number, parts: number) => void;
}

/** Creates the empty objects that {@link decodeValue} fills. */
export interface ValueBuilder {
  object(): object;
  /**
   * Returns an array that is then filled by index. `length` is the number of elements if it is
   * known.
   */
  array(length: number): unknown[];
  map(entries: readonly (readonly [unknown, unknown])[]): object;
  set(values: readonly unknown[]): object;
  date(time: number): object;
  bytes(bytes: Uint8Array): object;
}

/**
 * The maximum number of digits of an encoded big integer. The time to parse digits grows faster
 * than their number, and a value of a program must not block the host.
 */
const maxDigits = 100_000;
const maxHexDigits = 83_048;

/** The deepest nesting that encoded values may have. */
export const maxValueDepth = 1_000;

/**
 * Encodes a value as JSON.
 *
 * @throws AgentError `invalid-value` with the path of the first value that cannot be encoded
 * @example
 * ```ts
 * import { encodeValue } from "@smolts/protocol";
 *
 * console.log(JSON.stringify(encodeValue({ when: new Map([["n", 10n]]) })));
 * // {"when":{"$":"map","entries":[["n",{"$":"bigint","value":"10"}]]}}
 * ```
 */
export function encodeValue(value: unknown, options: EncodeOptions = {}): EncodedValue {
  return new Encoder(options).encodeRoot(value);
}

/**
 * Decodes a value. Each call returns new objects.
 *
 * @throws AgentError `invalid-value` when `encoded` is not a result of {@link encodeValue}
 * @example
 * ```ts
 * import { decodeValue, encodeValue } from "@smolts/protocol";
 *
 * console.log(decodeValue(encodeValue([1n, undefined]))); // [ 1n, undefined ]
 * ```
 */
export function decodeValue(encoded: EncodedValue, builder: ValueBuilder = hostBuilder): unknown {
  return new Decoder(builder).decode(encoded);
}

const marker = "$";

type Encoded = null | boolean | number | string | Encoded[] | { [key: string]: Encoded };

// The cost of small parts is collected until it reaches this many bytes, and then charged at once.
// So at most this many bytes are copied before they are charged.
const maxBytesOwed = 4_096;

class Encoder {
  readonly #inspect: (value: object) => ObjectShape;
  readonly #read: NonNullable<EncodeOptions["read"]>;
  readonly #charge: NonNullable<EncodeOptions["charge"]>;
  readonly #refuseRead = (what: string): never => this.#refuse(what);
  #owedBytes = 0;
  #owedParts = 0;
  /**
   * The encoding of each object found so far, or null while the object's members are being encoded.
   * The map is created with the first object.
   */
  #encodings: Map<object, Encoded | null> | null = null;
  /**
   * The ids of the encodings of objects that were found more than once. The map is created with the
   * first such object.
   */
  #sharedIds: Map<Encoded, number> | null = null;
  /**
   * The keys that lead to the current value. Only the entries up to `#depth` count; later ones are
   * left over from earlier values. A step into a map is a pair: the index of the entry, and 0 for
   * its key or 1 for its value.
   */
  readonly #path: (string | number | readonly [entry: number, side: 0 | 1])[] = [];
  #depth = -1;

  constructor({ inspect = inspectHostObject, read = readHostProperty, charge = () => {} }: EncodeOptions) {
    this.#inspect = inspect;
    this.#read = read;
    this.#charge = charge;
  }

  encodeRoot(value: unknown): Encoded {
    const encoded = this.#encode(value);
    const marked = this.#sharedIds ? this.#markShared(encoded, this.#sharedIds) : encoded;
    this.#payUp();
    return marked;
  }

  #encode(value: unknown): Encoded {
    switch (typeof value) {
      case "string":
        this.#owe(value.length + 2);
        this.#oweEscapes(value);
        return value;
      case "number":
        this.#owe(8);
        return encodeNumber(value);
      case "boolean":
        this.#owe(4);
        return value;
      case "undefined":
        this.#owe(16);
        return { [marker]: "undefined" };
      case "object":
        return value === null ? null : this.#encodeObject(value);
      case "function":
        return this.#encodeObject(value);
      case "bigint":
        return this.#encodeBigInt(value);
      case "symbol":
        return this.#refuse("a symbol");
    }
  }

  #encodeBigInt(value: bigint): Encoded {
    // Count the hexadecimal digits first, because computing decimal digits may take very long.
    const hexDigits = value.toString(16).length;
    this.#owe(24 + hexDigits * 2);
    if (hexDigits > maxHexDigits) this.#refuse(`a BigInt of more than ${maxDigits} digits`);
    return { [marker]: "bigint", value: value.toString() };
  }

  #encodeObject(value: object): Encoded {
    this.#encodings ??= new Map();
    const known = this.#encodings.get(value);
    if (known !== undefined) return this.#refer(known);
    if (this.#depth + 1 === maxValueDepth) this.#refuse(`nested more than ${maxValueDepth} deep`);
    this.#owe(16);
    const shape = this.#inspect(value);
    if (shape.type === "refused") this.#refuse(shape.what);
    this.#encodings.set(value, null);
    this.#depth++;
    const encoded = this.#encodeShape(value, shape);
    this.#depth--;
    this.#encodings.set(value, encoded);
    return encoded;
  }

  /** Encodes an object that was found before. */
  #refer(known: Encoded | null): Encoded {
    if (known === null) this.#refuse("a cycle");
    this.#owe(32);
    this.#sharedIds ??= new Map();
    const id = this.#sharedIds.get(known) ?? this.#sharedIds.size + 1;
    this.#sharedIds.set(known, id);
    return { [marker]: "ref", id };
  }

  /** Marks the first occurrence of each object that is referred to again later. */
  #markShared(encoded: Encoded, ids: ReadonlyMap<Encoded, number>): Encoded {
    if (typeof encoded !== "object" || encoded === null) return encoded;
    if (Array.isArray(encoded)) this.#markItems(encoded, ids);
    // The cast is safe: the key exists.
    else for (const key of Object.keys(encoded)) encoded[key] = this.#markShared(encoded[key] as Encoded, ids);
    const id = ids.get(encoded);
    return id === undefined ? encoded : { [marker]: "shared", id, value: encoded };
  }

  #markItems(items: Encoded[], ids: ReadonlyMap<Encoded, number>): void {
    this.#owe(4 * items.length);
    for (let index = 0; index < items.length; index++) {
      items[index] = this.#markShared(items[index] as Encoded, ids); // the index is below the length
    }
  }

  #encodeShape(value: object, shape: Exclude<ObjectShape, { type: "refused" }>): Encoded {
    switch (shape.type) {
      case "object":
        return this.#encodePlainObject(value);
      case "array":
        return this.#encodeArray(value as unknown[]); // the inspector said that it is an array
      case "map":
        return { [marker]: "map", entries: this.#encodeEntries(shape.entries) };
      case "set":
        return { [marker]: "set", values: this.#encodeValues(shape.values) };
      case "date":
        return { [marker]: "date", value: Number.isNaN(shape.time) ? null : shape.time };
      case "bytes":
        this.#owe(shape.bytes.length * 2);
        return { [marker]: "bytes", value: toBase64(shape.bytes) };
      default:
        return shape satisfies never;
    }
  }

  #encodePlainObject(value: object): Encoded {
    const keys = Object.keys(value);
    this.#refuseCollisions("an object", keys);
    if (keys.includes(marker)) return this.#encodeMarkedObject(value, keys);
    const encoded: { [key: string]: Encoded } = {};
    if (keys.length >= manyKeys) addLastIndex(encoded, keys);
    for (const key of keys) {
      this.#path[this.#depth] = key;
      encoded[key] = this.#encode(this.#property(value, key));
    }
    return encoded;
  }

  /**
   * Encodes a plain object that has the key "$". The object is written as a list of entries,
   * because the decoder would otherwise take it for one of its tags.
   */
  #encodeMarkedObject(value: object, keys: readonly string[]): Encoded {
    const entries: Encoded[] = [];
    for (const key of keys) {
      this.#path[this.#depth] = key;
      entries.push([key, this.#encode(this.#property(value, key))]);
    }
    return { [marker]: "object", entries };
  }

  #encodeArray(value: unknown[]): Encoded {
    const { length } = value;
    // Holes are charged too, because a reader of the copy may loop over all of them.
    this.#owe(8 * length);
    const keys = Object.keys(value);
    // `Object.keys` lists the indices first, in ascending order. So if there are `length` keys, and
    // the key at `length - 1` is the last index, then all keys are indices and there are no holes.
    if (keys.length !== length || (length > 0 && keys[length - 1] !== String(length - 1)))
      return this.#encodeSparseArray(value, keys);
    const encoded = new Array<Encoded>(length);
    // Without this null, V8 would first store unboxed numbers, and convert all of them when another
    // value follows.
    if (length > 0) encoded[length - 1] = null;
    for (let index = 0; index < length; index++) {
      this.#path[this.#depth] = index;
      encoded[index] = this.#encode(this.#read(value, index, this.#refuseRead));
    }
    return encoded;
  }

  #encodeSparseArray(value: unknown[], keys: readonly string[]): Encoded {
    const items: Encoded[] = [];
    for (const key of keys) {
      if (!isArrayIndex(key)) this.#refuse(`an array with the named property "${key}"`, this.#depth - 1);
      this.#path[this.#depth] = Number(key);
      items.push([Number(key), this.#encode(this.#property(value, key))]);
    }
    return { [marker]: "array", length: value.length, items };
  }

  #encodeEntries(entries: Iterable<readonly [unknown, unknown]>): Encoded[] {
    const encoded: Encoded[] = [];
    const keys: unknown[] = [];
    for (const [key, value] of entries) {
      const index = encoded.length;
      this.#path[this.#depth] = [index, 0];
      const encodedKey = this.#encode(key);
      keys.push(key);
      this.#path[this.#depth] = [index, 1];
      encoded.push([encodedKey, this.#encode(value)]);
    }
    this.#refuseCollisions("a Map", keys);
    return encoded;
  }

  #encodeValues(values: Iterable<unknown>): Encoded[] {
    const encoded: Encoded[] = [];
    const keys: unknown[] = [];
    for (const value of values) {
      this.#path[this.#depth] = encoded.length;
      encoded.push(this.#encode(value));
      keys.push(value);
    }
    this.#refuseCollisions("a Set", keys);
    return encoded;
  }

  /** Refuses keys with colliding hashes, because looking up many of them would block the host. */
  #refuseCollisions(what: string, keys: readonly unknown[]): void {
    if (keysCollide(keys)) this.#refuse(`${what} whose keys have colliding hashes`, this.#depth - 1);
  }

  #property(value: object, key: string): unknown {
    this.#owe(key.length + 4);
    if (key === "__proto__") this.#refuse('under the key "__proto__"');
    return this.#read(value, key, this.#refuseRead);
  }

  #owe(bytes: number): void {
    this.#owedBytes += bytes;
    this.#owedParts++;
    if (this.#owedBytes > maxBytesOwed) this.#payUp();
  }

  /** Adds the extra bytes that a string's escapes need in JSON. The length is added elsewhere. */
  #oweEscapes(text: string): void {
    this.#owedBytes += jsonLength(text) - text.length - 2;
    if (this.#owedBytes > maxBytesOwed) this.#payUp();
  }

  #payUp(): void {
    const [bytes, parts] = [this.#owedBytes, this.#owedParts];
    this.#owedBytes = 0;
    this.#owedParts = 0;
    this.#charge(bytes, parts);
  }

  /** Refuses the value that the path up to `depth` leads to. */
  #refuse(what: string, depth: number = this.#depth): never {
    this.#payUp();
    const place = this.#path.slice(0, depth + 1).flat();
    throw new AgentError("invalid-value", `value${place.map(inBrackets).join("")} is ${what}, which cannot be copied`, {
      hint: "use plain data: objects, arrays, strings, numbers, booleans, null, undefined, BigInt, Date, Map, Set, Uint8Array",
    });
  }
}

const inBrackets = (key: string | number): string => `[${JSON.stringify(key)}]`;

/**
 * Reads a property without running getters. Code can run only if the object is a Proxy, and the
 * host itself decides whether it passes one.
 */
function readHostProperty(value: object, key: string | number, refuse: (what: string) => never): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(value, key);
  if (descriptor && !("value" in descriptor)) refuse("an accessor");
  return descriptor?.value;
}

function encodeNumber(value: number): Encoded {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return { [marker]: "number", value: Object.is(value, -0) ? "-0" : String(value) };
}

const isArrayIndex = (key: string): boolean => /^(0|[1-9][0-9]{0,9})$/.test(key);

function inspectHostObject(value: object): ObjectShape {
  if (typeof value === "function") return { type: "refused", what: "a function" };
  if (Array.isArray(value)) return { type: "array" };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return { type: "object" };
  if (prototype === Map.prototype) return { type: "map", entries: value as Map<unknown, unknown> };
  if (prototype === Set.prototype) return { type: "set", values: value as Set<unknown> };
  if (value instanceof Date) return { type: "date", time: value.getTime() };
  if (value instanceof Uint8Array) return { type: "bytes", bytes: value };
  // This is a plain object of another host realm, such as a test runner's.
  if (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "isPrototypeOf"))
    return { type: "object" };
  return { type: "refused", what: nameOfInstance(value) };
}

function nameOfInstance(value: object): string {
  if (value instanceof Promise) return "a promise (await it first)";
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name}` : "a class instance";
}

const hostBuilder: ValueBuilder = {
  object: () => ({}),
  array: (length) => {
    const array = new Array<unknown>(length);
    // Without this null, V8 would first store unboxed numbers, and convert all of them when another
    // value follows.
    if (length > 0) array[length - 1] = null;
    return array;
  },
  map: (entries) => new Map(entries),
  set: (values) => new Set(values),
  date: (time) => new Date(time),
  bytes: (bytes) => bytes,
};

const specialNumbers = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["-0", -0],
]);

class Decoder {
  readonly #builder: ValueBuilder;
  /** The values that references point to, by id; null when there are none. */
  #shared: Map<unknown, unknown> | null = null;
  #depth = 0;

  constructor(builder: ValueBuilder) {
    this.#builder = builder;
  }

  decode(encoded: EncodedValue): unknown {
    if (typeof encoded !== "object" || encoded === null) return encoded;
    // Because of the tags, an encoding may nest three levels for each level of the value.
    if (++this.#depth > maxValueDepth * 3) throw invalidEncoding("it nests too deep");
    const value = this.#decodeObject(encoded);
    this.#depth--;
    return value;
  }

  #decodeObject(encoded: readonly JsonValue[] | { readonly [key: string]: JsonValue }): unknown {
    if (isList(encoded)) return this.#fillArray(encoded);
    return Object.hasOwn(encoded, marker) ? this.#decodeTagged(encoded) : this.#decodePlainObject(encoded);
  }

  #decodePlainObject(encoded: { readonly [key: string]: JsonValue }): object {
    const object = this.#builder.object() as { [key: string]: unknown };
    const keys = Object.keys(encoded);
    if (keys.length >= manyKeys) addLastIndex(object, keys);
    // The cast is safe: the key exists.
    for (const key of keys) this.#fillProperty(object, key, encoded[key] as JsonValue);
    return object;
  }

  #fillArray(items: readonly JsonValue[]): unknown[] {
    const array = this.#builder.array(items.length);
    for (let index = 0; index < items.length; index++) array[index] = this.decode(items[index] as JsonValue);
    return array;
  }

  #decodeMarkedObject(entries: readonly JsonValue[]): object {
    const object = this.#builder.object() as { [key: string]: unknown };
    if (entries.length >= manyKeys)
      addLastIndex(
        object,
        entries.map((entry) => namedEntry(entry)[0]),
      );
    for (const entry of entries) this.#fillProperty(object, ...namedEntry(entry));
    return object;
  }

  #fillProperty(object: { [key: string]: unknown }, key: string, value: JsonValue): void {
    if (key === "__proto__") throw invalidEncoding('it has the key "__proto__"');
    object[key] = this.decode(value);
  }

  #decodeTagged(encoded: { readonly [key: string]: JsonValue }): unknown {
    const { value } = encoded;
    switch (encoded[marker]) {
      case "undefined":
        return undefined;
      case "number":
        return specialNumbers.get(String(value)) ?? fail("a special number", value);
      case "bigint":
        return decodeBigInt(value);
      case "date":
        return value === null || typeof value === "number"
          ? this.#builder.date(value ?? Number.NaN)
          : fail("a date", value);
      case "bytes":
        return this.#builder.bytes(decodeBytes(value));
      case "map":
        return this.#decodeMap(list(encoded["entries"]));
      case "set":
        return this.#decodeSet(list(encoded["values"]));
      case "array":
        return this.#decodeSparseArray(encoded);
      case "object":
        return this.#decodeMarkedObject(list(encoded["entries"]));
      case "shared":
        return this.#decodeShared(encoded);
      case "ref":
        return this.#shared?.has(encoded["id"]) ? this.#shared.get(encoded["id"]) : fail("a reference", encoded["id"]);
      default:
        return fail("a tag", encoded[marker]);
    }
  }

  #decodeMap(items: readonly JsonValue[]): object {
    const entries = items.map((entry) => this.#decodeEntry(entry));
    if (keysCollide(entries.map(([key]) => key))) throw collidingKeys("Map");
    return this.#builder.map(entries);
  }

  #decodeSet(items: readonly JsonValue[]): object {
    const values = items.map((item) => this.decode(item));
    if (keysCollide(values)) throw collidingKeys("Set");
    return this.#builder.set(values);
  }

  #decodeEntry(entry: JsonValue): readonly [unknown, unknown] {
    const pair = list(entry);
    if (pair.length !== 2) return fail("a map entry", entry);
    return [this.decode(pair[0] as JsonValue), this.decode(pair[1] as JsonValue)];
  }

  #decodeSparseArray({ length, items }: { readonly [key: string]: JsonValue }): unknown[] {
    const array = this.#builder.array(0);
    if (typeof length !== "number" || !Number.isInteger(length) || length < 0 || length >= 2 ** 32)
      return fail("an array length", length);
    array.length = length;
    for (const item of list(items)) {
      const [index, value] = list(item);
      if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= length)
        return fail("an array index", index);
      array[index] = this.decode(value ?? null);
    }
    return array;
  }

  #decodeShared({ id, value }: { readonly [key: string]: JsonValue }): unknown {
    const decoded = this.decode(value ?? null);
    this.#shared ??= new Map();
    this.#shared.set(id, decoded);
    return decoded;
  }
}

// The minimum number of keys for which the order of insertion affects the speed.
const manyKeys = 2_048;

/**
 * If the keys begin with indices that have gaps, adds the last index first. The caller adds the
 * other keys, and all values. Each index that leaves a gap may make the engine move all indexed
 * properties. If the last index is added first, the engine moves them only once.
 */
function addLastIndex(object: { [key: string]: unknown }, keys: readonly string[]): void {
  const end = keys.findIndex((key) => String(Number(key) >>> 0) !== key);
  const count = end === -1 ? keys.length : end;
  const last = keys[count - 1];
  if (last !== undefined && Number(last) >= count) object[last] = null;
}

const isList = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

const list = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : fail("a list", value));

function namedEntry(entry: JsonValue): readonly [string, JsonValue] {
  const [key, value] = list(entry);
  return typeof key === "string" && value !== undefined ? [key, value] : fail("a property", entry);
}

function decodeBigInt(value: JsonValue | undefined): bigint {
  const isDigits = typeof value === "string" && value.length <= maxDigits + 1 && /^-?\d+$/.test(value);
  return isDigits ? BigInt(value) : fail("a BigInt", value);
}

function decodeBytes(value: JsonValue | undefined): Uint8Array {
  const bytes = typeof value === "string" ? fromBase64(value) : null;
  return bytes ?? fail("bytes", value);
}

function fail(what: string, value: unknown): never {
  throw invalidEncoding(`${JSON.stringify(value)?.slice(0, 100)} is not ${what}`);
}

const collidingKeys = (what: string): AgentError => invalidEncoding(`the keys of a ${what} have colliding hashes`);

const invalidEncoding = (why: string): AgentError =>
  new AgentError("invalid-value", `this is not an encoded value: ${why}`, {
    hint: "pass the value that encodeValue() returned, unchanged",
  });
