// More ways in which models write actions: the chat templates of further open models, habits of
// small models, and formats that servers change.

import type { Style } from "./styles.ts";

type Row = readonly [id: string, content: string];

const ofCalls = (rows: readonly Row[]): readonly Style[] =>
  rows.map(([id, content]) => ({ id: `calls: ${id}`, agent: "tool-calling", answer: { content } }));

const ofCode = (rows: readonly Row[]): readonly Style[] =>
  rows.map(([id, content]) => ({ id: `code: ${id}`, agent: "code", answer: { content } }));

const program = "const r = await add({ a: 20, b: 22 });\nfinalAnswer(r);";
const json = '{"a": 20, "b": 22}';

/** Each answer clearly asks to add 20 and 22. */
export const moreStyles: readonly Style[] = [
  ...ofCalls([
    ["tool_calls list in tags", `<tool_calls>[{"name": "add", "arguments": ${json}}]</tool_calls>`],
    ["tool_call in a fence", `\`\`\`\n<tool_call>\n{"name": "add", "arguments": ${json}}\n</tool_call>\n\`\`\``],
    ["fence tool_call", `\`\`\`tool_call\n{"name": "add", "arguments": ${json}}\n\`\`\``],
    ["fence tool_calls", `\`\`\`tool_calls\n[{"name": "add", "arguments": ${json}}]\n\`\`\``],
    ["fence json after prose", `I will add them.\n\n\`\`\`json\n{"name": "add", "arguments": ${json}}\n\`\`\``],
    ["think, then JSON", `<think>add them</think>\n{"name": "add", "arguments": ${json}}`],
    [
      "think, then tool_call",
      `<think>\nI could add.\n</think>\n\n<tool_call>\n{"name": "add", "arguments": ${json}}\n</tool_call>`,
    ],
    ["tool_use tags", `<tool_use>\n{"name": "add", "input": ${json}}\n</tool_use>`],
    ["tool tags", `<tool>\n{"name": "add", "arguments": ${json}}\n</tool>`],
    ["action tags", `<action>\n{"name": "add", "arguments": ${json}}\n</action>`],
    ["capital Tool_Call", `<Tool_Call>{"name": "add", "arguments": ${json}}</Tool_Call>`],
    ["hermes with tool_name", `<tool_call>{"tool_name": "add", "tool_arguments": ${json}}</tool_call>`],
    ["function with args", `{"function": "add", "args": ${json}}`],
    ["action and params", `{"action": "add", "params": ${json}}`],
    ["action and action_input", `{"action": "add", "action_input": ${json}}`],
    ["function_name key", `{"function_name": "add", "arguments": ${json}}`],
    ["type tool_use", `{"type": "tool_use", "id": "toolu_1", "name": "add", "input": ${json}}`],
    ["list of one", `[{"name": "add", "arguments": ${json}}]`],
    [
      "list with type",
      `[{"type": "function", "function": {"name": "add", "arguments": "{\\"a\\": 20, \\"b\\": 22}"}}]`,
    ],
    ["keyed by name", `{"add": ${json}}`],
    [
      "qwen one line",
      "<tool_call><function=add><parameter=a>20</parameter><parameter=b>22</parameter></function></tool_call>",
    ],
    [
      "qwen without tool_call",
      "<function=add>\n<parameter=a>\n20\n</parameter>\n<parameter=b>\n22\n</parameter>\n</function>",
    ],
    [
      "qwen without end of parameters",
      "<tool_call>\n<function=add>\n<parameter=a>\n20\n<parameter=b>\n22\n</function>\n</tool_call>",
    ],
    [
      "invoke, antml-like prefix",
      '<ns:function_calls>\n<ns:invoke name="add">\n<ns:parameter name="a">20</ns:parameter>\n<ns:parameter name="b">22</ns:parameter>\n</ns:invoke>\n</ns:function_calls>',
    ],
    [
      "invoke with types",
      '<invoke name="add"><parameter name="a" type="number">20</parameter><parameter name="b" type="number">22</parameter></invoke>',
    ],
    ["tool by name", "<add>\n<a>20</a>\n<b>22</b>\n</add>"],
    ["xlam", `[{"name": "add", "arguments": {"a": 20, "b": 22}}]`],
    ["olmo", "<function_calls>\nadd(a=20, b=22)\n</function_calls>"],
    ["apertus", '<|tools_prefix|>[{"add": {"a": 20, "b": 22}}]<|tools_suffix|>'],
    ["ernie", `<tool_call>\n{"name": "add", "arguments": ${json}}\n</tool_call>\n</s>`],
    [
      "step",
      `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="add"><steptml:parameter name="a">20</steptml:parameter><steptml:parameter name="b">22</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>`,
    ],
    ["exaone", `<tool_call>{"name": "add", "arguments": ${json}}</tool_call>[|endofturn|]`],
    ["solar", `<|tool_calls|>[{"name": "add", "arguments": ${json}}]<|tool_calls|>`],
    ["falcon", `<tool_call>\n[{"name": "add", "arguments": ${json}}]\n</tool_call>`],
    ["watt", "[add(a=20, b=22)]<|eot_id|>"],
    ["pythonic in a fence", "```python\nadd(a=20, b=22)\n```"],
    ["pythonic result", "```python\nresult = add(a=20, b=22)\nprint(result)\n```"],
    ["pythonic positional", "[add(20, 22)]"],
    ["functions prefix pythonic", "functions.add(a=20, b=22)"],
    [
      "harmony, analysis then call",
      '<|start|>assistant<|channel|>analysis<|message|>add<|end|><|start|>assistant to=functions.add<|channel|>commentary json<|message|>{"a": 20, "b": 22}<|call|>',
    ],
    ["harmony, stripped", 'assistantcommentary to=functions.add json{"a": 20, "b": 22}'],
    [
      "kimi without sections",
      '<|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 20, "b": 22}<|tool_call_end|>',
    ],
    [
      "glm in one line",
      "<tool_call>add<arg_key>a</arg_key><arg_value>20</arg_value><arg_key>b</arg_key><arg_value>22</arg_value></tool_call>",
    ],
    ["mistral, object", '[TOOL_CALLS] {"name": "add", "arguments": {"a": 20, "b": 22}}'],
    ["mistral, end mark", '[TOOL_CALLS][{"name": "add", "arguments": {"a": 20, "b": 22}}]</s>'],
    [
      "react, JSON fenced",
      'Thought: add\nAction:\n```json\n{"action": "add", "action_input": {"a": 20, "b": 22}}\n```',
    ],
    ["react, function call", "Thought: add\nAction: add(a=20, b=22)"],
    ["react, bold", '**Thought:** add\n**Action:** add\n**Action Input:** {"a": 20, "b": 22}'],
    ["react, quoted", 'Thought: add\nAction: `add`\nAction Input: `{"a": 20, "b": 22}`'],
    [
      "react, observation made up",
      'Thought: add\nAction: add\nAction Input: {"a": 20, "b": 22}\nObservation: 42\nThought: I know the answer.\nFinal Answer: 42',
    ],
    ["yaml", "```yaml\nname: add\narguments:\n  a: 20\n  b: 22\n```"],
    ["numbers as texts", '{"name": "add", "arguments": {"a": "20", "b": "22"}}'],
    ["smart quotes", "{“name”: “add”, “arguments”: {“a”: 20, “b”: 22}}"],
    ["missing brace", '<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 22}\n</tool_call>'],
    ["extra brace", '<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 22}}}\n</tool_call>'],
    ["newline in between", '{\n  "name": "add",\n  "arguments": {\n    "a": 20,\n    "b": 22\n  }\n}\n'],
    [
      "twice the same in tags",
      `<tool_call>{"name": "add", "arguments": ${json}}</tool_call>\nLet me wait for the result.`,
    ],
    ["Call: prefix", `Tool call: {"name": "add", "arguments": ${json}}`],
    ["escaped newlines", '{"name": "add", "arguments": "{\\n  \\"a\\": 20,\\n  \\"b\\": 22\\n}"}'],
  ]),
  {
    id: "calls: native, arguments twice encoded",
    agent: "tool-calling",
    answer: { content: null, tool_calls: [{ name: "add", arguments: '"{\\"a\\": 20, \\"b\\": 22}"' }] },
  },
  {
    id: "calls: native, arguments in a fence",
    agent: "tool-calling",
    answer: { content: "", tool_calls: [{ name: "add", arguments: '```json\n{"a": 20, "b": 22}\n```' }] },
  },
  {
    id: "calls: native, wrapped arguments",
    agent: "tool-calling",
    answer: { content: "", tool_calls: [{ name: "add", arguments: '{"arguments": {"a": 20, "b": 22}}' }] },
  },
  {
    id: "calls: native, spaces around the name",
    agent: "tool-calling",
    answer: { content: "", tool_calls: [{ name: " add ", arguments: json }] },
  },
  {
    id: "calls: native, upper case",
    agent: "tool-calling",
    answer: { content: "", tool_calls: [{ name: "Add", arguments: json }] },
  },
  ...ofCode([
    ["thought tags, then code", `<thought>add</thought>\n<code>\n${program}\n</code>`],
    ["thinking tags, then fence", `<thinking>\nadd\n</thinking>\n\`\`\`js\n${program}\n\`\`\``],
    ["reasoning tags", `<reasoning>add</reasoning>\n<code>\n${program}\n</code>`],
    ["Code: prefix", `Thought: add.\nCode:\n\`\`\`js\n${program}\n\`\`\`<end_code>`],
    ["end_code", `<code>\n${program}\n</code><end_code>`],
    ["py fence, JavaScript inside", `\`\`\`py\n${program}\n\`\`\``],
    ["fence in a list", `1. Add the numbers:\n   \`\`\`js\n   ${program.replace("\n", "\n   ")}\n   \`\`\``],
    ["quoted block", `> \`\`\`js\n> ${program.replace("\n", "\n> ")}\n> \`\`\``],
    ["harmony final", `<|channel|>final<|message|><code>\n${program}\n</code><|return|>`],
    ["harmony to python", `<|start|>assistant<|channel|>analysis to=python code<|message|>${program}<|call|>`],
    ["answer tags", `<answer>\n\`\`\`js\n${program}\n\`\`\`\n</answer>`],
    ["output tags", `<output><code>\n${program}\n</code></output>`],
    [
      "tool_call run_code",
      `<tool_call>\n{"name": "run_code", "arguments": {"code": ${JSON.stringify(program)}}}\n</tool_call>`,
    ],
    [
      "execute JSON",
      `{"tool": "execute_code", "input": {"language": "javascript", "code": ${JSON.stringify(program)}}}`,
    ],
    [
      "invoke execute",
      `<function_calls>\n<invoke name="execute">\n<parameter name="code">${program}</parameter>\n</invoke>\n</function_calls>`,
    ],
    ["react code", `Thought: add\nAction: javascript\nAction Input:\n\`\`\`js\n${program}\n\`\`\``],
    ["react code, quoted", `Thought: add\nAction: run\nAction Input: ${JSON.stringify({ code: program })}`],
    [
      "module wrapper",
      `\`\`\`js\nexport default async function run() {\n  const r = await add({ a: 20, b: 22 });\n  finalAnswer(r);\n}\nawait run();\n\`\`\``,
    ],
    ["require of tools", `\`\`\`js\nconst { add } = require("./tools");\n${program}\n\`\`\``],
    ["use strict", `<code>\n"use strict";\n${program}\n</code>`],
    ["tools object", "<code>\nfinalAnswer(await tools.add({ a: 20, b: 22 }));\n</code>"],
    ["functions object", "<code>\nfinalAnswer(await functions.add({ a: 20, b: 22 }));\n</code>"],
    ["return of the answer", "<code>\nconst r = await add({ a: 20, b: 22 });\nreturn finalAnswer(r);\n</code>"],
    ["then chain", "<code>\nadd({ a: 20, b: 22 }).then((r) => finalAnswer(r));\n</code>"],
    ["name in brackets", "<code>\nconst { a, b } = { a: 20, b: 22 };\nfinalAnswer(await add({ a, b }));\n</code>"],
    [
      "hash comment",
      "<code>\n// Add the numbers\nconst r = await add({ a: 20, b: 22 }); // 42\nfinalAnswer(r);\n</code>",
    ],
    ["html comment", `<!-- add -->\n<code>\n${program}\n</code>`],
    ["CDATA", `<code><![CDATA[\n${program}\n]]></code>`],
    ["bold heading", `**Code:**\n\n\`\`\`javascript\n${program}\n\`\`\`\n\n**Output:** 42`],
    ["two closings", `<code>\n${program}\n</code>\n</code>`],
    ["fence closed by the tag", `\`\`\`js\n${program}\n</code>`],
    ["tag closed by a fence", `<code>\n${program}\n\`\`\``],
    ["spaces in tags", `< code >\n${program}\n< /code >`],
    ["bracket tags", `[code]\n${program}\n[/code]`],
  ]),
];

