import { AgentError, decodeValue, type EncodedValue, encodeValue, maxValueDepth } from "@smolts/protocol";
import { expect, test } from "vitest";

const throughJson = (value: unknown): unknown => decodeValue(JSON.parse(JSON.stringify(encodeValue(value))));

const holes: unknown[] = [];
holes[3] = "end";

const carried: [what: string, value: unknown][] = [
  ["null", null],
  ["undefined", undefined],
  ["booleans", [true, false]],
  ["numbers", [0, 1.5, -7, 2 ** 53]],
  ["numbers that JSON lacks", [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0]],
  ["a BigInt", 2046711111473984623691759n],
  ["a negative BigInt", -(10n ** 50n)],
  ["unicode, lone surrogates and control characters", ["żółw 🐢", "\ud800", "\u0000\u2028", ""]],
  ["a date", new Date(1_700_000_000_000)],
  ["an invalid date", new Date(Number.NaN)],
  ["bytes", new Uint8Array([0, 127, 255])],
  ["no bytes", new Uint8Array(0)],
  ["maps in maps", new Map<unknown, unknown>([[{ a: 1 }, new Map([["k", new Set([1n])]])]])],
  ["a set", new Set([1, "1", null, undefined])],
  ["an array with holes", holes],
  ["an array that is only holes", new Array(5)],
  ["an object with unusual keys", { "": 1, "0": 2, "a b": 3, constructor: 4, then: 5, toString: 6 }],
  ["an object that looks like a tag", { $: "bigint", value: "7" }],
  ["an object that looks like an escaped tag", { $: "object", entries: [["a", { $: 1 }]] }],
];

test.each(carried)("carries %s through JSON", (_what, value) => {
  expect(throughJson(value)).toStrictEqual(value);
});

test("distinguishes -0 from 0", () => {
  expect(Object.is(throughJson(-0), -0)).toBe(true);
});

test("leaves plain JSON unchanged", () => {
  const plain = { rows: [{ id: 1, name: "a", ok: true, none: null }] };
  expect(encodeValue(plain)).toEqual(plain);
});

test("keeps an object that occurs twice as one object", () => {
  const shared = { n: 1 };
  const copy = throughJson({ a: shared, b: [shared], c: new Map([["k", shared]]), $: shared }) as {
    a: object;
    b: object[];
    c: Map<string, object>;
    $: object;
  };
  expect(copy.b[0]).toBe(copy.a);
  expect(copy.c.get("k")).toBe(copy.a);
  expect(copy.$).toBe(copy.a);
});

test("marks the first occurrence of a shared object, and refers to it from the others", () => {
  const date = new Date(5);
  const list = [date];
  expect(encodeValue({ list, again: [date, list, list] })).toEqual({
    list: { $: "shared", id: 2, value: [{ $: "shared", id: 1, value: { $: "date", value: 5 } }] },
    again: [
      { $: "ref", id: 1 },
      { $: "ref", id: 2 },
      { $: "ref", id: 2 },
    ],
  });
});

test("does not grow exponentially with nested shared objects", () => {
  let value: unknown = "leaf";
  for (let level = 0; level < 50; level++) value = [value, value];
  expect(JSON.stringify(encodeValue(value)).length).toBeLessThan(5_000);
});

test("accepts values up to the maximum depth", () => {
  let value: unknown = 1;
  for (let level = 0; level < maxValueDepth; level++) value = [value];
  expect(JSON.stringify(throughJson(value))).toBe(JSON.stringify(value));
});

class Point {
  x = 1;
}
const cycle: { self?: unknown } = {};
cycle.self = { back: cycle };
const tooDeep: unknown[] = [];
for (let level = 0, inner = tooDeep; level < 5_000; level++) {
  const next: unknown[] = [];
  inner.push(next);
  inner = next;
}

