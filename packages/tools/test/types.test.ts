import { Type } from "@sinclair/typebox";
import type { JsonSchema, MediaPart, Tool, ToolContext } from "@smolts/protocol";
import { jsonSchema, tool } from "@smolts/tools";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const name = "probe";
const description = "For the types.";

test("the short form types the argument of execute", () => {
  tool({
    name,
    description,
    input: {
      city: "string — a city",
      days: "integer?",
      tags: "string[]? - why? so",
      ratio: "number",
      celsius: "boolean? — or not?",
      more: "object",
      rest: "any",
      photo: "image",
      sounds: "audio[]",
    },
    execute: (input, context) => {
      expectTypeOf(input).toEqualTypeOf<{
        city: string;
        ratio: number;
        more: { [key: string]: unknown };
        rest: unknown;
        photo: MediaPart;
        sounds: MediaPart[];
        days?: number;
        tags?: string[];
        celsius?: boolean;
      }>();
      expectTypeOf(context).toEqualTypeOf<ToolContext>();
    },
  });
});

test("a type that the short form does not have is a compile error", () => {
  // @ts-expect-error "strnig" is not a short type
  const options: Parameters<typeof tool<{ city: "strnig" }>>[0] | undefined = undefined;
  expectTypeOf(options).toEqualTypeOf<undefined>();
});

test("without input, execute has no argument", () => {
  const now = tool({ name, description, execute: () => 1 });
  expectTypeOf<Parameters<(typeof now)["execute"]>[0]>().toEqualTypeOf<Record<string, never>>();
});

test("zod types execute by its output, and examples by its input", () => {
  const made = tool({
    name,
    description,
    input: z.object({
      city: z.string(),
      days: z.number().default(3),
      when: z.string().transform((text) => text.length),
    }),
    examples: [{ city: "Paris", when: "now" }],
    needsApproval: ({ days }) => days > 3,
    execute: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ city: string; days: number; when: number }>();
    },
  });
  expectTypeOf<ReturnType<(typeof made)["parseInput"]>>().toEqualTypeOf<
    { city: string; days: number; when: number } | Promise<{ city: string; days: number; when: number }>
  >();
});

test("arktype types the argument", () => {
  tool({
    name,
    description,
    input: type({ city: "string", "days?": "number" }),
    execute: (input) => expectTypeOf(input).toEqualTypeOf<{ city: string; days?: number }>(),
    output: "any",
  });
});

test("wrapped valibot types the argument", () => {
  tool({
    name,
    description,
    input: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 3) })),
    execute: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ city: string; days: number }>();
    },
  });
});

test("TypeBox types the argument", () => {
  tool({
    name,
    description,
    input: Type.Object({ city: Type.String(), days: Type.Optional(Type.Integer()) }),
    execute: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ city: string; days?: number }>();
    },
  });
});

test("an inline JSON Schema types the argument", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string" },
      unit: { enum: ["C", "F"] },
      days: { type: ["integer", "null"] },
      places: { type: "array", items: { type: "object", properties: { x: { type: "number" } }, required: ["x"] } },
      either: { anyOf: [{ type: "string" }, { type: "boolean" }] },
      kind: { const: "a" },
      more: { type: "object" },
      rest: {},
    },
    required: ["city", "places"],
  } as const;
  interface Expected {
    city: string;
    places: { x: number }[];
    unit?: "C" | "F";
    days?: number | null;
    either?: string | boolean;
    kind?: "a";
    more?: { [name: string]: unknown };
    rest?: unknown;
  }
  tool({ name, description, input: schema, execute: (input) => expectTypeOf(input).toExtend<Expected>() });
  tool({
    name,
    description,
    input: jsonSchema(schema),
    execute: (input) => {
      expectTypeOf(input).toExtend<Expected>();
      expectTypeOf<Expected>().toExtend<typeof input>();
    },
  });
  tool({
    name,
    description,
    input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    execute: ({ city }) => {
      expectTypeOf(city).toEqualTypeOf<string>();
    },
  });
});

test("a JSON Schema in a variable has the given type argument, or unknown values", () => {
  const schema: JsonSchema = { type: "object" };
  interface Order {
    id: string;
  }
  tool({
    name,
    description,
    input: jsonSchema<Order>(schema),
    execute: (input) => {
      expectTypeOf(input).toEqualTypeOf<Order>();
    },
  });
  tool({
    name,
    description,
    input: jsonSchema(schema),
    execute: (input) => {
      expectTypeOf(input).toEqualTypeOf<unknown>();
    },
  });
});

test("output types the result of execute", () => {
  tool({ name, description, output: "string", execute: async () => "fine" });
  tool({ name, description, output: "number? — or none", execute: () => null });
  tool({ name, description, output: z.object({ n: z.number() }), execute: () => ({ n: 1 }) });
  tool({ name, description, output: { type: "array", items: { type: "string" } }, execute: () => ["a"] });
  // @ts-expect-error a number is not a string
  tool({ name, description, output: "string", execute: () => 1 });
  // @ts-expect-error n is a number
  tool({ name, description, output: z.object({ n: z.number() }), execute: () => ({ n: "1" }) });
  // @ts-expect-error the items are strings
  tool({ name, description, output: { type: "array", items: { type: "string" } }, execute: () => [1] });
});

test("inputSchema and parameters type the argument in the same way as input", () => {
  tool({
    name,
    description,
    parameters: z.object({ city: z.string() }),
    execute: ({ city }) => {
      expectTypeOf(city).toEqualTypeOf<string>();
    },
  });
  tool({
    name,
    description,
    inputSchema: { city: "string" },
    execute: ({ city }) => {
      expectTypeOf(city).toEqualTypeOf<string>();
    },
  });
});

test("typed tools fit a list of tools", () => {
  const tools: readonly Tool[] = [
    tool({ name, description, input: { city: "string" }, execute: ({ city }) => city }),
    tool({ name, description, input: z.object({ n: z.number() }), execute: ({ n }) => n }),
    tool({ name, description, execute: () => 1 }),
  ];
  expectTypeOf(tools).toExtend<readonly Tool[]>();
});
