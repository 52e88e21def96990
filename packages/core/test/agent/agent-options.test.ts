import { CodeAgent, type modelFromFunction, ToolCallingAgent } from "@smolts/core";
import type { Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const model = scriptedModel(() => "<code>finalAnswer(1)</code>");
const named = (name: string): Tool => ({
  ...(tool({ name: "good", description: "Does good.", execute: () => 1 }) as Tool),
  name,
});

const refused: [what: string, options: object | undefined, message: RegExp, hint: RegExp][] = [
  ["no model", {}, /model is undefined/, /model:/],
  ["a model by name", { model: "openai:gpt-5-mini" }, /string "openai:gpt-5-mini"/, /package "smolts"/],
  ["two tools of one name", { model, tools: [named("a"), named("a")] }, /two tools have the name "a"/, /another name/],
  ["a tool whose name is not an identifier", { model, tools: [named("get weather")] }, /"get weather"/, /"getWeather"/],
  ["a tool whose name is a reserved word", { model, tools: [named("delete")] }, /reserved word/, /name/],
  ["a tool that hides print", { model, tools: [named("print")] }, /reserved word/, /name/],
  ["something that is not a tool", { model, tools: [() => 1] }, /one of the tools/, /tool\(\{/],
  ["an agent name that is not an identifier", { model, name: "my agent" }, /"my agent"/, /"myAgent"/],
  [
    "an option with the name of what objects inherit",
    { model, constructor: 1 },
    /no option "constructor"/,
    /^the options are/,
  ],
  ["a misspelt option", { model, maxStep: 3 }, /no option "maxStep"/, /"maxSteps"/],
  ["nothing for options", undefined, /new \w+\(\) got no options/, /model: openai/],
  [
    "instructions that are not text",
    { model, instructions: 42 },
    /"instructions" of a \w+ is a number; expected a string/,
    /write instructions:/,
  ],
  ["tools that are not a list", { model, tools: null }, /tools is null/, /write tools: \[tool\]/],
  [
    "a tool without a schema",
    { model, tools: [{ ...named("a"), inputSchema: undefined }] },
    /one of the tools/,
    /tool\(\{/,
  ],
  ["a model without a prototype", { model: Object.create(null) }, /model is an object/, /model:/],
  ["a number below 0", { model, maxParallelToolCalls: -1 }, /maxParallelToolCalls is -1/, /^$/],
];

test.each(refused)("an agent with %s is refused at construction", (_what, options, message, hint) => {
  for (const Agent of [CodeAgent, ToolCallingAgent]) {
    const construct = () => new Agent(options as ConstructorParameters<typeof Agent>[0]);
    expect(construct).toThrow(message);
    expect(construct).toThrow(expect.objectContaining({ code: "invalid-option" }));
    try {
      construct();
    } catch (error) {
      expect((error as { hint?: string }).hint ?? "").toMatch(hint);
    }
  }
});

test("an option of the other kind of agent is refused by the name of the class", () => {
  const construct = (Agent: typeof CodeAgent | typeof ToolCallingAgent, options: object) => () =>
    new Agent({ model, ...options } as ConstructorParameters<typeof Agent>[0]);
  const code = construct(ToolCallingAgent, { structuredOutput: true });
  expect(code).toThrow('a ToolCallingAgent has no option "structuredOutput"');
  expect(construct(CodeAgent, { answerByText: true })).toThrow('a CodeAgent has no option "answerByText"');
});

test("an executor without open() is refused at construction", () => {
  expect(() => new CodeAgent({ model, executor: {} as never })).toThrow(/executor is an object/);
});

test("changing the options after construction has no effect, and options may be frozen", async () => {
  const options = { model: scriptedModel(() => "<code>finalAnswer(1)</code>"), instructions: "Be first." };
  const agent = new CodeAgent(options);
  options.instructions = "Be second.";
  await agent.run("x");
  expect(JSON.stringify(options.model.requests[0]?.messages[0])).toContain("Be first.");
  expect(await new CodeAgent(Object.freeze({ model })).run("x")).toBe(1);
});

test("options of the code agent are refused by the tool-calling agent", () => {
  expect(() => new ToolCallingAgent({ model, codeBlockTags: "markdown" } as never)).toThrow(
    /no option "codeBlockTags"/,
  );
});

const refusedRuns: [what: string, task: unknown, options: object | null, message: RegExp][] = [
  ["no task", undefined, {}, /the task is undefined/],
  ["an empty task", "  ", {}, /the task is/],
  ["smolagents' reset", "x", { reset: false }, /no option "reset"/],
  ["null for options", "x", null, /the options of a run are null/],
  ["a signal that is none", "x", { signal: {} }, /"signal" of a run is an object; expected an AbortSignal/],
  ["an empty run id", "x", { runId: " " }, /runId is empty/],
  ["smolagents' stream", "x", { stream: true }, /no option "stream"/],
];

test.each(refusedRuns)("a run with %s is refused immediately", (_what, task, options, message) => {
  expect(() => new CodeAgent({ model }).run(task as string, options as object)).toThrow(message);
});

test("a run accepts an abort signal of another realm", async () => {
  // Test environments such as jsdom have their own AbortSignal class.
  const foreign = Object.assign(new EventTarget(), { aborted: false, reason: undefined as unknown });
  const agent = new CodeAgent({ model: scriptedModel(() => new Promise<never>(() => {})) });
  const run = agent.run("x", { signal: foreign as unknown as AbortSignal });
  Object.assign(foreign, { aborted: true, reason: new Error("enough") });
  foreign.dispatchEvent(new Event("abort"));
  expect((await run.result).status).toBe("aborted");
});

test("the error about the option reset says what to use instead", () => {
  expect(() => new CodeAgent({ model }).run("x", { reset: false } as never)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("agent.session()") }),
  );
});

test("tools may be a record, whose keys are their names", async () => {
  const seen = scriptedModel(["<code>finalAnswer(await renamed())</code>"]);
  expect(await new CodeAgent({ model: seen, tools: { renamed: named("good") } }).run("Do it.")).toBe(1);
});

test("with() makes a changed copy and leaves the agent as it is", async () => {
  const agent = new CodeAgent({ model, maxSteps: 3 });
  const copy = agent.with({ maxSteps: 5 });
  expect([agent.options.maxSteps, copy.options.maxSteps]).toEqual([3, 5]);
  expect(copy).toBeInstanceOf(CodeAgent);
  expect(() => agent.with({ maxSteps: 0 })).toThrow(expect.objectContaining({ code: "invalid-option" }));
});

const functions: [what: string, model: Parameters<typeof modelFromFunction>[0]][] = [
  ["a text", () => "<code>finalAnswer(7)</code>"],
  ["the promise of a text", async () => "<code>finalAnswer(7)</code>"],
  ["a message", () => ({ role: "assistant", content: [{ type: "text", text: "<code>finalAnswer(7)</code>" }] })],
  [
    "pieces of text",
    async function* () {
      yield "<code>final";
      yield "Answer(7)</code>";
    },
  ],
];

test.each(functions)("a model may be a function that returns %s", async (_what, answer) => {
  expect(await new CodeAgent({ model: answer }).run("Do it.")).toBe(7);
});
