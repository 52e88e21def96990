import { tool as aiTool, dynamicTool, jsonSchema, lazySchema, zodSchema } from "@ai-sdk/provider-utils";
import { AgentError, type JsonValue, type Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { fromAiSdk } from "@smolts/tools/from-ai-sdk";
import { CodeAgent } from "smolts";
import { expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { call, context } from "../toolbox/tool-call.ts";

const input = z.object({ city: z.string(), days: z.number().default(3) });
const getWeather = aiTool({
  description: "The weather in a city.",
  inputSchema: input,
  inputExamples: [{ input: { city: "Paris", days: 1 } }],
  outputSchema: z.string(),
  execute: async ({ city, days }) => `${days} days of rain in ${city}`,
});

const only = (tools: Parameters<typeof fromAiSdk>[0], options = {}): Tool => {
  const [tool] = fromAiSdk(tools, options);
  if (!tool) throw new Error("no tool was made");
  return tool;
};

function refusal(make: () => unknown): AgentError {
  try {
    make();
  } catch (error) {
    if (AgentError.is(error) && error.code === "invalid-option") return error;
    throw error;
  }
  throw new Error("it was accepted");
}

test("a tool of the AI SDK keeps its name, schemas, examples and defaults", async () => {
  const tool = only({ getWeather }, { effects: { getWeather: "none" } });
  expect(tool).toMatchObject({
    name: "getWeather",
    description: "The weather in a city.",
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    outputSchema: { type: "string" },
    examples: [{ city: "Paris", days: 1 }],
    effects: "none",
  });
  expect(await call(tool, { city: "Paris" })).toBe("3 days of rain in Paris");
});

test("its effects are once by default", () => {
  expect(only({ getWeather }).effects).toBe("once");
  expect(refusal(() => fromAiSdk({ getWeather }, { effects: { getWether: "none" } })).hint).toContain("getWeather");
});

test.each([
  [
    "jsonSchema()",
    jsonSchema<{ a: string }>({ type: "object", properties: { a: { type: "string" } }, required: ["a"] }),
  ],
  ["a lazy schema", lazySchema(() => zodSchema(z.object({ a: z.string() })))],
  // The cast avoids a comparison of two copies of zod 3, which is too deep for the compiler.
  ["zodSchema() of zod 3", zodSchema<unknown>(z3.object({ a: z3.string() }) as never)],
])("its input may be %s", async (_what, inputSchema) => {
  const tool = only({
    probe: dynamicTool({
      description: "For tests.",
      inputSchema: inputSchema as never,
      execute: async (given) => given,
    }),
  });
  expect(await call(tool, { a: "x" })).toEqual({ a: "x" });
  await expect(call(tool, { a: 1 })).rejects.toMatchObject({
    code: "tool-input",
    message: expect.stringContaining('"a" is 1'),
  });
});

test("its own validation can refuse and change the input", async () => {
  const schema = jsonSchema<string>(
    { type: "object" },
    {
      validate: (value) =>
        "no" in Object(value) ? { success: false, error: new Error("said no") } : { success: true, value: "changed" },
    },
  );
  const tool = only({
    probe: dynamicTool({ description: "For tests.", inputSchema: schema, execute: async (given) => given }),
  });
  expect(await call(tool, {})).toBe("changed");
  await expect(call(tool, { no: 1 })).rejects.toThrow("said no");
});

test("it gets the call's id, the abort signal and the caller's context", async () => {
  const seen: unknown[] = [];
  const probe = aiTool({
    description: "For tests.",
    inputSchema: z.object({}),
    needsApproval: async (_input, { toolCallId }) => toolCallId === "agent/1/1",
    execute: (_input, { toolCallId, abortSignal, experimental_context }) => {
      seen.push(toolCallId, abortSignal, experimental_context);
      return "";
    },
  });
  const tool = only({ probe });
  await call(tool, {}, { metadata: "mine" });
  expect(seen).toEqual(["agent/1/1", context.signal, "mine"]);
  expect(await tool.needsApproval?.({}, context)).toBe(true);
  expect(await only({ probe: { ...probe, needsApproval: true } }).needsApproval?.({}, context)).toBe(true);
});

test("the values that it yields are progress, and the last one is the result", async () => {
  const progress: JsonValue[] = [];
  const probe = aiTool({
    description: "For tests.",
    inputSchema: z.object({}),
    async *execute() {
      yield "half";
      yield "whole";
    },
  });
  expect(await call(only({ probe }), {}, { emit: (part) => progress.push(part) })).toBe("whole");
  expect(progress).toEqual(["half", "whole"]);
});

test("a tool that cannot run here is refused with the reason", () => {
  const client = aiTool({ description: "For tests.", inputSchema: z.object({}), outputSchema: z.string() });
  expect(refusal(() => fromAiSdk({ client })).message).toContain("the page that shows the chat runs");
  expect(refusal(() => fromAiSdk({ client: { ...client, type: "provider" } })).message).toContain("the provider runs");
  const later = {
    description: "x",
    inputSchema: jsonSchema(Promise.resolve({ type: "object" as const })),
    execute: () => "",
  };
  expect(refusal(() => fromAiSdk({ later })).message).toContain("cannot return its JSON Schema at once");
  const old = { description: "x", inputSchema: z3.object({}), execute: () => "" };
  expect(refusal(() => fromAiSdk({ old })).hint).toContain('import { zod3 } from "@smolts/tools/zod3"');
});

test("an agent can call it", async () => {
  const model = scriptedModel(['<code>finalAnswer(await getWeather({ city: "Rome", days: 2 }))</code>']);
  const tools = fromAiSdk({ getWeather }, { effects: { getWeather: "none" } }).tools;
  expect(await new CodeAgent({ model, tools }).run("How is the weather in Rome?")).toBe("2 days of rain in Rome");
});