const refused: [what: string, value: unknown, message: RegExp][] = [
  ["a function", { f: () => 1 }, /value\["f"\] is a function/],
  ["a symbol", [Symbol("s")], /value\[0\] is a symbol/],
  ["a class instance", { a: [new Point()] }, /value\["a"\]\[0\] is an instance of Point/],
  ["an error", new Error("no"), /value is an instance of Error/],
  ["a promise", [Promise.resolve(1)], /value\[0\] is a promise \(await it first\)/],
  ["a cycle", cycle, /value\["self"\]\["back"\] is a cycle/],
  [
    "a getter",
    {
      get secret() {
        throw new Error("ran");
      },
    },
    /value\["secret"\] is an accessor/,
  ],
  ["the key __proto__", JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}'), /"__proto__"/],
  ["an array with a name on it", Object.assign([1], { extra: 2 }), /named property/],
  ["a cycle through shared objects", [tooDeep.slice(0, 0), cycle], /value\[1\]\["self"\]\["back"\] is a cycle/],
  ["a symbol next to a deeper value", { a: { b: [1] }, c: Symbol("s") }, /value\["c"\] is a symbol/],
  ["an instance next to a deeper value", [[[1]], new Point()], /value\[1\] is an instance/],
  ["a name on an inner array", [{ list: Object.assign([1, [2]], { extra: 2 }) }], /value\[0\]\["list"\] is an array/],
  [
    "a key of a map",
    new Map<unknown, unknown>([
      ["k", 1],
      [[Symbol("s")], 1],
    ]),
    /value\[1\]\[0\]\[0\] is a symbol/,
  ],
  ["a value that is too deep", tooDeep, /nested more than 1000 deep/],
  ["a value in a map", new Map([["k", () => 1]]), /value\[0\]\[1\] is a function/],
];

const bigintsOfOneHash = Array.from({ length: 200 }, (_, index) => (BigInt(index) << 64n) + 1n);
const textsOfOneHash = Array.from({ length: 200 }, (_, index) => `${"x".repeat(16_384)}${1_000 + index}`);
/** Integers whose hashes in V8 differ only in their highest bits. */
const integersOfOneBucket = Array.from({ length: 4_096 }, (_, index) => integerWithHash(((index << 16) | 7) >>> 0));

/** Undoes the steps of V8's hash of an integer, from the last to the first. */
function integerWithHash(hash: number): number {
  let integer = withoutShift(hash, 16);
  integer = withoutShift(Math.imul(integer, inverseOf(2_057)), 4);
  integer = withoutShift(Math.imul(integer, inverseOf(5)), 12);
  return Math.imul(integer + 1, inverseOf(32_767));
}

/** Returns the number `n` for which `n ^ (n >>> shift)` is `result`. */
function withoutShift(result: number, shift: number): number {
  let value = result;
  for (let known = shift; known < 32; known += shift) value = result ^ (value >>> shift);
  return value;
}