/** None of these answers asks for a tool call. */
export const moreNoActions: readonly Style[] = [
  ...ofCalls([
    [
      "no action: documentation",
      'To add numbers you would write `{"name": "add", "arguments": {"a": 1, "b": 2}}`. Shall I?',
    ],
    [
      "no action: tools echoed",
      '[AVAILABLE_TOOLS][{"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}][/AVAILABLE_TOOLS]',
    ],
    ["no action: tool_response", '<tool_response>\n{"name": "add", "content": 42}\n</tool_response>'],
    [
      "no action: a call in a thought",
      '<think>\n<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>\n</think>\nI need the numbers first.',
    ],
    ["no action: cut in a text", '<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": "2'],
    ["no action: cut XML", "<tool_call>\n<function=add>\n<parameter=a>\n20\n</parameter>\n<parameter=b>\n2"],
    ["no action: unknown tool in tags", '<tool_call>{"name": "subtract", "arguments": {"a": 20, "b": 22}}</tool_call>'],
    [
      "no action: user's turn made up",
      'The sum?\n<|im_start|>user\n<tool_call>{"name": "add", "arguments": {"a": 5, "b": 5}}</tool_call><|im_end|>',
    ],
  ]),
  ...ofCode([
    [
      "no action: code in a thought",
      "<think>\n<code>\nfinalAnswer(await add({ a: 1, b: 2 }));\n</code>\n</think>\nWhich numbers?",
    ],
    ["no action: inline code", "You can call `add({ a: 1, b: 2 })` for that. Which numbers do you mean?"],
    ["no action: shell", "```bash\nnpm install add\n```"],
    ["no action: tool response echoed", "<tool_response>\nawait add({ a: 1, b: 2 })\n</tool_response>"],
  ]),
];
