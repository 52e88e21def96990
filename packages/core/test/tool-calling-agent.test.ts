import { ToolCallingAgent } from "@smolts/core";
import type { ActionStep, MemoryStep, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const lookUp = tool({
  name: "lookUp",
  description: "Looks a word up.",
  input: { word: "string" },
  effects: "none",
  execute: async ({ word }) => {
    // The later a word is in the alphabet, the earlier it gets its result.
    await new Promise((resolve) => setTimeout(resolve, 10 - (word.charCodeAt(0) % 10)));
    if (word === "bad") throw new Error("no such word");
    return `meaning of ${word}`;
  },
}) as Tool;

const answer = { toolCalls: [{ name: "finalAnswer", input: { answer: "done" } }] };

const actionsOf = (steps: readonly MemoryStep[]): readonly ActionStep[] =>
  steps.filter((step) => step.type === "action");

test("calls a tool and then answers", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "lookUp", input: { word: "a" } }] }, answer]);
  const run = new ToolCallingAgent({ model, tools: [lookUp] }).run("What does a mean?");
  expect(await run).toBe("done");
  expect(actionsOf(run.steps)[0]?.toolCalls).toMatchObject([
    { name: "lookUp", outcome: { type: "ok", value: "meaning of a" } },
  ]);
});

test("the request declares the tools, and the model must call one", async () => {
  const model = scriptedModel([answer]);
  await new ToolCallingAgent({ model, tools: [lookUp] }).run("Do it.");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["lookUp", "finalAnswer"]);
  expect(model.requests[0]?.toolChoice).toBe("required");
});

test("the request leaves out the dialect of a tool's schema, which some providers refuse", async () => {
  const model = scriptedModel([answer]);
  const inputSchema = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" };
  await new ToolCallingAgent({ model, tools: [{ ...lookUp, inputSchema }] }).run("Do it.");
  expect(model.requests[0]?.tools?.[0]?.inputSchema).toEqual({ type: "object" });
});

test("results of parallel calls have their ids, in the model's order", async () => {
  const calls = ["a", "b", "c"].map((word) => ({ name: "lookUp", input: { word }, id: `id-${word}` }));
  const model = scriptedModel([{ toolCalls: calls }, answer]);
  await new ToolCallingAgent({ model, tools: [lookUp] }).run("Do it.");
  const results = model.requests[1]?.messages.at(-1);
  expect(results).toMatchObject({
    role: "tool",
    content: calls.map(({ id }) => ({ type: "tool-result", id, isError: false })),
  });
});

test("a call that fails does not affect the others", async () => {
  const calls = ["a", "bad", "c"].map((word) => ({ name: "lookUp", input: { word } }));
  const model = scriptedModel([{ toolCalls: calls }, answer]);
  await new ToolCallingAgent({ model, tools: [lookUp] }).run("Do it.");
  const results = model.requests[1]?.messages.at(-1)?.content ?? [];
  expect(results.map((part) => part.type === "tool-result" && part.isError)).toEqual([false, true, false]);
  expect(JSON.stringify(results[1])).toContain("no such word");
});

test("for a message without a tool call the model gets a hint", async () => {
  const model = scriptedModel(["It is done.", answer]);
  const run = new ToolCallingAgent({ model, tools: [lookUp] }).run("Do it.");
  expect(await run).toBe("done");
  expect(actionsOf(run.steps)[0]?.error).toMatchObject({ code: "parsing" });
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("finalAnswer");
});

test("for arguments that are not JSON the model gets an error, and the run continues", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "lookUp", inputText: '{"word": ' }] }, answer]);
  const run = new ToolCallingAgent({ model, tools: [lookUp] }).run("Do it.");
  expect(await run).toBe("done");
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toMatch(/are cut off/);
});

const oddInputs: [what: string, inputText: string, outcome: string][] = [
  ["a key that looks like a tag of the codec", '{"word": {"$": "price"}}', "ok"],
  ['the key "__proto__"', '{"word": "a", "__proto__": {"isAdmin": true}}', "refused"],
  ["20,000 levels", `{"word": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "refused"],
];

test.each(oddInputs)("an input with %s does not end the run", async (_what, inputText, outcome) => {
  const given: unknown[] = [];
  const take = tool({
    name: "take",
    description: "Takes.",
    input: { word: "any" },
    effects: "none",
    execute: (input) => void given.push(input),
  });
  const model = scriptedModel([{ toolCalls: [{ name: "take", inputText }] }, answer]);
  const run = new ToolCallingAgent({ model, tools: [take] }).run("Do it.");
  expect(await run).toBe("done");
  expect(actionsOf(run.steps)[0]?.toolCalls[0]?.outcome?.type).toBe(outcome);
  expect(given).toEqual(outcome === "ok" ? [JSON.parse(inputText)] : []);
});

test("an answer next to other calls is refused, and the others run", async () => {
  const model = scriptedModel([{ toolCalls: [...answer.toolCalls, { name: "lookUp", input: { word: "a" } }] }, answer]);
  const run = new ToolCallingAgent({ model, tools: [lookUp] }).run("Do it.");
  expect(await run).toBe("done");
  expect(actionsOf(run.steps)[0]?.toolCalls.map(({ outcome }) => outcome?.type)).toEqual(["refused", "ok"]);
});

test("a custom finalAnswer tool with two inputs returns the run's output", async () => {
  const finalAnswer = tool({
    name: "finalAnswer",
    description: "Answers with a unit.",
    input: { value: "number", unit: "string" },
    effects: "none",
    execute: ({ value, unit }) => `${value} ${unit}`,
  }) as Tool;
  const model = scriptedModel([{ toolCalls: [{ name: "finalAnswer", input: { value: 3, unit: "m" } }] }]);
  expect(await new ToolCallingAgent({ model, tools: [finalAnswer] }).run("Do it.")).toBe("3 m");
});

test("a long result is cut for the model, and complete in the step", async () => {
  const big = tool({
    name: "big",
    description: "Gives much.",
    effects: "none",
    execute: () => "x".repeat(200_000),
  }) as Tool;
  const model = scriptedModel([{ toolCalls: [{ name: "big" }] }, answer]);
  const run = new ToolCallingAgent({ model, tools: [big] }).run("Do it.");
  await run;
  expect(JSON.stringify(model.requests[1]?.messages.at(-1)).length).toBeLessThan(21_000);
  expect(actionsOf(run.steps)[0]?.toolCalls[0]?.outcome).toMatchObject({ value: "x".repeat(200_000) });
});

test("when the steps are exhausted the model is asked for an answer without tools", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "lookUp", input: { word: "a" } }] }, "my best guess"]);
  const run = new ToolCallingAgent({ model, tools: [lookUp], maxSteps: 1 }).run("Do it.");
  expect(await run).toBe("my best guess");
  expect(model.requests[1]?.tools).toBeUndefined();
});

const thoughts: readonly [open: string, close: string][] = [
  ["<think>", "</think>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
];
test.each(thoughts)("an answer in the text does not include the thought between %s and %s", async (open, close) => {
  const call = '{"name": "look", "arguments": {}}';
  const looks: string[] = [];
  const look = tool({ name: "look", description: "Looks.", execute: () => looks.push("look") });
  const model = scriptedModel([`${open}Perhaps ${call}?${close}It is 42.`]);
  expect(await new ToolCallingAgent({ model, tools: [look], answerByText: true }).run("Answer.")).toBe("It is 42.");
  expect(looks).toEqual([]);
});
