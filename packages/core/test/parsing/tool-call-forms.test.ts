import { parseToolCalls, ToolCallingAgent } from "@smolts/core";
import type { ActionStep, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";

const one = [{ name: "add", input: { a: 20, b: 22 } }];
const call = '{"name": "add", "arguments": {"a": 20, "b": 22}}';

const forms: readonly [who: string, text: string, count?: number][] = [
  ["Hermes", `<tool_call>\n${call}\n</tool_call>\n<tool_call>\n${call}\n</tool_call>`, 2],
  ["Hermes, with a bracket too many", `<tool_call>\n${call}}\n</tool_call>`],
  ["Hermes, with a bracket too few", '<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 22}\n</tool_call>'],
  [
    "Qwen3-Coder, without the ends of parameters",
    "<tool_call>\n<function=add>\n<parameter=a>\n20\n<parameter=b>\n22\n</function>\n</tool_call>",
  ],
  ["Apertus", '<|tools_prefix|>[{"add": {"a": 20, "b": 22}}]<|tools_suffix|>'],
  ["harmony, its marks removed", 'assistantcommentary to=functions.add json{"a": 20, "b": 22}'],
  ["ReAct, as a function", "Thought: add\nAction: add(a=20, b=22)"],
  ["ReAct, quoted", 'Thought: add\nAction: `add`\nAction Input: `{"a": 20, "b": 22}`'],
  ["Hermes, without its end", `<tool_call>\n${call}\n`],
  [
    "Qwen3-Coder",
    "<tool_call>\n<function=add>\n<parameter=a>\n20\n</parameter>\n<parameter=b>\n22\n</parameter>\n</function>\n</tool_call>",
  ],
  [
    "GLM",
    "<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>20</arg_value>\n<arg_key>b</arg_key>\n<arg_value>22</arg_value>\n</tool_call>",
  ],
  ["Hunyuan", '<tool_calls>\n<tool_call>add\n```json\n{"a": 20, "b": 22}\n```\n</tool_call>\n</tool_calls>'],
  ["Granite", `<|tool_call|>[${call}]`],
  ["Nemotron", `<TOOLCALL>[${call}]</TOOLCALL>`],
  ["LFM", "<|tool_call_start|>[add(a=20, b=22)]<|tool_call_end|>"],
  [
    "Command",
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "add", "parameters": {"a": 20, "b": 22}}]<|END_ACTION|>',
  ],
  ["Mistral", '[TOOL_CALLS]add[ARGS]{"a": 20, "b": 22}[TOOL_CALLS]add[CALL_ID]abc123DEF[ARGS]{"a": 20, "b": 22}', 2],
  ["Mistral, as a list", `[TOOL_CALLS] [${call}]`],
  ["Llama", '<function=add>{"a": 20, "b": 22}</function>'],
  ["Llama, after its mark", "<|python_tag|>add.call(a=20, b=22)<|eom_id|>"],
  ["Llama, pythonic", "[add(a=20, b=22), add(a=20, b=22)]", 2],
  [
    "harmony",
    '<|channel|>analysis<|message|>Add.<|end|><|start|>assistant<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a":20,"b":22}<|call|>',
  ],
  [
    "Kimi",
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 20, "b": 22}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  [
    "DeepSeek",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n{"a": 20, "b": 22}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    "MiniMax",
    '<minimax:tool_call>\n<invoke name="add">\n<parameter name="a">20</parameter>\n<parameter name="b">22</parameter>\n</invoke>\n</minimax:tool_call>',
  ],
  ["ReAct", 'Thought: I add.\nAction: add\nAction Input: {"a": 20, "b": 22}\nObservation: 42'],
  [
    "OpenAI's message",
    '{"tool_calls": [{"type": "function", "function": {"name": "functions.add", "arguments": "{\\"a\\": 20, \\"b\\": 22}"}}]}',
  ],
  ["a trailing comma, a comment, single quotes", "{'name': 'add', // the sum\n 'arguments': {'a': 20, 'b': 22,},}"],
  [
    "backticks, a code in braces, and digits in groups",
    "<tool_call>{name: `\\u{61}dd`, arguments: {a: 2_0, b: 22}}</tool_call>",
  ],
];
test.each(forms)("reads the calls of %s", (_who, text, count = 1) => {
  const calls = parseToolCalls(text).map(({ name, input }) => ({ name, input }));
  expect(calls).toEqual(Array.from({ length: count }, () => one[0]));
});

