import { Type } from "@sinclair/typebox";
import { AgentError, type JsonSchema } from "@smolts/protocol";
import { type InputForm, jsonSchema, tool } from "@smolts/tools";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";

const base = { name: "probe", description: "For tests.", execute: (): unknown => undefined };

/** Calls `tool` with any options, as JavaScript code can. */
const construct = (options: object): unknown => tool({ ...base, ...options } as typeof base);
const inputSchemaOf = (input: unknown): JsonSchema => tool({ ...base, input: input as InputForm }).inputSchema;

function refusal(make: () => unknown): AgentError {
  try {
    make();
  } catch (error) {
    if (AgentError.is(error)) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

test("a JSON Schema keeps its $schema, and a library's schema gets none", () => {
  const $schema = "http://json-schema.org/draft-07/schema#";
  const pair = { $schema, type: "object", properties: { pair: { items: [{ type: "string" }, { type: "number" }] } } };
  expect(inputSchemaOf(pair)["$schema"]).toBe($schema);
  expect(inputSchemaOf(jsonSchema(pair))["$schema"]).toBe($schema);
  expect(tool({ ...base, output: pair as JsonSchema }).outputSchema?.["$schema"]).toBe($schema);
  expect(inputSchemaOf(z.object({ a: z.string() }))).not.toHaveProperty("$schema");
  expect(inputSchemaOf(type({ a: "string" }))).not.toHaveProperty("$schema");
});

describe("the short form", () => {
  const types: [type: string, schema: JsonSchema, required: boolean][] = [
    ["string", { type: "string" }, true],
    ["number", { type: "number" }, true],
    ["integer", { type: "integer" }, true],
    ["boolean", { type: "boolean" }, true],
    ["object", { type: "object" }, true],
    ["any", {}, true],
    ["string?", { type: "string" }, false],
    ["integer[]", { type: "array", items: { type: "integer" } }, true],
    ["any[]?", { type: "array", items: {} }, false],
    ["string — a city", { type: "string", description: "a city" }, true],
    ["string - a city", { type: "string", description: "a city" }, true],
    ["string? — which one? — a or b", { type: "string", description: "which one? — a or b" }, false],
    [
      "number[] — well-known - and others",
      { type: "array", items: { type: "number" }, description: "well-known - and others" },
      true,
    ],
  ];
  test.each(types)("%s", (text, schema, required) => {
    expect(inputSchemaOf({ a: text })).toEqual({
      type: "object",
      properties: { a: schema },
      ...(required ? { required: ["a"] } : {}),
      additionalProperties: false,
    });
  });

  test.each(["image", "audio"])("%s is a media part", (text) => {
    const schema = inputSchemaOf({ a: text });
    expect(schema["properties"]).toMatchObject({
      a: { title: text, type: "object", properties: { type: { const: text } } },
    });
  });

  test("an argument with the name type is not mistaken for a JSON Schema, unless it is an object", () => {
    expect(inputSchemaOf({ type: "string" })).toMatchObject({ properties: { type: { type: "string" } } });
    expect(inputSchemaOf({ type: "object" })).toEqual({ type: "object" });
  });

  const bad: [text: unknown, hint: RegExp][] = [
    ["strnig", /write "string"/],
    ["int", /write "integer"/],
    ["bool?", /write "boolean"/],
    ["String", /write "string"/],
    ["string | number", /string, number, integer, boolean, object, any, image, audio/],
    ["string[][]", /for anything else give a schema/],
    ["string?[]", /a closing \?/],
    ["", /string, number/],
    ["constructor", /string, number/],
    [{ type: "string" }, /string, number/],
    [z.string(), /string, number/],
  ];
  test.each(bad)("refuses %j and lists the types", (text, hint) => {
    const error = refusal(() => inputSchemaOf({ city: text }));
    expect(error.code).toBe("invalid-option");
    expect(error.message).toContain('tool "probe": input: argument "city"');
    expect(error.hint).toMatch(hint);
  });
});

describe("schemas of other libraries", () => {
  const city = {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "number" } },
    required: ["city"],
  };
  const forms: [library: string, form: unknown][] = [
    ["zod 4", z.object({ city: z.string(), days: z.number().optional() })],
    ["arktype", type({ city: "string", "days?": "number" })],
    ["valibot, wrapped", toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number()) }))],
    ["TypeBox", Type.Object({ city: Type.String(), days: Type.Optional(Type.Number()) })],
    ["a JSON Schema", city],
    ["jsonSchema()", jsonSchema(city)],
  ];
  test.each(forms)("%s becomes plain JSON Schema", (_library, form) => {
    expect(inputSchemaOf(form)).toEqual(city);
  });

  const refused: [library: string, form: unknown, hint: RegExp][] = [
    ["zod 3", z3.object({ city: z3.string() }), /zod 4\.2/],
    ["bare valibot", v.object({ city: v.string() }), /toStandardJsonSchema\(schema\).*@valibot\/to-json-schema/],
    [
      "a library without a converter",
      { "~standard": { version: 1, vendor: "other", validate: () => ({ value: 1 }) } },
      /jsonSchema\(/,
    ],
    ["zod with a date", z.object({ when: z.date() }), /a date is a string/],
    ["zod of no object", z.string(), /z\.object\(/],
    ["a JSON Schema of no object in jsonSchema()", jsonSchema({ type: "string" }), /z\.object\(/],
  ];
  test.each(refused)("%s is refused with a hint", (_library, form, hint) => {
    const error = refusal(() => inputSchemaOf(form));
    expect(error.code).toBe("invalid-option");
    expect(error.message).toContain('tool "probe": input');
    expect(error.hint).toMatch(hint);
  });

  test("a union of objects is an object", () => {
    const either = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a") }),
      z.object({ kind: z.literal("b") }),
    ]);
    expect(inputSchemaOf(either)).toMatchObject({ type: "object" });
  });

  test("unions, enums and nested arrays are unchanged in the schema", () => {
    const input = z.object({
      unit: z.enum(["C", "F"]),
      either: z.union([z.string(), z.object({})]),
      grid: z.array(z.array(z.object({ x: z.number() }))),
    });
    expect(inputSchemaOf(input)).toMatchObject({
      properties: {
        unit: { type: "string", enum: ["C", "F"] },
        either: { anyOf: [{ type: "string" }, { type: "object" }] },
        grid: {
          type: "array",
          items: { type: "array", items: { type: "object", properties: { x: { type: "number" } } } },
        },
      },
    });
  });

  test("later changes to a schema do not affect the tool", () => {
    const input = { type: "object" as const, properties: { a: { type: "string" } } };
    const schema = inputSchemaOf(input);
    input.properties.a.type = "number";
    expect(schema).toEqual({ type: "object", properties: { a: { type: "string" } } });
  });
});

