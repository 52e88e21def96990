// More ways in which models write actions, in addition to those in the data file that
// `run-styles.ts` reads: the formats of open models, from their chat templates, and other answers
// that were observed.

/** An answer of a model, and the kind of agent that receives it. */
export interface Style {
  readonly id: string;
  readonly agent: "code" | "tool-calling";
  readonly answer: {
    readonly content: string | null;
    readonly tool_calls?: readonly { readonly id?: string; readonly name: string; readonly arguments: string }[];
  };
}

/** Each answer clearly asks to add 20 and 22. */
export const styles: readonly Style[] = [
  {
    id: "code: fence javascript",
    agent: "code",
    answer: { content: "```javascript\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: "code: fence JavaScript",
    agent: "code",
    answer: { content: "```JavaScript\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: "code: fence typescript",
    agent: "code",
    answer: { content: "```typescript\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: "code: fence tsx",
    agent: "code",
    answer: { content: "```tsx\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: "code: fence mjs",
    agent: "code",
    answer: { content: "```mjs\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: "code: fence node",
    agent: "code",
    answer: { content: "```node\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: "code: fence nodejs",
    agent: "code",
    answer: { content: "```nodejs\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: "code: fence ecmascript",
    agent: "code",
    answer: { content: "```ecmascript\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: 'code: fence js title="a.js"',
    agent: "code",
    answer: { content: '```js title="a.js"\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```' },
  },
  {
    id: "code: fence code",
    agent: "code",
    answer: { content: "```code\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: "code: fence run",
    agent: "code",
    answer: { content: "```run\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: "code: tildes",
    agent: "code",
    answer: { content: "~~~js\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n~~~" },
  },
  {
    id: "code: four backticks",
    agent: "code",
    answer: { content: "````js\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n````" },
  },
  {
    id: "code: indented fence",
    agent: "code",
    answer: { content: "1. Add:\n   ```js\n   const r = await add({ a: 20, b: 22 });\n   finalAnswer(r);\n   ```" },
  },
  {
    id: "code: fence without its end",
    agent: "code",
    answer: { content: "Thought: add.\n```js\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n" },
  },
  {
    id: "code: fence after prose on its line",
    agent: "code",
    answer: { content: "Code: ```js\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```" },
  },
  {
    id: "code: tag with a language",
    agent: "code",
    answer: { content: '<code lang="js">\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</code>' },
  },
  {
    id: "code: execute tags",
    agent: "code",
    answer: { content: "<execute>\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</execute>" },
  },
  {
    id: "code: script tags",
    agent: "code",
    answer: { content: "<script>\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</script>" },
  },
  {
    id: "code: javascript tags",
    agent: "code",
    answer: { content: "<javascript>\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</javascript>" },
  },
  {
    id: "code: py tags",
    agent: "code",
    answer: { content: "<py>\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</py>" },
  },
  {
    id: "code: pre and code",
    agent: "code",
    answer: { content: "<pre><code>\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</code></pre>" },
  },
  {
    id: "code: tool code with tool_call",
    agent: "code",
    answer: {
      content:
        '<tool_call>\n{"name": "javascript", "arguments": {"code": "const r = await add({ a: 20, b: 22 });\\nfinalAnswer(r);"}}\n</tool_call>',
    },
  },
  {
    id: "code: interpreter, marked by kimi",
    agent: "code",
    answer: {
      content:
        '<|tool_call_begin|>functions.code_interpreter:0<|tool_call_argument_begin|>{"code": "const r = await add({ a: 20, b: 22 });\\nfinalAnswer(r);"}<|tool_call_end|>',
    },
  },
  {
    id: "code: thought and code as JSON",
    agent: "code",
    answer: { content: '{"thought": "I add.", "code": "const r = await add({ a: 20, b: 22 });\\nfinalAnswer(r);"}' },
  },
  {
    id: "code: thought and code as fenced JSON",
    agent: "code",
    answer: {
      content:
        '```json\n{\n "thought": "I add.",\n "code": "const r = await add({ a: 20, b: 22 });\\nfinalAnswer(r);"\n}\n```',
    },
  },
  {
    id: "code: whole JSON call",
    agent: "code",
    answer: { content: '{"name": "add", "arguments": {"a": 20, "b": 22}}' },
  },
  {
    id: "code: whole JSON call, parameters",
    agent: "code",
    answer: { content: '```json\n{"name": "add", "parameters": {"a": 20, "b": 22}}\n```' },
  },
  {
    id: "code: hermes",
    agent: "code",
    answer: { content: '<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 22}}\n</tool_call>' },
  },
  {
    id: "code: qwen coder",
    agent: "code",
    answer: {
      content:
        "<tool_call>\n<function=add>\n<parameter=a>\n20\n</parameter>\n<parameter=b>\n22\n</parameter>\n</function>\n</tool_call>",
    },
  },
  { id: "code: mistral", agent: "code", answer: { content: '[TOOL_CALLS]add[ARGS]{"a": 20, "b": 22}' } },
  {
    id: "code: invoke",
    agent: "code",
    answer: {
      content:
        '<function_calls>\n<invoke name="add">\n<parameter name="a">20</parameter>\n<parameter name="b">22</parameter>\n</invoke>\n</function_calls>',
    },
  },
  {
    id: "code: special token at the end",
    agent: "code",
    answer: { content: "const r = await add({ a: 20, b: 22 });\nfinalAnswer(r);<|im_end|>" },
  },
  {
    id: "code: REPL of node",
    agent: "code",
    answer: { content: "```\n> const r = await add({ a: 20, b: 22 });\n> finalAnswer(r);\n42\n```" },
  },
  {
    id: "code: non-breaking spaces",
    agent: "code",
    answer: { content: "<code>\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</code>" },
  },
  {
    id: "code: zero width",
    agent: "code",
    answer: { content: "<code>\n​const r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</code>" },
  },
  {
    id: "code: entities",
    agent: "code",
    answer: { content: "<code>\nconst r = await add({ a: 20, b: 22 });\nif (r &gt; 0) finalAnswer(r);\n</code>" },
  },
  {
    id: "code: think, unclosed, then code",
    agent: "code",
    answer: { content: "<think>I add.\n<code>\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</code>" },
  },
  {
    id: "code: code then an observation made up",
    agent: "code",
    answer: {
      content:
        "<code>\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</code>\nObservation: 42\n<code>\nfinalAnswer(await add({ a: 1, b: 1 }));\n</code>",
    },
  },
  {
    id: "code: import of tools",
    agent: "code",
    answer: {
      content:
        '<code>\nimport { add } from "./tools";\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n</code>',
    },
  },
  {
    id: "code: two fences, shell first",
    agent: "code",
    answer: {
      content: "```bash\nnpm install\n```\n```js\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```",
    },
  },
  {
    id: "code: answer in German",
    agent: "code",
    answer: {
      content:
        "Ich addiere zuerst.\n\n```javascript\nconst r = await add({ a: 20, b: 22 });\nfinalAnswer(r);\n```\nFertig.",
    },
  },
  {
    id: "code: windows line ends",
    agent: "code",
    answer: { content: "<code>\r\nconst r = await add({ a: 20, b: 22 });\r\nfinalAnswer(r);\r\n</code>" },
  },
  {
    id: "code: node -e",
    agent: "code",
    answer: { content: '{"cmd": ["node", "-e", "const r = await add({ a: 20, b: 22 });\\nfinalAnswer(r);"]}' },
  },
  {
    id: "calls: two tool_call blocks",
    agent: "tool-calling",
    answer: {
      content:
        '<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 22}}\n</tool_call>\n<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 22}}\n</tool_call>',
    },
  },
  {
    id: "calls: prose and tool_call",
    agent: "tool-calling",
    answer: { content: 'I add.\n<tool_call>{"name": "add", "arguments": {"a": 20, "b": 22}}</tool_call>' },
  },
  {
    id: "calls: granite",
    agent: "tool-calling",
    answer: { content: '<|tool_call|>[{"name": "add", "arguments": {"a": 20, "b": 22}}]' },
  },
  {
    id: "calls: phi",
    agent: "tool-calling",
    answer: { content: '<|tool_call|>[{"name": "add", "arguments": {"a": 20, "b": 22}}]<|/tool_call|>' },
  },
  {
    id: "calls: nemotron",
    agent: "tool-calling",
    answer: { content: '<TOOLCALL>[{"name": "add", "arguments": {"a": 20, "b": 22}}]</TOOLCALL>' },
  },
  {
    id: "calls: jamba",
    agent: "tool-calling",
    answer: { content: '<tool_calls>[\n{"name": "add", "arguments": {"a": 20, "b": 22}}\n]</tool_calls>' },
  },
  {
    id: "calls: minimax 1",
    agent: "tool-calling",
    answer: { content: '<tool_calls>\n{"name": "add", "arguments": {"a": 20, "b": 22}}\n</tool_calls>' },
  },
  {
    id: "calls: lfm",
    agent: "tool-calling",
    answer: { content: "<|tool_call_start|>[add(a=20, b=22)]<|tool_call_end|>" },
  },
  {
    id: "calls: minicpm",
    agent: "tool-calling",
    answer: { content: "<|tool_call_start|>\n```python\nadd(a=20, b=22)\n```\n<|tool_call_end|>" },
  },
  {
    id: "calls: hunyuan",
    agent: "tool-calling",
    answer: { content: '<tool_calls>\n<tool_call>add\n```json\n{"a": 20, "b": 22}\n```\n</tool_call>\n</tool_calls>' },
  },
  {
    id: "calls: seed",
    agent: "tool-calling",
    answer: {
      content:
        "<seed:tool_call>\n<function=add>\n<parameter=a>20</parameter>\n<parameter=b>22</parameter>\n</function>\n</seed:tool_call>",
    },
  },
  {
    id: "calls: functioncall",
    agent: "tool-calling",
    answer: { content: '<functioncall> {"name": "add", "arguments": {"a": 20, "b": 22}} </functioncall>' },
  },
  {
    id: "calls: function_call",
    agent: "tool-calling",
    answer: { content: '<function_call>{"name": "add", "arguments": {"a": 20, "b": 22}}</function_call>' },
  },
  {
    id: "calls: command-a",
    agent: "tool-calling",
    answer: {
      content:
        '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "add", "parameters": {"a": 20, "b": 22}}\n]<|END_ACTION|>',
    },
  },
  {
    id: "calls: command-r",
    agent: "tool-calling",
    answer: {
      content:
        'Action: ```json\n[\n    {\n        "tool_name": "add",\n        "parameters": {"a": 20, "b": 22}\n    }\n]```',
    },
  },
  {
    id: "calls: smolagents",
    agent: "tool-calling",
    answer: { content: 'Thought: I add.\nAction:\n{"name": "add", "arguments": {"a": 20, "b": 22}}' },
  },
  {
    id: "calls: react",
    agent: "tool-calling",
    answer: { content: 'Thought: I add.\nAction: add\nAction Input: {"a": 20, "b": 22}\nObservation: 42' },
  },
  {
    id: "calls: langchain",
    agent: "tool-calling",
    answer: { content: '```json\n{"action": "add", "action_input": {"a": 20, "b": 22}}\n```' },
  },
  {
    id: "calls: mistral list",
    agent: "tool-calling",
    answer: { content: '[TOOL_CALLS] [{"name": "add", "arguments": {"a": 20, "b": 22}}]' },
  },
  {
    id: "calls: mistral call id",
    agent: "tool-calling",
    answer: { content: '[TOOL_CALLS]add[CALL_ID]abcdEF123[ARGS]{"a": 20, "b": 22}' },
  },
  {
    id: "calls: mistral twice",
    agent: "tool-calling",
    answer: { content: '[TOOL_CALLS]add[ARGS]{"a": 20, "b": 22}[TOOL_CALLS]add[ARGS]{"a": 20, "b": 22}' },
  },
  {
    id: "calls: llama function",
    agent: "tool-calling",
    answer: { content: '<function=add>{"a": 20, "b": 22}</function>' },
  },
  {
    id: "calls: llama python tag",
    agent: "tool-calling",
    answer: { content: '<|python_tag|>{"name": "add", "parameters": {"a": 20, "b": 22}}<|eom_id|>' },
  },
  {
    id: "calls: llama python tag, python",
    agent: "tool-calling",
    answer: { content: "<|python_tag|>add.call(a=20, b=22)" },
  },
  { id: "calls: pythonic twice", agent: "tool-calling", answer: { content: "[add(a=20, b=22), add(a=20, b=22)]" } },
  { id: "calls: gemma tool_code", agent: "tool-calling", answer: { content: "```tool_code\nadd(a=20, b=22)\n```" } },
  {
    id: "calls: gemma printed",
    agent: "tool-calling",
    answer: { content: "```tool_code\nprint(default_api.add(a=20, b=22))\n```" },
  },
  { id: "calls: functionary", agent: "tool-calling", answer: { content: '>>>add\n{"a": 20, "b": 22}' } },
  {
    id: "calls: internlm",
    agent: "tool-calling",
    answer: { content: '<|action_start|><|plugin|>\n{"name": "add", "arguments": {"a": 20, "b": 22}}<|action_end|>' },
  },
  {
    id: "calls: harmony, name first",
    agent: "tool-calling",
    answer: {
      content: '<|start|>assistant to=functions.add<|channel|>commentary json<|message|>{"a": 20, "b": 22}<|call|>',
    },
  },
  {
    id: "calls: kimi",
    agent: "tool-calling",
    answer: {
      content:
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 20, "b": 22}<|tool_call_end|><|tool_calls_section_end|>',
    },
  },
  {
    id: "calls: deepseek",
    agent: "tool-calling",
    answer: {
      content:
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n{"a": 20, "b": 22}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    },
  },
  {
    id: "calls: deepseek 3.1",
    agent: "tool-calling",
    answer: {
      content:
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{"a": 20, "b": 22}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    },
  },
  {
    id: "calls: deepseek 3.2",
    agent: "tool-calling",
    answer: {
      content:
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="add">\n<｜DSML｜parameter name="a" string="false">20</｜DSML｜parameter>\n<｜DSML｜parameter name="b" string="false">22</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    },
  },
  {
    id: "calls: glm compact",
    agent: "tool-calling",
    answer: {
      content:
        "<tool_call>add<arg_key>a</arg_key><arg_value>20</arg_value><arg_key>b</arg_key><arg_value>22</arg_value></tool_call>",
    },
  },
  {
    id: "calls: openai message",
    agent: "tool-calling",
    answer: {
      content:
        '{"tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "add", "arguments": "{\\"a\\": 20, \\"b\\": 22}"}}]}',
    },
  },
  {
    id: "calls: function_call key",
    agent: "tool-calling",
    answer: { content: '{"function_call": {"name": "add", "arguments": {"a": 20, "b": 22}}}' },
  },
  {
    id: "calls: gemini",
    agent: "tool-calling",
    answer: { content: '{"functionCall": {"name": "add", "args": {"a": 20, "b": 22}}}' },
  },
  {
    id: "calls: anthropic",
    agent: "tool-calling",
    answer: { content: '{"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 20, "b": 22}}' },
  },
  {
    id: "calls: multi_tool_use",
    agent: "tool-calling",
    answer: { content: '{"tool_uses": [{"recipient_name": "functions.add", "parameters": {"a": 20, "b": 22}}]}' },
  },
  {
    id: "calls: double encoding",
    agent: "tool-calling",
    answer: { content: '{"name": "add", "arguments": "\\"{\\\\\\"a\\\\\\": 20, \\\\\\"b\\\\\\": 22}\\""}' },
  },
  {
    id: "calls: comments",
    agent: "tool-calling",
    answer: { content: '{\n  // the sum\n  "name": "add",\n  "arguments": {"a": 20, /* first */ "b": 22}\n}' },
  },
  { id: "calls: bare keys", agent: "tool-calling", answer: { content: "{name: 'add', arguments: {a: 20, b: 22}}" } },
  {
    id: "calls: python words",
    agent: "tool-calling",
    answer: { content: "{'name': 'add', 'arguments': {'a': 20, 'b': 22, 'c': None}}" },
  },
  {
    id: "calls: fence",
    agent: "tool-calling",
    answer: { content: '```json\n{"name": "add", "arguments": {"a": 20, "b": 22}}\n```' },
  },
  {
    id: "calls: an answer after the call",
    agent: "tool-calling",
    answer: { content: '{"name": "add", "arguments": {"a": 20, "b": 22}}\n\nThis will return 42.' },
  },
  {
    id: "calls: a result made up after the call",
    agent: "tool-calling",
    answer: {
      content:
        '<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 22}}\n</tool_call>\n<tool_response>\n{"name": "add", "arguments": {"a": 1, "b": 1}}\n</tool_response>',
    },
  },
  {
    id: "calls: another turn made up",
    agent: "tool-calling",
    answer: {
      content:
        '<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 22}}\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_call>{"name": "add", "arguments": {"a": 1, "b": 1}}</tool_call>',
    },
  },
  {
    id: "calls: chat mark at the start",
    agent: "tool-calling",
    answer: {
      content: '<|im_start|>assistant\n<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 22}}\n</tool_call>',
    },
  },
  {
    id: "code: a native call",
    agent: "code",
    answer: { content: null, tool_calls: [{ name: "add", arguments: '{"a": 20, "b": 22}' }] },
  },
];

/** None of these answers asks for a tool call. */
export const noActions: readonly Style[] = [
  { id: "code: no action: prose", agent: "code", answer: { content: "The answer is 42." } },
  {
    id: "code: no action: a result echoed",
    agent: "code",
    answer: { content: '<tool_response>\n{"name": "add", "arguments": {"a": 1, "b": 1}}\n</tool_response>' },
  },
  {
    id: "code: no action: a thought",
    agent: "code",
    answer: { content: "<think>maybe <code>await add({ a: 1, b: 1 })</code></think>" },
  },
  { id: "code: no action: data", agent: "code", answer: { content: '```json\n{"a": 20, "b": 22}\n```' } },
  { id: "code: no action: a template", agent: "code", answer: { content: "<code>\nyour code here\n</code>" } },
  { id: "calls: no action: prose", agent: "tool-calling", answer: { content: "I cannot do that." } },
  {
    id: "calls: no action: echo",
    agent: "tool-calling",
    answer: { content: '<tool_response>\n{"name": "add", "arguments": {"a": 1, "b": 1}}\n</tool_response>' },
  },
  {
    id: "calls: no action: observation echoed",
    agent: "tool-calling",
    answer: { content: 'Observation: {"name": "add", "arguments": {"a": 1, "b": 1}}' },
  },
  {
    id: "calls: no action: cut in the middle",
    agent: "tool-calling",
    answer: { content: '<tool_call>\n{"name": "add", "arguments": {"a": 20, "b": 2' },
  },
  {
    id: "calls: no action: cut elements",
    agent: "tool-calling",
    answer: { content: "<tool_call>\n<function=add>\n<parameter=a>\n20\n</parameter>\n<parameter=b>\n2" },
  },
  {
    id: "calls: no action: a thought",
    agent: "tool-calling",
    answer: { content: '<think><tool_call>{"name": "add", "arguments": {"a": 1, "b": 1}}</tool_call></think>' },
  },
  {
    id: "calls: no action: quotes that end nowhere",
    agent: "tool-calling",
    answer: { content: '{"name": "add", "arguments": {"a": "he said "20"", "b": 22}}' },
  },
  { id: "calls: no action: data", agent: "tool-calling", answer: { content: '{"a": 20, "b": 22}' } },
  {
    id: "calls: no action: a prototype",
    agent: "tool-calling",
    answer: { content: '{"name": "add", "arguments": {"a": 20, "b": 22, "__proto__": {"a": 1}}}' },
  },
  {
    id: "calls: no action: a prototype in code",
    agent: "tool-calling",
    answer: { content: '<tool_call>{"name": "add", "arguments": {"__proto__": {"a": 1, "b": 2}}}</tool_call>' },
  },
];
