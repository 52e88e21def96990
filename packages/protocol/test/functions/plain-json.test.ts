import { encodeValue, toPlainJson, toPlainText } from "@smolts/protocol";
import { describe, expect, test } from "vitest";

describe("the plain JSON of a value", () => {
  const facts: [what: string, value: unknown, json: unknown][] = [
    ["a big integer", 2n ** 70n, "1180591620717411303424"],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["an invalid date", new Date(Number.NaN), null],
    ["a map", new Map<unknown, unknown>([["n", 1n]]), { n: "1" }],
    ["a map with a list as key", new Map([[[1, 2n], true]]), { '[1,"2"]': true }],
    ["a set", new Set([1, "a"]), [1, "a"]],
    ["bytes", new Uint8Array([104, 105]), "aGk="],
    ["numbers that JSON lacks", [Number.NaN, Number.POSITIVE_INFINITY], [null, null]],
    ["an undefined value", undefined, null],
    ["undefined in an object and in a list", { gone: undefined, list: [undefined] }, { list: [null] }],
    ["holes of a list", Object.assign(new Array(2), { 1: "b" }), [null, "b"]],
    ["an object that looks like a marker of the codec", { $: "bigint", value: "1" }, { $: "bigint", value: "1" }],
  ];
  test.each(facts)("has no markers for %s", (_, value, json) => {
    expect(toPlainJson(value)).toEqual(json);
  });

  test("has a shared object at each of its places", () => {
    const point = { x: 1 };
    expect(toPlainJson([point, point])).toEqual([{ x: 1 }, { x: 1 }]);
  });

  test("is the encoded value if shared objects would make the JSON fill the memory", () => {
    const value = Array.from({ length: 60 }).reduce((inner) => [inner, inner], ["a"]);
    expect(toPlainJson(value)).toEqual(encodeValue(value));
    expect(toPlainText(value)).toBe(JSON.stringify(encodeValue(value)));
    const longKey = new Map([[value, 1]]);
    expect(toPlainJson(longKey)).toEqual(encodeValue(longKey));
  });

  test("is the encoded value of a list with a billion holes", () => {
    const value: unknown[] = [];
    value[1_000_000_000] = "end";
    expect(toPlainJson({ value })).toEqual(encodeValue({ value }));
  });

  test("can be as long as the value", () => {
    const value = Array.from({ length: 300_000 }, (_, index) => `row ${index}`);
    expect(toPlainJson(value)).toEqual(value);
  });

  test("refuses a value that cannot be encoded, and names its path", () => {
    expect(() => toPlainJson({ run: () => 1 })).toThrow("run");
  });
});

describe("the plain text of a value", () => {
  const facts: [what: string, value: unknown, text: string][] = [
    ["a text", "ok", "ok"],
    ["a big integer", 2n ** 70n, "1180591620717411303424"],
    ["a number that JSON lacks", Number.NaN, "NaN"],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["nothing", undefined, ""],
    ["null", null, "null"],
    ["an object", { sum: 3n }, '{"sum":"3"}'],
  ];
  test.each(facts)("is readable for %s", (_, value, text) => {
    expect(toPlainText(value)).toBe(text);
  });
});