describe("tool() refuses", () => {
  const object = { type: "object" };
  const refused: [what: string, options: object, message: string, hint: string][] = [
    ["no name", { name: undefined }, "a tool has no name", 'name: "searchWeb"'],
    ["a name with a hyphen", { name: "get-weather" }, 'tool name "get-weather"', 'write name: "getWeather"'],
    ["a name with a digit first", { name: "3d" }, 'tool name "3d"', 'write name: "tool3d"'],
    ["a name with other letters", { name: "wetterFür" }, "wetterFür", 'write name: "wetterFur"'],
    ["a reserved word", { name: "delete" }, "reserved word", 'write name: "deleteTool"'],
    ["a name that shadows undefined", { name: "undefined" }, "reserved word", "undefinedTool"],
    ["a name that is too long", { name: "a".repeat(65) }, "not a name that code", "64 at most"],
    ["no description", { description: undefined }, 'tool "probe" has no description', "the model knows nothing else"],
    ["an empty description", { description: " " }, 'tool "probe" has no description', "the model knows nothing else"],
    ["no execute", { execute: undefined }, 'tool "probe" has no execute', "write execute:"],
    ["another framework's name for an option", { forward: () => 1 }, 'no option "forward"', 'called "execute" here'],
    ["a misspelt option", { exampels: [] }, 'no option "exampels"', 'did you mean "examples"?'],
    ["the name of an inherited property", { toString: 1 }, 'no option "toString"', "the options are: name,"],
    ["an unknown option", { colour: "red" }, 'no option "colour"', "the options are: name, description, input,"],
    ["unknown effects", { effects: "read" }, 'effects "read"', '"none"'],
    ["unknown approval", { needsApproval: "always" }, 'needsApproval "always"', '"each"'],
    ["examples that are not a list", { examples: { a: 1 } }, 'examples {"a":1}', "list of inputs"],
    ["positional that is not a list", { positional: "a" }, 'positional "a"', "list of names"],
    ["a negative time", { timeoutMs: -1 }, "timeoutMs -1", "milliseconds"],
    ["a time that is not a number", { timeoutMs: "10s" }, 'timeoutMs "10s"', "milliseconds"],
    ["module without export", { module: "./tools.ts" }, "only module", "both"],
    ["two names for the input", { input: {}, parameters: {} }, "input and parameters", "keep input"],
    ["an input that is a string", { input: "string" }, "input is a string", "leave it out"],
    ["an input that is a list", { input: ["query"] }, "input is an array", "leave it out"],
    ["an input that is null", { input: null }, "input is null", "leave it out"],
    [
      "an unknown type in a schema",
      { input: { ...object, properties: { a: { type: "str" } } } },
      '"properties.a" has the unknown type "str"',
      "string, number",
    ],
    [
      "an unknown type in a list of types",
      { input: { ...object, properties: { a: { type: ["string", "none"] } } } },
      'unknown type "none"',
      "null",
    ],
    [
      "a pattern that does not compile",
      { input: { ...object, properties: { a: { pattern: "(" } } } },
      "does not compile",
      "regular expressions",
    ],
    [
      "a reference that leads nowhere",
      { input: { ...object, properties: { a: { $ref: "#/$defs/b" } } } },
      "#/$defs/b",
      "$defs",
    ],
    ["a schema that contains itself", { input: circular() }, "not JSON", "$ref"],
    [
      "two parts with the same $id",
      { input: { ...object, properties: { a: { $id: "one", type: "string" }, b: { $id: "one", type: "number" } } } },
      "cannot be used for validation",
      "$id",
    ],
    ["positional with an unknown name", { input: { a: "string" }, positional: ["b"] }, 'names "b"', "it has a"],
    ["positional with a name twice", { input: { a: "string" }, positional: ["a", "a"] }, '"a" twice', "once"],
    [
      "positional without a required one",
      { input: { a: "string", b: "string" }, positional: ["a"] },
      'leaves out "b"',
      "required",
    ],
    [
      "positional with an optional one first",
      { input: { a: "string?", b: "string" }, positional: ["a", "b"] },
      'before the required "b"',
      "first",
    ],
    [
      "an example that does not fit",
      { input: { a: "string" }, examples: [{ a: "x" }, { a: 1 }] },
      'example 2 does not fit: wrong input for the tool "probe": "a" is 1',
      "correct",
    ],
    [
      "an example that is not JSON",
      { input: { a: "any" }, examples: [{ a: 1n }] },
      "is not JSON",
      "as the model would",
    ],
    ["an unknown output type", { output: "strnig" }, 'tool "probe": output has no type', 'write "string"'],
    ["an output of names and types", { output: { city: "string" } }, "not a JSON Schema", 'type: "object"'],
  ];
  test.each(refused)("%s", (_what, options, message, hint) => {
    const error = refusal(() => construct(options));
    expect(error.code).toBe("invalid-option");
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });
});