describe("no call is", () => {
  test.each([
    ["a result that is echoed", `<tool_response>\n${call}\n</tool_response>`],
    ["an observation that is made up", `Observation: ${call}`],
    ["prose", "I add 20 and 22 (see [1])."],
  ])("%s", (_what, text) => expect(parseToolCalls(text)).toEqual([]));

  test.each([
    ["JSON that was cut", '<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 2'],
    ["elements that were cut", "<tool_call>\n<function=add>\n<parameter=a>\n20\n</parameter>\n<parameter=b>\n2"],
    ["a text whose end nobody knows", '{"name": "add", "arguments": {"a": "he said "20"", "b": 22}}'],
  ])("%s", (_what, text) => expect(() => parseToolCalls(text)).toThrow(expect.objectContaining({ code: "parsing" })));
});

test("a call between backticks in a sentence is not made", () => {
  expect(parseToolCalls(`To add numbers you would write \`${call}\`. Shall I?`)).toEqual([]);
  expect(parseToolCalls(`\`${call}\``)).toEqual(one);
});

test("a result made up after a call is not called", () => {
  expect(
    parseToolCalls(`<tool_call>${call}</tool_call><|im_end|>\n<|im_start|>user\n<tool_call>${call}</tool_call>`),
  ).toEqual(one);
});

const seen: unknown[] = [];
const look = tool({
  name: "look",
  description: "Looks.",
  input: { zip: "string", count: "number" },
  execute: (input) => void seen.push(input),
}) as Tool;
const answer = { toolCalls: [{ name: "finalAnswer", input: { answer: "done" } }] };

test("a parameter without a type stays text if the tool takes a string", async () => {
  const text =
    "<tool_call>\n<function=look>\n<parameter=zip>\n10115\n</parameter>\n<parameter=count>\n2\n</parameter>\n</function>\n</tool_call>";
  await new ToolCallingAgent({ model: scriptedModel([text, answer]), tools: [look] }).run("Go.");
  expect(seen.splice(0)).toEqual([{ zip: "10115", count: 2 }]);
});

test.each([
  ["numbers and booleans as texts", { zip: "1", count: "2" }],
  ["all arguments under one name", { arguments: { zip: "1", count: 2 } }],
  ["arguments as a text", '{"zip": "1", "count": 2}'],
])("%s are read", async (_what, input) => {
  const native = { toolCalls: [{ name: "look", input: input as never }] };
  await new ToolCallingAgent({ model: scriptedModel([native, answer]), tools: [look] }).run("Go.");
  expect(seen.splice(0)).toEqual([{ zip: "1", count: 2 }]);
});

test.each(['```json\n{"zip": "1", "count": 2}\n```', "{'zip': '1', 'count': 2,}"])(
  "native arguments that are nearly JSON are read: %j",
  async (inputText) => {
    const delta = { type: "tool-call-delta", index: 0, id: "1", name: "look", inputText } as const;
    const model = scriptedModel([{ events: [delta, { type: "end", finishReason: "tool-calls" }] }, answer]);
    await new ToolCallingAgent({ model, tools: [look] }).run("Go.");
    expect(seen.splice(0)).toEqual([{ zip: "1", count: 2 }]);
  },
);

test("a name that differs only in case and hyphens means the tool", async () => {
  const native = { toolCalls: [{ name: "LOOK", input: { zip: "1", count: 2 } }] };
  const final = { toolCalls: [{ name: "final-answer", input: { answer: "done" } }] };
  const run = new ToolCallingAgent({ model: scriptedModel([native, final]), tools: [look] }).run("Go.");
  expect(await run).toBe("done");
  expect(seen.splice(0)).toEqual([{ zip: "1", count: 2 }]);
});

test("a text that is not a number is a mistake where the tool takes a number", async () => {
  const native = { toolCalls: [{ name: "look", input: { zip: "1", count: "two" } }] };
  await new ToolCallingAgent({ model: scriptedModel([native, answer]), tools: [look] }).run("Go.");
  expect(seen).toEqual([]);
});

test("a key __proto__ in a written call is refused as in a native one, and the run continues", async () => {
  const text = '<tool_call>{"name": "look", "arguments": {"zip": "1", "count": 1, "__proto__": {"x": 1}}}</tool_call>';
  const run = new ToolCallingAgent({ model: scriptedModel([text, answer]), tools: [look] }).run("Go.");
  expect(await run).toBe("done");
  const step = run.steps.find((each): each is ActionStep => each.type === "action");
  expect(step?.toolCalls).toMatchObject([{ name: "look", outcome: { type: "refused" } }]);
  expect(seen).toEqual([]);
});

test("an unknown parameter is ignored if it is null", async () => {
  const native = { toolCalls: [{ name: "functions.look", input: { zip: "1", count: 1, other: null } }] };
  await new ToolCallingAgent({ model: scriptedModel([native, answer]), tools: [look] }).run("Go.");
  expect(seen.splice(0)).toEqual([{ zip: "1", count: 1 }]);
});