/** Returns the inverse of an odd number: their 32-bit product is 1. */
function inverseOf(odd: number): number {
  let inverse = 1;
  for (let bits = 1; bits < 32; bits *= 2) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

const slow: [what: string, value: unknown, message: RegExp][] = [
  ["integers in a set", new Set(integersOfOneBucket), /value is a Set whose keys have colliding hashes/],
  ["bigints in a set", { set: new Set(bigintsOfOneHash) }, /value\["set"\] is a Set whose keys/],
  ["long texts in a map", new Map(textsOfOneHash.map((text) => [text, 1])), /value is a Map whose keys/],
  [
    "long names of an object",
    Object.fromEntries(textsOfOneHash.map((text) => [text, 1])),
    /value is an object whose keys/,
  ],
];

test.each(slow)("refuses %s that would take the host long to look up", (_what, value, message) => {
  expect(() => encodeValue(value)).toThrow(message);
});

test("refuses an encoding whose keys would take the host long to look up", () => {
  expect(() => decodeValue({ $: "set", values: integersOfOneBucket })).toThrow(/keys of a Set have colliding hashes/);
  const entries = integersOfOneBucket.map((key) => [key, 1]);
  expect(() => decodeValue({ $: "map", entries })).toThrow(/keys of a Map have colliding hashes/);
});

test("accepts large sets and maps whose keys follow a pattern", () => {
  const indexes = Array.from({ length: 5_000 }, (_, index) => index);
  for (const keyOf of [(i: number) => i, (i: number) => i << 16, (i: number) => i / 7, (i: number) => i * 2 ** 33]) {
    const set = new Set(indexes.map(keyOf));
    expect(throughJson(set)).toEqual(set);
  }
});

test.each(refused)("refuses %s and names its path", (_what, value, message) => {
  expect(() => encodeValue(value)).toThrow(message);
  expect(() => encodeValue(value)).toThrow(expect.objectContaining({ code: "invalid-value" }));
});

const corrupt: [what: string, encoded: EncodedValue][] = [
  ["an unknown tag", { $: "pickle", value: "gASVCgA=" }],
  ["a tag that is not a string", { $: 7 }],
  ["a BigInt with letters", { $: "bigint", value: "0x10" }],
  ["bytes that are not base64", { $: "bytes", value: "***" }],
  ["a map without entries", { $: "map" }],
  ["a map entry of three", { $: "map", entries: [[1, 2, 3]] }],
  ["a reference to a missing object", { $: "ref", id: 1 }],
  ["an index past the end", { $: "array", length: 1, items: [[1, "x"]] }],
  ["a huge length", { $: "array", length: 2 ** 40, items: [] }],
  ["the key __proto__", JSON.parse('{"__proto__":{"isAdmin":true}}')],
  ["the key __proto__ as an entry", { $: "object", entries: [["__proto__", 1]] }],
];

test.each(corrupt)("refuses to decode %s", (_what, encoded) => {
  expect(() => decodeValue(encoded)).toThrow(expect.objectContaining({ code: "invalid-value" }));
});

test("reports its work, so that a limit can stop it", () => {
  const limit = new AgentError("code-execution", "too much");
  let spent = 0;
  const charge = (bytes: number): void => {
    spent += bytes;
    if (spent > 1_000) throw limit;
  };
  expect(() => encodeValue(new Array(10_000).fill("x"), { charge })).toThrow(limit);
});

test("reports the holes of an array as work, because a reader may visit each of them", () => {
  const limit = new Error("limit");
  const charge = (bytes: number): void => {
    if (bytes > 1_000_000) throw limit;
  };
  expect(() => encodeValue(Object.assign([1], { length: 2 ** 32 - 1 }), { charge })).toThrow(limit);
});

test("reports small parts together, and leaves none out", () => {
  const calls: number[] = [];
  const charge = (_bytes: number, parts: number): void => {
    calls.push(parts);
  };
  encodeValue(
    Array.from({ length: 10_000 }, (_row, n) => [n]),
    { charge },
  );
  expect(calls.reduce((sum, parts) => sum + parts)).toBe(2 + 10_000 * 3);
  expect(calls.length).toBeLessThan(200);
});

test("reports its work before it refuses a value", () => {
  let spent = 0;
  const charge = (bytes: number): void => {
    spent += bytes;
  };
  expect(() => encodeValue(["text", () => 1], { charge })).toThrow("a function");
  expect(spent).toBeGreaterThan(20);
});

test("returns new objects for each decoding", () => {
  const encoded = encodeValue({ a: [1] });
  expect(decodeValue(encoded)).not.toBe(decodeValue(encoded));
});

test("builds the objects of another realm", () => {
  const decoded = decodeValue(encodeValue({ list: [1] }), {
    object: () => Object.create({ realm: "guest" }),
    array: () => [],
    map: () => ({}),
    set: () => ({}),
    date: () => ({}),
    bytes: () => ({}),
  }) as { realm: string; list: number[] };
  expect([decoded.realm, decoded.list]).toEqual(["guest", [1]]);
});
