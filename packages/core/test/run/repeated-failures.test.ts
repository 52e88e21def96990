import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { ActionStep, MemoryStep } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const told = (steps: readonly MemoryStep[]): boolean[] =>
  steps
    .filter((step): step is ActionStep => step.type === "action")
    .map(({ error }) => /has now failed/.test(error?.hint ?? ""));

const broken = tool({
  name: "broken",
  description: "Fails.",
  input: { n: "number?" },
  effects: "none",
  execute: () => Promise.reject(new Error("out of order")),
});

const cases: [what: string, codes: string[], told: boolean[]][] = [
  ["the third and the fourth time the same code fails", ["a.b", "a.b", "a.b", "a.b"], [false, false, true, true]],
  [
    "no third time when the code was another one in between",
    ["a.b", "a.b", "c.d", "a.b"],
    [false, false, false, false],
  ],
  ["no third time when the code works", ["1", "1", "1"], [false, false, false]],
  ["no third time when it worked in between", ["a.b", "a.b", "var a = { b: 1 }", "a.b"], [false, false, false, false]],
];

test.each(cases)("another hint is given %s", async (_what, codes, expected) => {
  const model = scriptedModel([...codes, "finalAnswer(1)"].map((code) => `<code>${code}</code>`));
  const run = new CodeAgent({ model }).run("x");
  await run;
  expect(told(run.steps)).toEqual([...expected, false]);
});

test("another hint is also given for calls that keep failing, and their results stay", async () => {
  const call = { toolCalls: [{ name: "broken", input: { n: 1 } }] };
  const model = scriptedModel([call, call, call, { toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] }]);
  const run = new ToolCallingAgent({ model, tools: [broken] }).run("x");
  await run;
  expect(told(run.steps)).toEqual([false, false, true, false]);
  const last = model.requests[3]?.messages.slice(-2);
  expect(last?.map(({ role }) => role)).toEqual(["tool", "user"]);
  expect(JSON.stringify(last)).toMatch(/out of order[\s\S]*failed 3 times/);
});

test("another hint is also given for the same message without code, sent three times", async () => {
  const model = scriptedModel(["I do not know.", "I do not know.", "I do not know.", "<code>finalAnswer(1)</code>"]);
  const run = new CodeAgent({ model }).run("x");
  await run;
  expect(told(run.steps)).toEqual([false, false, true, false]);
});
