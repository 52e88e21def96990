import { parseToolCalls, ToolCallingAgent } from "@smolts/core";
import { type ActionStep, type MemoryStep, type Model, type Tool, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const actionsOf = (steps: readonly MemoryStep[]): readonly ActionStep[] =>
  steps.filter((step) => step.type === "action");

const echo = tool({
  name: "echo",
  description: "Gives back what it got.",
  input: { value: "any" },
  effects: "none",
  execute: ({ value }) => value,
}) as Tool;
const answer = { toolCalls: [{ name: "finalAnswer", input: { answer: "done" } }] };

const read: [what: string, text: string, calls: unknown][] = [
  [
    "text around it",
    'I look. {"name": "echo", "arguments": {"value": 1}} So.',
    [{ name: "echo", input: { value: 1 } }],
  ],
  [
    "other words for arguments",
    '{"name": "echo", "parameters": {"value": 1}}',
    [{ name: "echo", input: { value: 1 } }],
  ],
  [
    "arguments that are JSON in a text",
    '{"name": "echo", "arguments": "{\\"value\\": 1}"}',
    [{ name: "echo", input: { value: 1 } }],
  ],
  ["no arguments", '{"name": "echo"}', [{ name: "echo", input: {} }]],
  [
    "a list",
    '[{"name": "a"}, {"name": "b"}]',
    [
      { name: "a", input: {} },
      { name: "b", input: {} },
    ],
  ],
  ["brackets in the prose", 'As [1] says: {"name": "echo"}', [{ name: "echo", input: {} }]],
  ["no JSON at all", "It is raining.", []],
];
test.each(read)("reads a call with %s", (_what, text, calls) => expect(parseToolCalls(text)).toEqual(calls));

const refused: [what: string, text: string, message: RegExp][] = [
  ["without a name, and lists its keys", '{"who": "echo", "args": {}}', /no "name"; its keys are "who", "args"/],
  ["of malformed JSON", '{"name": "echo", "arguments": {"value": }}', /malformed/],
];
test.each(refused)("refuses a call %s", (_what, text, message) => expect(() => parseToolCalls(text)).toThrow(message));

test("a call in the text is made, and its result is returned as text", async () => {
  const model = scriptedModel(['I look. {"name": "echo", "arguments": {"value": "rain"}}', answer]);
  const run = new ToolCallingAgent({ model, tools: [echo] }).run("Look.");
  expect(await run).toBe("done");
  expect(actionsOf(run.steps)[0]?.toolCalls).toMatchObject([{ name: "echo", outcome: { value: "rain" } }]);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user" });
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toMatch(/Result of call 1, echo.*rain/);
});

test("a malformed call is a mistake of one step, not of the run", async () => {
  const model = scriptedModel(['{"name": "echo", ', answer]);
  const run = new ToolCallingAgent({ model, tools: [echo] }).run("Look.");
  expect(await run).toBe("done");
  expect(actionsOf(run.steps)[0]).toMatchObject({ toolCalls: [], error: { code: "parsing" } });
});

test("a custom parser reads other forms", async () => {
  const parse = (text: string) => (text.startsWith("CALL ") ? [{ name: text.slice(5), input: { value: 1 } }] : []);
  const model = scriptedModel(["CALL echo", answer]);
  const run = new ToolCallingAgent({ model, tools: [echo], parseToolCalls: parse }).run("Look.");
  await run;
  expect(actionsOf(run.steps)[0]?.toolCalls[0]?.name).toBe("echo");
});

test("plain text is the answer with answerByText, and otherwise a mistake", async () => {
  const free = new ToolCallingAgent({ model: scriptedModel(["It rains."]), answerByText: true });
  expect(await free.run("What is the weather?")).toBe("It rains.");
  const strict = new ToolCallingAgent({ model: scriptedModel(["It rains.", answer]) });
  expect(await strict.run("What is the weather?")).toBe("done");
});

test("a variable is passed by reference before approval; a plain text with its name stays text (smolagents replaces it)", async () => {
  const asked: unknown[] = [];
  const calls = [{ value: { $var: "table" } }, { value: "table" }, { value: { $var: "other" } }];
  const model = scriptedModel([
    { toolCalls: calls.map((input) => ({ name: "echo", input })) },
    { toolCalls: [{ name: "finalAnswer", input: { answer: { $var: "table" } } }] },
  ]);
  const run = new ToolCallingAgent({
    model,
    tools: [echo],
    approval: ({ tool: asking }) => asking.name === "echo",
    approve: ({ input }) => asked.push(input) > 0,
  }).run("Go.", { additionalArgs: { table: [[1, 2]] } });
  expect(await run).toEqual([[1, 2]]);
  const outcomes = actionsOf(run.steps)[0]?.toolCalls.map(({ outcome }) => outcome);
  expect(outcomes).toMatchObject([{ value: [[1, 2]] }, { value: "table" }, { type: "refused" }]);
  expect(JSON.stringify(outcomes?.[2])).toContain("the variables are: table");
  expect(asked).toEqual([{ value: [[1, 2]] }, { value: "table" }]);
});

test("calls with the same id are both made, and get different ids in the history (smolagents loses one)", async () => {
  const model = scriptedModel([
    { toolCalls: [1, 2].map((value) => ({ name: "echo", id: "same", input: { value } })) },
    answer,
  ]);
  const run = new ToolCallingAgent({ model, tools: [echo] }).run("Go.");
  await run;
  expect(actionsOf(run.steps)[0]?.toolCalls.map(({ outcome }) => outcome)).toMatchObject([{ value: 1 }, { value: 2 }]);
  const ids = model.requests[1]?.messages.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool-call" || part.type === "tool-result" ? [part.id] : [])),
  );
  expect(ids).toEqual(["same", "same-2", "same", "same-2"]);
});

