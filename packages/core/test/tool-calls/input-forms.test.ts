// Arguments in a different form than the tool declares. They are accepted if they have only one
// possible meaning. If not, the wording of the refusal depends on the kind of agent.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { ActionStep, JsonSchema } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { jsonSchema, tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";

const schema: JsonSchema = {
  type: "object",
  properties: {
    filter: { $ref: "#/$defs/Filter" },
    rows: { type: "array", items: { type: "object" } },
    note: { type: "string" },
    free: { anyOf: [{ type: "string" }, { type: "object" }] },
  },
  required: ["filter"],
  additionalProperties: false,
  $defs: { Filter: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } },
};

function findTool(got: unknown[]) {
  return tool({
    name: "find",
    description: "Finds.",
    input: jsonSchema<object>(schema),
    effects: "none",
    execute: (input) => {
      got.push(input);
      return "found";
    },
  });
}

async function shown(agent: CodeAgent | ToolCallingAgent): Promise<string> {
  const { steps } = await agent.run("Go.").result;
  const [first] = steps.filter((step): step is ActionStep => step.type === "action");
  return JSON.stringify([first?.observation, first?.error]);
}

const answer = { toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] };

async function calledWith(input: object): Promise<{ readonly got: readonly unknown[]; readonly told: string }> {
  const got: unknown[] = [];
  const model = scriptedModel([{ toolCalls: [{ name: "find", input: input as never }] }, answer]);
  return { told: await shown(new ToolCallingAgent({ model, tools: [findTool(got)] })), got };
}

async function calledByCode(code: string): Promise<{ readonly got: readonly unknown[]; readonly told: string }> {
  const got: unknown[] = [];
  const model = scriptedModel([`<code>${code}</code>`, "<code>finalAnswer(1)</code>"]);
  return { told: await shown(new CodeAgent({ model, tools: [findTool(got)] })), got };
}

describe("a text of JSON is read where the tool takes an object or a list", () => {
  test.each([
    [{ filter: '{"n": 3}' }, { filter: { n: 3 } }],
    [
      { filter: { n: 3 }, rows: '[{"a": 1}]' },
      { filter: { n: 3 }, rows: [{ a: 1 }] },
    ],
    [
      { filter: { n: 3 }, rows: ['{"a": 1}'] },
      { filter: { n: 3 }, rows: [{ a: 1 }] },
    ],
  ])("%j", async (given, read) => {
    expect((await calledWith(given)).got).toEqual([read]);
    expect((await calledByCode(`await find(${JSON.stringify(given)})`)).got).toEqual([read]);
  });

  test("the whole input may be one", async () => {
    expect((await calledByCode(`await find('{"filter": {"n": 3}}')`)).got).toEqual([{ filter: { n: 3 } }]);
  });

  test("a text stays a text where the tool accepts one", async () => {
    const given = { filter: { n: 3 }, note: '{"n": 3}', free: '{"n": 3}' };
    expect((await calledWith(given)).got).toEqual([given]);
    expect((await calledWith({ ...given, filter: '{"n": 3}' })).got).toEqual([given]);
  });

  test.each(['{"n": "three"}', "n = 3", '{"n": 3', '"3"'])("but not %s, which does not fit", async (filter) => {
    const { got, told } = await calledWith({ filter });
    expect(got).toEqual([]);
    expect(told).toContain("tool-input");
  });
});

describe("an error about arguments shows the form of the call", () => {
  test("JSON to an agent that calls by JSON", async () => {
    const { told } = await calledWith({ filter: 3 });
    expect(told).toContain('call \\"find\\" with one JSON object as arguments, of this type: { filter:');
    expect(told).not.toContain("find(");
  });

  test("code to an agent that calls by code", async () => {
    expect((await calledByCode("await find({ filter: 3 })")).told).toContain("call it as find({ filter:");
  });

  const native = (inputText: string) => ({
    events: [
      { type: "tool-call-delta", index: 0, id: "1", name: "find", inputText } as const,
      { type: "end", finishReason: "tool-calls" } as const,
    ],
  });

  test.each(['{"filter": {"n": 3}', '{"filter": "a', "{", '{"filter": [{"a}]": 1}'])(
    "arguments that end as %s are cut, and the tool is not called",
    async (inputText) => {
      const got: unknown[] = [];
      const model = scriptedModel([native(inputText), answer]);
      const told = await shown(new ToolCallingAgent({ model, tools: [findTool(got)] }));
      expect(told).toContain("are cut off, so it was not called");
      expect(got).toEqual([]);
    },
  );

  test("complete arguments that are not JSON are not reported as cut off", async () => {
    const model = scriptedModel([native("filter is 3"), answer]);
    expect(await shown(new ToolCallingAgent({ model, tools: [findTool([])] }))).toContain("are not valid JSON");
  });

  test.each([
    ["", "the message is empty"],
    ["<code>await find({})</code>", "the message has code, which nobody runs here"],
    ["I do not know.", "the message calls no tool"],
  ])("the message %j", async (text, says) => {
    const model = scriptedModel([text, answer]);
    const told = await shown(new ToolCallingAgent({ model, tools: [findTool([])] }));
    expect(told).toContain(says);
    expect(told).toContain('call \\"finalAnswer\\"');
  });
});
