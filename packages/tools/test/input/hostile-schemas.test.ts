// Schemas from untrusted documents. A value is validated in bounded time, or refused with an error
// that says why.

import { CodeAgent } from "@smolts/core";
import { boundedPattern } from "@smolts/interpreter/pattern";
import { AgentError, type JsonSchema } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { jsonSchema, tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const issuesOf = async (schema: JsonSchema, value: unknown): Promise<readonly string[]> => {
  const result = await jsonSchema<unknown>(schema)["~standard"].validate(value);
  return (result.issues ?? []).map(({ message }) => message);
};
const text = (pattern: string): JsonSchema => ({ type: "string", pattern });
const attack = `${"a".repeat(200)}!`;

describe("a pattern that the host's engine would run for years", () => {
  const slow = ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "^(?:a?){60}a{60}$x"];
  test.each(slow)("/%s/ is tested in bounded time", async (pattern) => {
    // Two outcomes are allowed: the text does not match, or the validation takes too long.
    try {
      expect((await issuesOf(text(pattern), attack)).length).toBeGreaterThan(0);
    } catch (error) {
      expect(error).toMatchObject({ code: "tool-input", message: expect.stringMatching(/takes too long/) });
    }
  });

  const facts: [pattern: string, value: string, fits: boolean][] = [
    ["^(a+)+$", "aaaa", true],
    ["^(a+)+$", "aab", false],
    ["(a+)+b", "xxaab", true],
    ["^([a-z]+\\.)+com$", "mail.example.com", true],
    ["^([a-z]+\\.)+com$", "mail.example.org", false],
    ["(\\w+\\s?)+$", "two words", true],
    ["^(.*)*\\.$", "a (b) [c] {d} | e/f \\ g-h ^ $ ? * + .", true],
  ];
  test.each(facts)("/%s/ fits %j: %s", async (pattern, value, fits) => {
    expect((await issuesOf(text(pattern), value)).length === 0).toBe(fits);
    expect(new RegExp(pattern, "u").test(value)).toBe(fits);
  });

  test("is reported to the model with the place and the value", async () => {
    const schema = { type: "object", properties: { name: text("^(a+)+$") } };
    expect(await issuesOf(schema, { name: "b" })).toEqual(['is "b"; expected string like /^(a+)+$/']);
  });

  test("is also bounded in property names, in choices, behind references and in a negation", async () => {
    const names = { type: "object", patternProperties: { "^(x+)+$": { type: "number" } }, additionalProperties: false };
    expect(await issuesOf(names, { xx: 1 })).toEqual([]);
    expect(await issuesOf(names, { xx: "one" })).toHaveLength(1);
    expect(await issuesOf(names, { [attack]: 1 })).toHaveLength(1);
    expect(await issuesOf({ anyOf: [text("^(a+)+$"), { type: "number" }] }, "aa")).toEqual([]);
    expect(await issuesOf({ anyOf: [text("^(a+)+$"), { type: "number" }] }, "ab")).toHaveLength(1);
    const referring = { type: "array", items: { $ref: "#/$defs/A" }, $defs: { A: text("^(a+)+$") } };
    expect(await issuesOf(referring, ["a", "aa"])).toEqual([]);
    expect(await issuesOf(referring, ["a", "ab"])).toHaveLength(1);
    expect(await issuesOf({ not: text("^(a+)+$") }, "ab")).toEqual([]);
    expect(await issuesOf({ not: text("^(a+)+$") }, "aa")).toHaveLength(1);
    const both = {
      type: "object",
      patternProperties: { "^(x+)+$": { type: "number" }, "^(y+)+$": { type: "string" } },
    };
    expect(await issuesOf(both, { xx: 1, yy: "1", z: null })).toEqual([]);
    expect(await issuesOf(both, { yy: 1 })).toHaveLength(1);
  });

  test("is not slowed down by a long text in another place", async () => {
    const schema = { type: "object", properties: { name: text("^(a+)+$"), body: { type: "string" } } };
    expect(await issuesOf(schema, { name: "aa", body: attack })).toEqual([]);
    expect(await issuesOf(schema, { name: "ab", body: attack })).toHaveLength(1);
    await expect(issuesOf({ not: text("^(a+)+$") }, attack)).rejects.toThrow(/takes too long/);
  });

  test("does not stop a run", async () => {
    const find = tool({
      name: "find",
      description: "Finds.",
      input: jsonSchema<{ q: string }>({ type: "object", properties: { q: text("^(a+)+$") }, required: ["q"] }),
      effects: "none",
      execute: () => 1,
    });
    const replies = [`<code>await find({ q: "${attack}" })</code>`, "<code>finalAnswer('told')</code>"];
    expect(await new CodeAgent({ model: scriptedModel(replies), tools: [find] }).run("Go.")).toBe("told");
  });
});

test("the format url takes bounded time", async () => {
  const schema = { type: "string", format: "url" };
  expect(await issuesOf(schema, `http://${"a".repeat(60)}!`)).toEqual([]);
  expect(await issuesOf(schema, "https://example.org/a?b=1")).toEqual([]);
  expect(await issuesOf(schema, "example")).toHaveLength(1);
  expect(await issuesOf(schema, "javascript:alert(1)")).toHaveLength(1);
});

test("a bounded pattern reports when it gives up", async () => {
  expect(() => boundedPattern("^(a+)+$", { maxSteps: 10_000 })(attack)).toThrow(RangeError);
  expect(() => boundedPattern("(")).toThrow(SyntaxError);
});

