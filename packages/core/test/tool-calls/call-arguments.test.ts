import { inputFromArguments } from "@smolts/core";
import { AgentError, encodeValue, type Tool } from "@smolts/protocol";
import { expect, test } from "vitest";

type Declared = Pick<Tool, "name" | "inputSchema" | "positional">;

const withFields = (required: readonly string[], optional: readonly string[] = []): Declared => ({
  name: "transfer",
  inputSchema: {
    type: "object",
    properties: Object.fromEntries([...required, ...optional].map((name) => [name, { type: "string" }])),
    required,
  },
});

const none = withFields([]);
const city = withFields(["city"], ["unit"]);
const pair = withFields(["from", "to"]);
const ordered: Declared = { ...pair, positional: ["from", "to"] };
const map = new Map([["a", 1n]]);

const mapped: [what: string, tool: Declared, args: unknown[], input: unknown][] = [
  ["no argument", city, [], {}],
  ["one object", pair, [{ from: "a", to: "b" }], { from: "a", to: "b" }],
  ["one object with too many fields", city, [{ x: 1 }], { x: 1 }],
  ["the one required argument", city, ["Paris"], { city: "Paris" }],
  ["a list as the one required argument", city, [["a"]], { city: ["a"] }],
  ["a map as the one required argument", city, [map], { city: map }],
  ["null as the one required argument", city, [null], { city: null }],
  ["null for no arguments", none, [null], {}],
  ["undefined for no arguments", none, [undefined], {}],
  ["declared positions", ordered, ["a", "b"], { from: "a", to: "b" }],
  ["the first of declared positions", ordered, ["a"], { from: "a" }],
  ["an object at a declared position", ordered, [{ id: 1 }, "b"], { from: { id: 1 }, to: "b" }],
  ["trailing undefined", city, ["Paris", undefined], { city: "Paris" }],
];

test.each(mapped)("maps %s", (_what, tool, args, input) => {
  expect(
    inputFromArguments(
      tool,
      args.map((arg) => encodeValue(arg)),
    ),
  ).toEqual(input);
});

const refused: [what: string, tool: Declared, args: unknown[]][] = [
  ["two arguments in an order that nobody declared", pair, ["a", "b"]],
  ["one argument where two are required", pair, ["a"]],
  ["more arguments than declared", ordered, ["a", "b", "c"]],
  ["a required and an optional argument", city, ["Paris", "C"]],
  ["an argument for a tool without any", none, ["a"]],
];

test.each(refused)("refuses %s, and says what to write", (_what, tool, args) => {
  try {
    inputFromArguments(
      tool,
      args.map((arg) => encodeValue(arg)),
    );
    expect.unreachable();
  } catch (error) {
    expect(AgentError.is(error) && error.code).toBe("tool-input");
    expect(AgentError.is(error) && error.hint).toMatch(/write: await transfer\((?:\{.*\})?\)/);
  }
});

test("the refusal shows the names of the fields", () => {
  expect(() => inputFromArguments(pair, ["a", "b"])).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("transfer({ from: string; to: string })") }),
  );
});