test("a call without a name is refused, and gets a name in the history that providers accept", async () => {
  const model = scriptedModel([
    {
      toolCalls: [
        { name: "", input: {} },
        { name: "odd.echo", input: {} },
      ],
    },
    answer,
  ]);
  const run = new ToolCallingAgent({ model, tools: [echo] }).run("Go.");
  expect(await run).toBe("done");
  expect(actionsOf(run.steps)[0]?.toolCalls.map(({ name, outcome }) => [name, outcome?.type])).toEqual([
    ["unnamed", "refused"],
    ["odd_echo", "refused"],
  ]);
});

test("tools of a changed copy of an agent are declared to its model and can be called", async () => {
  const agent = new ToolCallingAgent({ model: scriptedModel([answer]) });
  const model = scriptedModel([{ toolCalls: [{ name: "echo", input: { value: 1 } }] }, answer]);
  const run = agent.with({ model, tools: [echo] }).run("Go.");
  await run;
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["echo", "finalAnswer"]);
  expect(actionsOf(run.steps)[0]?.toolCalls[0]?.outcome).toMatchObject({ value: 1 });
});

test("a call inside a thought is not made", async () => {
  const thought = '<think>I could {"name": "echo", "arguments": {"value": 1}}, but why?</think>';
  const said = '{"name": "finalAnswer", "arguments": {"answer": "done"}}';
  const run = new ToolCallingAgent({
    model: scriptedModel([`${thought} Hm.`, `${thought} ${said}`]),
    tools: [echo],
  }).run("Look.");
  expect(await run).toBe("done");
  expect(actionsOf(run.steps).map(({ toolCalls }) => toolCalls.map(({ name }) => name))).toEqual([[], ["finalAnswer"]]);
});

const onlyThoughts: [what: string, text: string, message: RegExp][] = [
  ["a thought that never ends", '<think>Maybe {"name": "echo", "arguments": {"value": 1}}', /ends inside a thought/],
  ["nothing but a thought", '<think>Maybe {"name": "echo", "arguments": {"value": 1}}</think>', /calls? (?:no|a) tool/],
];
test.each(onlyThoughts)(
  "a call in %s is not made, and the model is shown where to write it",
  async (_what, text, message) => {
    const model = scriptedModel([text, answer]);
    const run = new ToolCallingAgent({ model, tools: [echo] }).run("Look.");
    await run;
    expect(actionsOf(run.steps)[0]?.toolCalls).toEqual([]);
    expect(actionsOf(run.steps)[0]?.error?.message).toMatch(message);
  },
);

const answersWithBrackets: string[] = [
  "The set {1, 2} is closed under it.",
  "{1, 2}",
  "[1, 2, 3]",
  'Here it is: {"a": 1}',
  '{"name": "Ada", "age": 36}',
  'function f() { return { name: "x" }; }',
  'In JSON: {"name": "Ada", ...}',
];
test.each(answersWithBrackets)("with answerByText, brackets do not turn %j into a call", async (text) => {
  const agent = new ToolCallingAgent({ model: scriptedModel([text]), tools: [echo], answerByText: true });
  expect(await agent.run("Say it.")).toBe(text);
});

const callsBesideAnswers: [what: string, text: string, code: string | undefined][] = [
  ["a call", '{"name": "echo", "arguments": {"value": 1}}', undefined],
  ["a call without arguments", '{"name": "echo"}', undefined],
  ["a call of an unknown tool", '{"name": "eco", "arguments": {"value": 1}}', undefined],
  ["a malformed call", '{"name": "echo", "arguments": {"value": 1', "parsing"],
];
test.each(callsBesideAnswers)("with answerByText, %s still counts as a call", async (_what, text, code) => {
  const model = scriptedModel([text, "It rains."]);
  const run = new ToolCallingAgent({ model, tools: [echo], answerByText: true }).run("Look.");
  expect(await run).toBe("It rains.");
  expect(actionsOf(run.steps)[0]?.error?.code).toBe(code);
  expect(actionsOf(run.steps)[0]?.toolCalls).toHaveLength(code === undefined ? 1 : 0);
});

/** A model that writes its calls as text, and the requests that it got. */
function modelWithoutCalls(replies: readonly string[]) {
  const scripted = scriptedModel(replies);
  const model: Model = {
    id: scripted.id,
    capabilities: { tools: false },
    stream: (request, options) => scripted.stream(request, options),
  };
  return { model, requests: scripted.requests };
}

const writtenAnswers = [
  'I try it. {"name": "echo", "arguments": {"value": 7}}',
  '{"name": "finalAnswer", "arguments": {"answer": "seven"}}',
];

test("for a model without tool calls, only the prompt has the tools and the form of calls", async () => {
  const { model, requests } = modelWithoutCalls(writtenAnswers);
  expect(await new ToolCallingAgent({ model, tools: [echo] }).run("Say seven.")).toBe("seven");
  const system = textOf(requests[0]?.messages[0] ?? []);
  expect(system).toMatch(/declare function echo/);
  expect(system).toMatch(/declare function finalAnswer/);
  expect(system).toContain('{"name": "someTool", "arguments"');
  expect(requests.map(({ tools }) => tools)).toEqual([undefined, undefined]);
  expect(textOf(requests[1]?.messages.at(-1) ?? [])).toContain("7");
});

test("the tools are added to a custom system prompt for a model without tool calls", async () => {
  const { model, requests } = modelWithoutCalls(writtenAnswers.slice(1));
  await new ToolCallingAgent({ model, tools: [echo], prompts: { system: "Use echo, then finalAnswer." } }).run(
    "Say it.",
  );
  expect(textOf(requests[0]?.messages[0] ?? [])).toMatch(/^Use echo[\s\S]*declare function echo/);
});
