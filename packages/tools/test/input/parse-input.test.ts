import { Type } from "@sinclair/typebox";
import { AgentError } from "@smolts/protocol";
import { type InputForm, jsonSchema, tool } from "@smolts/tools";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const parse = async (input: unknown, given: unknown): Promise<unknown> =>
  tool({ name: "probe", description: "For tests.", input: input as InputForm, execute: () => 1 }).parseInput(given);

async function refusal(input: unknown, given: unknown): Promise<AgentError> {
  const error: unknown = await parse(input, given).then(
    (value) => new Error(`it was accepted as ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (!AgentError.is(error)) throw error;
  expect(error.code).toBe("tool-input");
  return error;
}

const absent = Symbol("absent");
const big = 10n;
const date = new Date(0);
/**
 * The values with which each matrix tests types, keyed by name. A row of a matrix lists the names
 * of the values that its type accepts.
 */
const values: { readonly [name: string]: unknown } = {
  text: "x",
  digits: "3",
  whole: 3,
  wholeFloat: 3.0,
  fraction: 2.5,
  nan: Number.NaN,
  infinity: Infinity,
  truth: true,
  falsehood: false,
  nothing: null,
  missing: absent,
  undefined: undefined,
  list: [1, 2],
  texts: ["a"],
  mixed: ["a", 1],
  empty: [],
  object: { a: 1 },
  bigint: big,
  date,
  map: new Map(),
};
const numbers = ["whole", "wholeFloat", "fraction"];
const wholes = ["whole", "wholeFloat"];
const texts = ["text", "digits"];
const booleans = ["truth", "falsehood"];
const left = ["nothing", "missing", "undefined"];
const everything = Object.keys(values).filter((name) => name !== "missing" && name !== "undefined");

const withArgument = (name: string): object => (values[name] === absent ? {} : { a: values[name] });

async function accepted(input: unknown): Promise<string[]> {
  const names = Object.keys(values);
  const outcomes = await Promise.all(
    names.map((name) =>
      parse(input, withArgument(name)).then(
        () => true,
        (error: unknown) => {
          if (AgentError.is(error) && error.code === "tool-input" && /"a(\[\d\])?" /.test(error.message)) return false;
          throw error;
        },
      ),
    ),
  );
  return names.filter((_, index) => outcomes[index]);
}

describe("the validation matrix of the short form", () => {
  const rows: [type: string, accepts: string[]][] = [
    ["string", texts],
    ["number", numbers],
    ["integer", wholes],
    ["boolean", booleans],
    ["object", ["object"]],
    ["any", everything],
    ["string?", [...texts, ...left]],
    ["number?", [...numbers, ...left]],
    ["integer?", [...wholes, ...left]],
    ["boolean?", [...booleans, ...left]],
    ["object?", ["object", ...left]],
    ["any?", [...everything, "missing", "undefined"]],
    ["any[]", ["list", "texts", "mixed", "empty"]],
    ["number[]", ["list", "empty"]],
    ["string[]", ["texts", "empty"]],
    ["string[]?", ["texts", "empty", ...left]],
  ];
  test.each(rows)("%s", async (type, accepts) => {
    expect((await accepted({ a: type })).sort()).toEqual([...accepts].sort());
  });
});

describe("the validation matrix of JSON Schema", () => {
  const rows: [what: string, schema: object, required: boolean, accepts: string[]][] = [
    ["nullable and required", { type: ["string", "null"] }, true, [...texts, "nothing"]],
    ["nullable and optional", { type: ["string", "null"] }, false, [...texts, ...left]],
    ["optional and not nullable", { type: "string" }, false, [...texts, "missing", "undefined"]],
    ["a nullable number, which NaN is not", { type: ["number", "null"] }, true, [...numbers, "nothing"]],
    ["a union", { anyOf: [{ type: "string" }, { type: "integer" }] }, true, [...texts, ...wholes]],
    ["an enum", { enum: ["x", 3] }, true, ["text", ...wholes]],
    [
      "a list of a union",
      { type: "array", items: { type: ["string", "number"] } },
      true,
      ["list", "texts", "mixed", "empty"],
    ],
    ["anything", {}, true, everything],
  ];
  test.each(rows)("%s", async (_what, schema, required, accepts) => {
    const input = { type: "object", properties: { a: schema }, ...(required ? { required: ["a"] } : {}) };
    expect((await accepted(input)).sort()).toEqual([...accepts].sort());
    expect((await accepted(jsonSchema(input))).sort()).toEqual([...accepts].sort());
  });
});

describe("what execute gets", () => {
  const cases: [what: string, input: unknown, given: unknown, parsed: unknown][] = [
    ["no arguments as nothing", {}, undefined, {}],
    ["no arguments as null", {}, null, {}],
    ["no arguments as an empty text", {}, "", {}],
    ["an object as JSON text", { a: "string" }, '{"a":"x"}', { a: "x" }],
    ["null for an optional argument as its absence", { a: "string?", b: "string" }, { a: null, b: "x" }, { b: "x" }],
    ["undefined as absence", { a: "string?" }, { a: undefined }, {}],
    ["null where any value is allowed", { a: "any" }, { a: null }, { a: null }],
    ["values that JSON lacks, where any value is allowed", { a: "any" }, { a: { big, date } }, { a: { big, date } }],
    [
      "zod's defaults and transforms",
      z.object({ n: z.number().default(2), s: z.string().transform((s) => s.length) }),
      { s: "four" },
      { n: 2, s: 4 },
    ],
    ["zod's own rule for unknown keys", z.object({ a: z.string() }), { a: "x", b: 1 }, { a: "x" }],
    ["valibot's defaults", toStandardJsonSchema(v.object({ n: v.optional(v.number(), 2) })), {}, { n: 2 }],
    ["arktype's defaults", type({ n: "number = 2" }), {}, { n: 2 }],
    ["TypeBox' fields", Type.Object({ a: Type.Integer() }), { a: 3 }, { a: 3 }],
    [
      "a schema that asynchronous code checks",
      z.object({ a: z.string().refine(async (a) => a === "x") }),
      { a: "x" },
      { a: "x" },
    ],
  ];
  test.each(cases)("%s", async (_what, input, given, parsed) => {
    expect(await parse(input, given)).toEqual(parsed);
  });
});

describe("the error about a wrong input", () => {
  const weather = { location: "string — a city", days: "integer?", tags: "string[]?" };
  const order = jsonSchema({
    type: "object",
    properties: {
      unit: { enum: ["C", "F"] },
      level: { type: "integer", minimum: 0, maximum: 9 },
      code: { type: "string", pattern: "^[A-Z]+$" },
      when: { type: "string", format: "date" },
      places: { type: "array", items: { $ref: "#/$defs/place" }, minItems: 1 },
      target: {
        anyOf: [{ type: "object", properties: { id: { type: "integer" } }, required: ["id"] }, { type: "null" }],
      },
    },
    $defs: { place: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } },
    additionalProperties: false,
  });
  const told: [what: string, input: unknown, given: unknown, message: string][] = [
    ["a missing argument", weather, {}, '"location" is missing; expected string (a city)'],
    ["a wrong type", weather, { location: 3 }, '"location" is 3; expected string'],
    ["digits for a number", weather, { location: "x", days: "3" }, '"days" is "3"; expected integer'],
    ["a fraction", weather, { location: "x", days: 1.5 }, '"days" is 1.5; expected integer'],
    ["NaN", weather, { location: "x", days: Number.NaN }, '"days" is NaN; expected integer'],
    ["a bigint", weather, { location: "x", days: big }, '"days" is 10n; expected integer'],
    ["a date", weather, { location: date }, '"location" is the date 1970-01-01T00:00:00.000Z; expected string'],
    ["null for a required one", weather, { location: null }, '"location" is null; expected string'],
    ["an item", weather, { location: "x", tags: ["a", 2] }, '"tags[1]" is 2; expected string'],
    [
      "a long value, cut",
      weather,
      { location: { text: "y".repeat(500) } },
      `"location" is {"text":"${"y".repeat(70)}…; expected`,
    ],
    ["a misspelt name", weather, { location: "x", dyas: 3 }, '"dyas" is unknown; did you mean "days"?'],
    [
      "another way to write a name",
      { maxResults: "integer" },
      { max_results: 3 },
      '"max_results" is unknown; did you mean "maxResults"?',
    ],
    [
      "an unknown name",
      weather,
      { location: "x", zebra: 3 },
      '"zebra" is unknown; known are "location", "days", "tags"',
    ],
    ["an argument for a tool without any", {}, { a: 1 }, '"a" is unknown; the tool takes no arguments'],
    ["a name of Object.prototype", weather, { location: "x", constructor: 3 }, '"constructor" is unknown'],
    ["a missing name of Object.prototype", { toString: "string" }, {}, '"toString" is missing'],
    ["an own __proto__", { a: "any" }, '{"a":{"__proto__":{"isAdmin":true}}}', 'it contains the key "__proto__"'],
    ["an own __proto__ for zod", z.object({ a: z.any() }), '{"a":{"__proto__":1}}', 'it contains the key "__proto__"'],
    ["a value that contains itself", { a: "any" }, { a: circular() }, "it contains itself"],
    ["a value that nests too deep", { a: "any" }, `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`, "deep"],
    ["a text", weather, "Paris", 'takes one object of named arguments, and got "Paris"'],
    ["a list", weather, ["Paris"], 'got ["Paris"]'],
    ["a number", weather, 3, "got 3"],
    ["the JSON text of a list", weather, "[1]", 'got "[1]"'],
    ["an enum", order, { unit: "K" }, '"unit" is "K"; expected "C" | "F"'],
    ["a bound", order, { level: 10 }, '"level" is 10; expected integer >= 0 <= 9'],
    ["a pattern", order, { code: "a" }, '"code" is "a"; expected string like /^[A-Z]+$/'],
    ["a format", order, { when: "soon" }, '"when" is "soon"; expected string (date)'],
    ["too few items", order, { places: [] }, '"places" is []; expected ({ x: number })[] of at least 1'],
    ["a field behind a reference", order, { places: [{ x: "1" }] }, '"places[0].x" is "1"; expected number'],
    ["a missing field in a list", order, { places: [{}] }, '"places[0].x" is missing; expected number'],
    ["the matching branch of a union", order, { target: { id: "1" } }, '"target.id" is "1"; expected integer'],
    ["a union without a matching branch", order, { target: 1 }, '"target" is 1; expected { id: integer } | null'],
    [
      "a name that does not fit",
      { type: "object", propertyNames: { maxLength: 2 } },
      { abc: 1 },
      'the input is {"abc":1}, which does not fit: Property name "abc"',
    ],
    [
      "an argument that another one needs",
      { type: "object", dependentRequired: { a: ["b"] } },
      { a: 1 },
      'does not fit: Instance has "a" but does not have "b"',
    ],
    [
      "zod's words",
      z.object({ n: z.number() }),
      { n: "1" },
      '"n" is "1"; invalid input: expected number, received string',
    ],
    [
      "zod's missing field and what was written",
      z.object({ location: z.string() }),
      { loction: "x" },
      'there is an unknown "loction"; write "location"',
    ],
    ["zod's unknown keys", z.strictObject({}), { n: 1 }, "unrecognized key"],
    ["arktype's words", type({ n: "number" }), { n: "1" }, '"n" is "1"; n must be a number'],
    [
      "valibot's words",
      toStandardJsonSchema(v.object({ n: v.number() })),
      { n: "1" },
      '"n" is "1"; invalid type: Expected number',
    ],
  ];
  test.each(told)("%s", async (_what, input, given, message) => {
    const error = await refusal(input, given);
    expect(error.message).toContain(message);
  });

  test("lists all problems, and shows how to call the tool", async () => {
    const error = await refusal(weather, { locaton: "x", days: "3" });
    expect(error.message).toBe(
      [
        'wrong input for the tool "probe":',
        '- "location" is missing; expected string (a city)',
        '- "days" is "3"; expected integer',
        '- "locaton" is unknown; did you mean "location"?',
      ].join("\n"),
    );
    expect(error.hint).toBe("call it as probe({ location: string, days?: integer, tags?: string[] })");
    expect(error.details).toEqual([
      { path: "location", message: "is missing; expected string (a city)" },
      { path: "days", message: 'is "3"; expected integer' },
      { path: "locaton", message: 'is unknown; did you mean "location"?' },
    ]);
  });

  test("lists only some of a hundred problems", async () => {
    const error = await refusal({ a: "string[]" }, { a: Array.from({ length: 100 }, (_, index) => index) });
    expect(error.message.split("\n")).toHaveLength(14);
    expect(error.message).toContain("and 88 more");
  });

  test("is found quickly in a value with shared references", async () => {
    let value: unknown = 1;
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(await parse({ a: "any" }, { a: value })).toEqual({ a: value });
  });
});

function circular(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}