describe("a tool", () => {
  test("has no arguments and the effects once by default", () => {
    const { parseInput, execute, ...rest } = tool({ ...base });
    expect(rest).toEqual({
      name: "probe",
      description: "For tests.",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      effects: "once",
    });
  });

  test("can have all options", () => {
    const made = tool({
      ...base,
      input: { a: "string", b: "integer?" },
      output: "string[] — the names",
      examples: [{ a: "x" }],
      effects: "idempotent",
      positional: ["a", "b"],
      timeoutMs: 0,
      module: "./tools.ts",
      export: "probe",
      execute: ({ a }) => [a],
    });
    expect(made).toMatchObject({
      outputSchema: { type: "array", items: { type: "string" }, description: "the names" },
      examples: [{ a: "x" }],
      effects: "idempotent",
      positional: ["a", "b"],
      timeoutMs: 0,
      reference: { module: "./tools.ts", export: "probe" },
    });
    expect(made.execute({ a: "x" }, {} as never)).toEqual(["x"]);
  });

  const outputs: [what: string, output: unknown, schema: JsonSchema][] = [
    ["a short type", "number", { type: "number" }],
    ["an optional short type", "string?", { anyOf: [{ type: "string" }, { type: "null" }] }],
    [
      "zod, as execute returns it",
      z.object({ n: z.number().default(1) }),
      {
        type: "object",
        properties: { n: { default: 1, type: "number" } },
        required: ["n"],
        additionalProperties: false,
      },
    ],
    ["a JSON Schema", { type: "array", items: { type: "string" } }, { type: "array", items: { type: "string" } }],
    ["anything", {}, {}],
  ];
  test.each(outputs)("may have as its output %s", (_what, output, schema) => {
    expect(tool({ ...base, output: output as JsonSchema }).outputSchema).toEqual(schema);
  });

  test("may have as needsApproval a boolean, a string, or a function of the input", async () => {
    const ask = (needsApproval: boolean | "each"): unknown =>
      tool({ ...base, needsApproval }).needsApproval?.({}, {} as never);
    expect([ask(true), ask("each"), ask(false)]).toEqual([true, "each", undefined]);
    const big = tool({ ...base, input: { amount: "number" }, needsApproval: async ({ amount }) => amount > 10 });
    expect(await big.needsApproval?.({ amount: 11 }, {} as never)).toBe(true);
    expect(await big.needsApproval?.({ amount: 10 }, {} as never)).toBe(false);
  });
});

function circular(): object {
  const schema: { type: string; self?: object } = { type: "object" };
  schema.self = schema;
  return schema;
}
