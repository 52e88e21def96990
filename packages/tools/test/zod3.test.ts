import type { JsonSchema } from "@smolts/protocol";
import { tool } from "@smolts/tools";
import { zod3 } from "@smolts/tools/zod3";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z as z4 } from "zod";
import { z } from "zod3";
import { call } from "./toolbox/tool-call.ts";

const base = { name: "probe", description: "For tests." };

describe("zod3()", () => {
  test("passes the schema's output to execute, with defaults and transforms", async () => {
    const probe = tool({
      ...base,
      input: zod3(
        z.object({ city: z.string(), days: z.number().default(3), when: z.string().transform((text) => text.length) }),
      ),
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ city: string; days: number; when: number }>();
        return input;
      },
    });
    expect(await call(probe, { city: "Paris", when: "now" })).toEqual({ city: "Paris", days: 3, when: 3 });
  });

  test("shows the model the schema's input", () => {
    const schema = z.object({
      unit: z.enum(["C", "F"]).describe("the scale"),
      tags: z.array(z.string()).optional(),
      size: z.string().transform(Number),
      either: z.union([z.string(), z.number()]).nullable(),
    });
    const { inputSchema } = tool({
      ...base,
      input: zod3(schema),
      output: zod3(z.object({ n: z.string().pipe(z.coerce.number()) })),
      execute: () => ({ n: 1 }),
    });
    expect(inputSchema).toMatchObject({
      type: "object",
      properties: {
        unit: { enum: ["C", "F"], description: "the scale" },
        tags: { type: "array" },
        size: { type: "string" },
      },
      required: ["unit", "size", "either"],
    } satisfies JsonSchema);
  });

  test("supports a schema that refers to itself", async () => {
    interface Node {
      readonly children: readonly Node[];
    }
    const node: z.ZodType<Node> = z.lazy(() => z.object({ children: z.array(node) }));
    const probe = tool({
      ...base,
      input: zod3(z.object({ node })),
      execute: ({ node: given }) => given.children.length,
    });
    expect(await call(probe, { node: { children: [{ children: [] }] } })).toBe(1);
    await expect(call(probe, { node: { children: [1] } })).rejects.toMatchObject({ code: "tool-input" });
  });

  test("reports what is wrong with an argument", async () => {
    const probe = tool({ ...base, input: zod3(z.object({ city: z.string() })), execute: () => "" });
    expect(() => probe.parseInput({ city: 1 })).toThrow('"city" is 1; expected string, received number');
  });

  test("refuses a value that is not a zod 3 schema", () => {
    for (const given of [z4.object({}), {}, null]) {
      expect(() => zod3(given as unknown as Parameters<typeof zod3>[0])).toThrow("not a schema of zod 3.24 or later");
    }
  });
});
