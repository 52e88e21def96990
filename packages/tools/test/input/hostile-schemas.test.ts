// Schemas that somebody else wrote, large, recursive or odd: each is taken or refused when the tool is made, and validates in bounded time.

import { AgentError, type JsonSchema } from "@smolts/protocol";
import { type InputForm, tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";

const probe = (properties: object, more: object = {}) =>
  tool({
    name: "probe",
    description: "For tests.",
    input: { type: "object", properties, ...more } as InputForm,
    execute: (input) => input,
  });

async function refusal(task: () => unknown): Promise<AgentError> {
  try {
    await task();
  } catch (error) {
    if (AgentError.is(error)) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("a schema", () => {
  test("that refers to itself is taken, and followed as deep as the value goes", async () => {
    const $defs = { node: { type: "object", properties: { next: { $ref: "#/$defs/node" }, n: { type: "integer" } } } };
    const list = probe({ head: { $ref: "#/$defs/node" } }, { $defs });
    const chain = (length: number, n: unknown): object => (length === 0 ? { n } : { next: chain(length - 1, n) });
    expect(await list.parseInput({ head: chain(50, 1) })).toBeDefined();
    expect((await refusal(() => list.parseInput({ head: chain(50, "x") }))).message).toContain(
      'is "x"; expected integer',
    );
  });

  test("with an enum of 10,000 values is taken, and its errors stay short", async () => {
    const codes = probe({ code: { enum: Array.from({ length: 10_000 }, (_, index) => `code-${index}`) } });
    expect(await codes.parseInput({ code: "code-9999" })).toEqual({ code: "code-9999" });
    const { message, hint } = await refusal(() => codes.parseInput({ code: "code-10000" }));
    expect(`${message}${hint}`.length).toBeLessThan(1_500);
  });

  test("with a union of objects says what the nearest branch wants", async () => {
    const circle = {
      type: "object",
      properties: { kind: { const: "circle" }, radius: { type: "number" } },
      required: ["kind", "radius"],
    };
    const square = {
      type: "object",
      properties: { kind: { const: "square" }, side: { type: "number" } },
      required: ["kind", "side"],
    };
    const shape = probe({ shape: { oneOf: [circle, square] } }, { required: ["shape"] });
    expect(await shape.parseInput({ shape: { kind: "square", side: 2 } })).toBeDefined();
    expect((await refusal(() => shape.parseInput({ shape: { kind: "square", side: "2" } }))).message).toMatch(
      /"2"|side/,
    );
  });

  test.each([
    ["none", false, /"extra" is unknown/],
    ["only numbers", { type: "number" }, /"extra" is "x"; expected number/],
  ])("that allows %s besides its properties holds to it", async (_what, additionalProperties, says) => {
    const closed = probe({ a: { type: "string" } }, { additionalProperties });
    expect(await closed.parseInput({ a: "x" })).toEqual({ a: "x" });
    expect((await refusal(() => closed.parseInput({ a: "x", extra: "x" }))).message).toMatch(says);
  });

  test("whose any is nested leaves the type out, and never says any", () => {
    const { inputSchema } = tool({
      name: "probe",
      description: "For tests.",
      input: { a: "any", list: "any[]", rest: "object?" },
      execute: () => 1,
    });
    expect(JSON.stringify(inputSchema)).not.toContain('"any"');
    expect(inputSchema["properties"]).toEqual({ a: {}, list: { type: "array", items: {} }, rest: { type: "object" } });
  });

  const odd: [what: string, properties: object, says: string][] = [
    ["a property __proto__", JSON.parse('{"__proto__":{"type":"string"}}'), "__proto__"],
    ["a reference to a file", { a: { $ref: "file:///etc/passwd" } }, "not in the schema"],
    ["a reference to an address", { a: { $ref: "https://evil.example/schema.json" } }, "not in the schema"],
  ];
  test.each(odd)("with %s is refused when the tool is made", async (_what, properties, says) => {
    expect((await refusal(() => probe(properties))).message).toContain(says);
  });

  test("of three hundred levels is taken", async () => {
    let schema: JsonSchema = { type: "string" };
    for (let depth = 0; depth < 300; depth++) schema = { type: "object", properties: { a: schema } };
    expect(await probe({ a: schema }).parseInput({ a: { a: { a: {} } } })).toBeDefined();
  });
});

describe("arguments", () => {
  const text = probe({ a: { type: "string" } }, { required: ["a"] });

  test("that are the text of a JSON object are read as that object, and any other text is refused", async () => {
    expect(await text.parseInput('{"a":"x"}')).toEqual({ a: "x" });
    for (const given of ['["x"]', '"x"', "a: x", "{", '{"a":1}']) {
      expect((await refusal(() => text.parseInput(given))).code).toBe("tool-input");
    }
  });

  test("that are a proxy or have accessors reach no code of theirs beyond being read", async () => {
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("a trap");
        },
      },
    );
    await expect(async () => text.parseInput(trap)).rejects.toThrow();
  });

  test("of 5 MB are validated in the time of reading them", async () => {
    expect(await text.parseInput({ a: "x".repeat(5_000_000) })).toBeDefined();
    const { message } = await refusal(() => text.parseInput({ a: Array.from({ length: 100_000 }, () => "x") }));
    expect(message.length).toBeLessThan(2_000);
  });
});