test.each([5_000, 100_000])("a schema with %i levels is refused with an AgentError", (levels) => {
  let schema: JsonSchema = { type: "string" };
  for (let level = 0; level < levels; level++) schema = { type: "object", properties: { a: schema } };
  const error = (() => {
    try {
      const made = tool({ name: "x", description: "x", input: jsonSchema<object>(schema), execute: () => 1 });
      return new CodeAgent({ model: scriptedModel([]), tools: [made] }) && null;
    } catch (thrown) {
      return thrown;
    }
  })();
  // An engine with a larger stack may accept the schema.
  if (error !== null) expect(AgentError.is(error) && error.message).toMatch(/nests too deep/);
});

test.each([z.date(), z.object({ when: z.date() }), z.bigint()])(
  "an output that JSON cannot represent is refused: %#",
  (output) => {
    expect(() => new CodeAgent<unknown>({ model: scriptedModel([]), output: output as z.ZodType<unknown> })).toThrow(
      expect.objectContaining({ code: "invalid-option", message: expect.stringMatching(/output has no JSON Schema/) }),
    );
  },
);

test("a date in an output is a string, and an answer that is a Date is refused", async () => {
  const replies = [
    "<code>finalAnswer({ when: new Date(0) })</code>",
    "<code>finalAnswer({ when: '1970-01-01' })</code>",
  ];
  const output = z.object({ when: z.iso.date() });
  const { output: answer, steps } = await new CodeAgent({ model: scriptedModel(replies), output }).run("When?").result;
  expect(answer).toEqual({ when: "1970-01-01" });
  expect(JSON.stringify(steps)).toMatch(/"when\\" is/);
});

test.each(["^[a-z]+$", "^\\d{4}-\\d{2}-\\d{2}$", "^-?\\d+$", "^(?:yes|no)$", "^[A-Z]{2,3}-\\d+$"])(
  "/%s/ accepts and refuses long texts",
  async (pattern) => {
    const long = "a".repeat(100_000);
    expect((await issuesOf(text(pattern), long)).length === 0).toBe(new RegExp(pattern, "u").test(long));
  },
);

test("many optional characters in a row do not bypass the limit", async () => {
  expect(
    await issuesOf(text(`^${"a?".repeat(40)}${"a".repeat(40)}b$`), "a".repeat(60)).catch(() => "undecided"),
  ).not.toEqual([]);
});

test("a long text is refused by a typed error where a slow pattern depends on it", async () => {
  await expect(issuesOf(text("^(a+)+$"), "a".repeat(100_000))).rejects.toThrow(
    expect.objectContaining({ code: "tool-input", message: expect.stringMatching(/takes too long/) }),
  );
});

describe("a schema whose references multiply", () => {
  /** Returns schemas, each with two references to the next one. */
  const doubled = (keyword: "allOf" | "anyOf" | "oneOf", last: JsonSchema, place = "$defs", count = 40): JsonSchema => {
    const twice = (level: number) => [{ $ref: `#/${place}/d${level + 1}` }, { $ref: `#/${place}/d${level + 1}` }];
    const levels = Array.from({ length: count }, (_, level) => [`d${level}`, { [keyword]: twice(level) }]);
    return { $ref: `#/${place}/d0`, [place]: { ...Object.fromEntries(levels), [`d${count}`]: last } };
  };
  const hostile: [what: string, schema: JsonSchema][] = [
    ["all of them fit", doubled("allOf", { type: "string" })],
    ["any of them fits", doubled("anyOf", { type: "string" })],
    ["none of them fits", doubled("anyOf", { type: "number" })],
    ["one of them fits", doubled("oneOf", { type: "string" })],
    ["outside of $defs", doubled("allOf", { type: "string" }, "x-parts")],
    ["one refers to itself", { $ref: "#" }],
    ["one refers to itself twice", { allOf: [{ $ref: "#" }, { $ref: "#" }] }],
  ];
  test.each(hostile)("is stopped after a number of steps: %s", async (_what, schema) => {
    await expect(issuesOf(schema, "hi")).rejects.toMatchObject({
      code: "tool-input",
      message: expect.stringMatching(/too many steps/),
    });
  });

  test("reports a mistake once, even if it causes thousands of errors", async () => {
    for (const keyword of ["allOf", "anyOf", "oneOf"] as const) {
      expect(await issuesOf(doubled(keyword, { type: "number" }, "$defs", 13), "hi")).toHaveLength(1);
    }
  });

  test("is also stopped for a value whose parts multiply", async () => {
    let value: unknown = 1;
    for (let level = 0; level < 40; level++) value = [value, value];
    await expect(issuesOf({ items: { $ref: "#" } }, value)).rejects.toThrow(/too many steps/);
  });

  test("does not prevent large values and unions with many members", async () => {
    const kinds = Array.from({ length: 90 }, (_, kind) => ({
      properties: { kind: { const: kind } },
      required: ["kind"],
    }));
    const list = Array.from({ length: 3_000 }, (_, index) => ({ kind: index % 90, text: "x" }));
    expect(await issuesOf({ type: "array", items: { anyOf: kinds } }, list)).toEqual([]);
    const tree = { type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } };
    let node: object = {};
    for (let level = 0; level < 60; level++) node = { children: [node, {}] };
    expect(await issuesOf(tree, node)).toEqual([]);
    expect(await issuesOf({ enum: [{ $ref: "x" }, { $ref: "y" }] }, { $ref: "y" })).toEqual([]);
  });
});
