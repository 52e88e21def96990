import { type BeforeStep, CodeAgent, image, ToolCallingAgent } from "@smolts/core";
import { type MemoryLog, memoryLog } from "@smolts/memory";
import { textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const look = tool({ name: "look", description: "Looks.", effects: "none", execute: () => "seen" });
const act = tool({ name: "act", description: "Acts.", effects: "none", execute: () => "done" });

const call = (name: string) => ({ toolCalls: [{ name, input: {} }] });
const answer = { toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] };

/** Offers only the tool `look` in the first step. */
const lookFirst: BeforeStep = ({ stepNumber, tools }) =>
  stepNumber === 1 ? { tools: tools.filter(({ name }) => name === "look") } : undefined;

test("if a step is limited to some tools, only they are declared, and a call of another is refused", async () => {
  const model = scriptedModel([call("act"), call("act"), answer]);
  const run = new ToolCallingAgent({ model, tools: [look, act], beforeStep: lookFirst }).run("x");
  await run;
  expect(model.requests.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([
    ["look", "finalAnswer"],
    ["look", "act", "finalAnswer"],
    ["look", "act", "finalAnswer"],
  ]);
  const outcomes = run.steps
    .flatMap((step) => (step.type === "action" ? step.toolCalls : []))
    .map(({ outcome }) => outcome?.type);
  expect(outcomes).toEqual(["refused", "ok", "ok"]);
});

test("the tools of a code agent's step are limited in its prompt and in its code", async () => {
  const model = scriptedModel(["<code>await act()</code>", "<code>finalAnswer(await act())</code>"]);
  const run = new CodeAgent({ model, tools: [look, act], beforeStep: lookFirst }).run("x");
  expect(await run).toBe("done");
  const [first, second] = model.requests.map(({ messages }) => textOf(messages[0] ?? []));
  expect([first?.includes("function act("), second?.includes("function act(")]).toEqual([false, true]);
  expect(run.steps.find((step) => step.type === "action")?.error?.message).toContain('there is no tool "act"');
});

test("the model of one step may be another one", async () => {
  const [usual, other] = [scriptedModel(["<code>print(1)</code>"]), scriptedModel(["<code>finalAnswer(2)</code>"])];
  const beforeStep: BeforeStep = ({ stepNumber }) => (stepNumber === 2 ? { model: other } : {});
  expect(await new CodeAgent({ model: usual, beforeStep }).run("x")).toBe(2);
  expect([usual.requests.length, other.requests.length]).toEqual([1, 1]);
});

test("the messages of one step may be changed, and memory does not change", async () => {
  const model = scriptedModel(["<code>print(1)</code>", "<code>finalAnswer(2)</code>"]);
  const beforeStep: BeforeStep = ({ messages }) => ({ messages: messages.slice(0, 2) });
  const run = new CodeAgent({ model, beforeStep }).run("x");
  await run;
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([2, 2]);
  expect(run.steps.filter((step) => step.type === "action")).toHaveLength(2);
});

test("the tools of a step are recorded, and a resumed step continues with the same tools", async () => {
  const model = scriptedModel([call("act"), answer]);
  const agent = new ToolCallingAgent({ model, tools: [look, act], beforeStep: lookFirst });
  const { events } = (await agent.run("x").result).log as MemoryLog;
  const cut = events.findIndex(({ type }) => type === "model-response") + 1;
  const later = agent.with({ model: scriptedModel([answer]), beforeStep: () => ({}) });
  const run = later.resume(memoryLog({ events: events.slice(0, cut) }));
  await run;
  expect(run.steps.find((step) => step.type === "action")?.toolCalls[0]?.outcome?.type).toBe("refused");
});

const failing: [what: string, beforeStep: unknown, message: RegExp][] = [
  ["throws", () => Promise.reject(new Error("no")), /beforeStep failed at step 1: no/],
  [
    "returns an unknown tool",
    () => ({ tools: [{ ...look, name: "other" }] }),
    /tool "other", which the agent does not have/,
  ],
  ["returns a text", () => "tools", /beforeStep returned string/],
  [
    "returns messages with a broken part",
    () => ({ messages: [{ role: "user", content: [{ type: "text" }] }] }),
    /messages of beforeStep\[0\]\.content\[0\] is not a valid text part/,
  ],
  [
    "returns bytes that are not in the log",
    () => ({
      messages: [{ role: "user", content: [image(new Uint8Array([137, 80, 78, 71]), { mediaType: "image/png" })] }],
    }),
    /messages of beforeStep\[0\]\.content\[0\] contains bytes/,
  ],
  ["returns messages that are not a list", () => ({ messages: "x" }), /messages of beforeStep is x; expected a list/],
  ["returns a model by its name", () => ({ model: "openai:x" }), /model is the string "openai:x"/],
];

test.each(failing)("a beforeStep that %s fails the run with the reason", async (_what, beforeStep, message) => {
  const agent = new ToolCallingAgent({
    model: scriptedModel([answer]),
    tools: [look],
    beforeStep: beforeStep as BeforeStep,
  });
  const { status, error } = await agent.run("x").result;
  expect(status).toBe("failed");
  expect(error?.message).toMatch(message);
});

test("a beforeStep that is not a function is refused at construction", () => {
  expect(() => new CodeAgent({ model: scriptedModel([]), beforeStep: {} as never })).toThrow(
    /beforeStep is not a function/,
  );
});

test.each([["x"], [[null]]])("tools that are %j are a wrong option", async (tools) => {
  const agent = new CodeAgent({ model: scriptedModel([]), beforeStep: () => ({ tools: tools as never }) });
  await expect(agent.run("x")).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringContaining("not a list of tools"),
  });
});
