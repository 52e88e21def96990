// Texts that models write when asked for code between <code> and </code>, each with the code that
// the parser must find.
//
// Rows marked "syntax" can be parsed only with a syntax check.

type ModelText = [what: string, text: string, code: string, needs?: "syntax"];

const wrapped = (code: string, name = "python_interpreter"): string => JSON.stringify({ name, arguments: { code } });

const tagged: ModelText[] = [
  ["the configured tags", "Thought: add.\n<code>\n1 + 1\n</code>", "1 + 1"],
  ["tags on one line", "<code>1 + 1</code>", "1 + 1"],
  ["space around the code", "<code>  \n\n  1 + 1  \n\n </code>  \n", "1 + 1"],
  ["a closing tag that never came", "<code>\n1 + 1", "1 + 1"],
  ["two blocks, joined", "<code>let a = 1</code> then <code>a + 1</code>", "let a = 1\n\na + 1"],
  ["three blocks, joined", "<code>\n1\n</code>\n<code>\n2\n</code>\n\n<code>\n3\n</code>", "1\n\n2\n\n3"],
  ["an empty block next to a full one", "<code>\n</code>\n<code>1</code>", "1"],
  ["prose after the block", "<code>\n1\n</code>\nThis gives 1.", "1"],
  ["tags in capitals", "<CODE>\n1\n</CODE>", "1"],
  ["an attribute in the opening tag", '<code lang="js">\n1\n</code>', "1"],
  ["space in the closing tag", "<code>\n1\n</code >", "1"],
  ["line ends of Windows", "Add.\r\n<code>\r\n1 + 1\r\n</code>\r\n", "1 + 1"],
  ["a fence within the tags", "<code>\n```js\n1 + 1\n```\n</code>", "1 + 1"],
  ["tags within a fence", "```js\n<code>\n1 + 1\n</code>\n```", "1 + 1"],
  ["the opening tag twice", "<code>\n<code>\n1 + 1\n</code>\n</code>", "1 + 1"],
  ["the opening tag twice in a line", "<code><code>1 + 1</code></code>", "1 + 1"],
  ["an opening tag in the place of the closing one", "<code>\n1 + 1\n<code>", "1 + 1"],
  ["a second block that begins before the first ended", "<code>\n1\n<code>\n2\n</code>", "1\n\n2"],
  ["an opening tag in a sentence that reads as a program", "I use <code> tags.\n<code>\nprint(1)\n</code>", "print(1)"],
  ["the language as the first line", "<code>\njavascript\n1 + 1\n</code>", "1 + 1"],
  ["a fence in the place of the closing tag", "<code>\n1 + 1\n```", "1 + 1"],
  ["another closing tag", "<code>\n1 + 1\n</python>", "1 + 1"],
  ["a closing tag that was cut off", "<code>\n1 + 1\n</co", "1 + 1"],
  ["a comparison before the text's end", "<code>\n1 <\n2", "1 <\n2"],
  ["an opening tag in backticks before the block", "I use `<code>` tags.\n<code>\n1\n</code>", "1"],
  ["the tags in prose before the block", "I write between <code> and </code>.\n<code>\n1\n</code>", "1"],
  ["prose in a block by mistake", "Inside <code> I write:\n<code>\nf(1)\n</code>", "f(1)", "syntax"],
  ["a JSON call within the tags", `<code>\n${wrapped("1 + 1")}\n</code>`, "1 + 1"],
  ["code that is an object", "<code>\n({ code: 1 })\n</code>", "({ code: 1 })"],
];

const literals: ModelText[] = [
  ["the closing tag in a text", '<code>\nf("</code>");\n1\n</code>', 'f("</code>");\n1'],
  ["the closing tag in single quotes", "<code>\nf('a</code>b');\n</code>", "f('a</code>b');"],
  ["the closing tag after an escaped quote", '<code>\nf("\\"</code>");\n</code>', 'f("\\"</code>");'],
  ["the closing tag in a template", "<code>\nf(`\n</code>\n`);\n</code>", "f(`\n</code>\n`);"],
  [
    "the closing tag in a template's text after a value",
    "<code>\nf(`${{ a: 1 }.a}</code>`);\n</code>",
    "f(`${{ a: 1 }.a}</code>`);",
  ],
  ["the closing tag in a line comment", "<code>\n// until </code>\n1\n</code>", "// until </code>\n1"],
  ["the closing tag in a block comment", "<code>\n/* </code> */ 1\n</code>", "/* </code> */ 1"],
  ["the closing tag in a regular expression", "<code>\nf(/[<]</code>/);\n</code>", "f(/[<]</code>/);", "syntax"],
  ["an apostrophe in a comment", "<code>\n// don't\n1\n</code>\nNot this.", "// don't\n1"],
  ["an apostrophe in a comment of another language", "<code>\n# don't\n1\n</code>\nNot this.", "# don't\n1"],
  [
    "quotes in a regular expression",
    "<code>\ns.replace(/[\"'`]/g, '')\n</code>\nIt's done.",
    "s.replace(/[\"'`]/g, '')",
  ],
  [
    "a division that is not a regular expression",
    "<code>\nconst half = total / 2; f('/');\n</code>",
    "const half = total / 2; f('/');",
  ],
  ["the only closing tag in a line comment", "<code>\n1 // done</code>\nNot this.", "1 // done"],
  ["the only closing tag after an open quote", "<code>\nf('a);</code>\nNot this.", "f('a);"],
  ["a made-up observation within a text", "<code>\nf(`\nObservation: 1\n`);\n</code>", "f(`\nObservation: 1\n`);"],
  ["a property named like an observation", "<code>\nf({\nObservation: 1 });\n</code>", "f({\nObservation: 1 });"],
  [
    "a fence in a template",
    "<code>\nf(`a\n\\`\\`\\`js\n1\n\\`\\`\\``);\n</code>",
    "f(`a\n\\`\\`\\`js\n1\n\\`\\`\\``);",
  ],
  ["HTML in a text", "<code>\nf('<p>1</p>');\n</code>", "f('<p>1</p>');"],
];

const madeUp: ModelText[] = [
  ["nothing after a made-up observation", "<code>1</code>\nObservation: 1\n<code>2</code>", "1"],
  ["nothing after one in our own frame", "<code>1</code>\n<observation x 1>\n1\n</observation>\n<code>2</code>", "1"],
  ["nothing after one in bold", "<code>1</code>\n**Observation**: 1\n<code>2</code>", "1"],
  ["nothing after made-up logs", "<code>1</code>\nExecution logs:\n1\n<code>2</code>", "1"],
  ["nothing after an observation without a closing tag", "<code>\n1\nObservation: 1\n<code>\n2\n</code>", "1"],
  ["code without a closing tag up to the observation", "<code>\n1\nObservation: 1\nThought: so", "1"],
  ["a recapitulated observation before the block", "Observation: it was 1.\n<code>\n2\n</code>", "2"],
  ["the word within a line", "<code>1</code>\nThe observation: it fits.\n<code>2</code>", "1\n\n2"],
  ["no fence after made-up output", "```js\n1\n```\nOutput:\n```\n1\n```", "1"],
];

const thoughts: ModelText[] = [
  ["code after thoughts", "<think>Let me see.</think>\n<code>\n1\n</code>", "1"],
  ["no code from thoughts", "<think>Maybe <code>2</code>?</think>\n<code>\n1\n</code>", "1"],
  ["no code from thoughts of another name", "<thinking>\n<code>\n2\n</code>\n</thinking>\n<code>1</code>", "1"],
  ["code after thoughts whose beginning is missing", "Maybe <code>2</code>?\n</think>\n<code>\n1\n</code>", "1"],
  ["code within thoughts when there is no other", "<think>So:\n<code>\n1\n</code>\n</think>", "1"],
  ["code after thoughts that never ended", "<think>So:\n<code>\n1\n</code>", "1"],
  ["the end of thoughts as a text of the program", '<code>\nf("</think>");\n</code>', 'f("</think>");'],
  ["no fence from thoughts", "<think>\n```js\n2\n```\n</think>\n```js\n1\n```", "1"],
];

const fences: ModelText[] = [
  ["a fence of JavaScript", "Add.\n```js\n1 + 1\n```", "1 + 1"],
  ["a fence of another language", "```python\n1 + 1\n```", "1 + 1"],
  ["a fence of TypeScript in capitals", "```TypeScript\n1 + 1\n```", "1 + 1"],
  ["a fence without a language", "```\n1 + 1\n```", "1 + 1"],
  ["a fence with a title", '```js title="add.js"\n1 + 1\n```', "1 + 1"],
  ["an indented fence", "1. Add:\n   ```js\n   1 + 1\n   ```", "1 + 1"],
  ["a fence of tildes", "~~~js\n1 + 1\n~~~", "1 + 1"],
  ["a fence of the word code", "```code\n1 + 1\n```", "1 + 1"],
  ["a fence that never closed", "```js\n1 + 1", "1 + 1"],
  ["a fence closed by a tag", "```js\n1 + 1\n</code>", "1 + 1"],
  ["two fences, joined", "```js\nlet a = 1\n```\nthen\n```js\na\n```", "let a = 1\n\na"],
  ["a fence on one line", "I run ```js 1 + 1```", "1 + 1"],
  ["the code next to data", '```json\n{"a": 1}\n```\n```js\n2\n```', "2"],
  ["the code next to a shell command", "```bash\nnpm i\n```\n```js\n2\n```", "2"],
  ["a fence when the tags are only mentioned", "In `<code>` tags:\n```js\n1\n```", "1"],
  ["a fence around a JSON call", `\`\`\`json\n${wrapped("1 + 1")}\n\`\`\``, "1 + 1"],
];

const calls: ModelText[] = [
  ["a JSON call that wraps code", wrapped("1 + 1"), "1 + 1"],
  ["a JSON call within prose", `I call it.\nAction: ${wrapped("f({ a: 1 })")} now.`, "f({ a: 1 })"],
  ["a JSON call in tags of its own", `<tool_call>\n${wrapped("1 + 1")}\n</tool_call>`, "1 + 1"],
  ["a JSON call with parameters", '{"name": "run", "parameters": {"code": "1 + 1"}}', "1 + 1"],
  ["a JSON call with its arguments as a text", JSON.stringify({ name: "run", arguments: '{"code":"1 + 1"}' }), "1 + 1"],
  ["a JSON call whose argument is the code", '{"name": "code_interpreter", "arguments": "1 + 1"}', "1 + 1"],
  ["a JSON call with tags around its code", wrapped("<code>\n1 + 1\n</code>"), "1 + 1"],
  ["a JSON call with line ends in its text", '{"name": "run", "arguments": {"code": "f(1)\nf(2)"}}', "f(1)\nf(2)"],
  ["an object of thought and code", '{"thought": "add", "code": "1 + 1"}', "1 + 1"],
];

const foreign: ModelText[] = [
  ["tags of the name python", "<python>\n1 + 1\n</python>", "1 + 1"],
  ["tags of the name tool_code", "<tool_code>\n1 + 1\n</tool_code>", "1 + 1"],
  ["tags of the name execute", "<execute>\n1 + 1\n</execute>", "1 + 1"],
  ["tags of the name script", "<script>\n1 + 1\n</script>", "1 + 1"],
];

const bare: ModelText[] = [
  ["a bare declaration", "const a = 1;\na + 1", "const a = 1;\na + 1"],
  ["a bare call", 'finalAnswer("Paris")', 'finalAnswer("Paris")'],
  ["a bare call that is awaited", "await f({ a: 1 });", "await f({ a: 1 });"],
  ["a bare call over several lines", "print(await f({\n  a: 1,\n}));", "print(await f({\n  a: 1,\n}));"],
  ["a bare sum", "1 + 1", "1 + 1"],
  ["a bare function", "function f() {\n  return 1;\n}\nf()", "function f() {\n  return 1;\n}\nf()"],
  ["a bare comment and loop", "// count\nfor (const a of [1]) print(a);", "// count\nfor (const a of [1]) print(a);"],
  ["bare code up to a made-up observation", "print(1)\nObservation: 1", "print(1)"],
  ["bare code after prose", "I add them.\nconst a = 1;\nprint(a)", "const a = 1;\nprint(a)", "syntax"],
  ["bare code after thoughts", "<think>Well.</think>\nfinalAnswer(1)", "finalAnswer(1)"],
];

const repaired: ModelText[] = [
  ["escaped HTML", "<code>\nif (1 &lt; 2 &amp;&amp; true) f();\n</code>", "if (1 < 2 && true) f();", "syntax"],
  ["escaped HTML that is meant", '<code>\nf("&lt;");\n</code>', 'f("&lt;");'],
  ["curly quotes", "<code>\nf(“a”);\n</code>", 'f("a");', "syntax"],
  ["curly quotes that are meant", '<code>\nf("“a”");\n</code>', 'f("“a”");'],
  ["invisible characters", "<code>\n\u200bf(1);\u200b\n</code>", "f(1);", "syntax"],
  ["a quote that misleads about the closing tag", "<code>\nf(1) // `\n</code>\nIt's `so`.", "f(1) // `"],
];

/** Markers that chat templates and other frameworks leave in the text. */
const marks: ModelText[] = [
  ["the end mark of a chat template after the tag", "<code>\n1\n</code><|im_end|>", "1"],
  ["the end mark of a chat template in the place of the tag", "<code>\n1\n<|im_end|>", "1"],
  ["another end mark in the place of the tag", "<code>\n1\n</s>", "1"],
  ["the end of a turn after an open block", "<code>\n1\n<end_of_turn>", "1"],
  ["a mark of the end of code in the place of the tag", "<code>\n1\n<end_code>", "1"],
  ["a mark of the end of code after a fence", "Thought: add.\nCode:\n```py\n1\n```<end_code>", "1"],
  ["a mark before the code", "<|python_tag|>print(1)", "print(1)"],
  ["channels before the code", "<|channel|>analysis<|message|>Add.<|end|>\n<code>\n1\n</code>", "1"],
  ["a byte order mark", "\ufeff<code>\n1\n</code>", "1"],
  ["a role at the beginning", "Assistant: I add.\n<code>\n1\n</code>", "1"],
  ["a heading before the block", "## Code\n\n<code>\n1\n</code>", "1"],
  ["a bold label before a fence", "**Code:**\n```javascript\n1\n```", "1"],
  ["a quoted block", "> I add.\n\n```js\n1\n```", "1"],
  ["a rule after the block", "<code>\n1\n</code>\n\n---\nThat is all.", "1"],
  [
    "a list with one block in each point",
    "1. First\n<code>let a = 1</code>\n2. Then\n<code>a</code>",
    "let a = 1\n\na",
  ],
];

/** Tags with small mistakes. */
const torn: ModelText[] = [
  ["tags in a fence of XML", "```xml\n<code>\n1\n</code>\n```", "1"],
  ["the tags within tags for preformatted text", "<pre><code>\n1\n</code></pre>", "1"],
  ["a language as a class in the opening tag", '<code class="language-js">\n1\n</code>', "1"],
  ["a tab before the tags", "\t<code>\n\t1\n\t</code>", "1"],
  ["the closing tag without its beginning", "<code>\n1\n/code>", "1"],
  ["the opening tag in the place of the closing one, on one line", "<code>1<code>", "1"],
  ["a closing tag in capitals", "<code>\n1\n</CODE>", "1"],
  ["a block of nothing but a comment and a block of code", "<code>// none</code>\n<code>1</code>", "// none\n\n1"],
  ["a fence with the tags on the same lines", "<code>```js\n1\n```</code>", "1"],
  ["a fence that closes after the tag", "<code>\n```js\n1\n</code>\n```", "1", "syntax"],
  ["tags with a colon after them", "<code>:\n1\n</code>", ":\n1"],
];

/** Calls in the formats of other systems. */
const wildCalls: ModelText[] = [
  ["a JSON call with single keys only", '{"code": "1 + 1"}', "1 + 1"],
  ["a JSON call in a list", `[${wrapped("1 + 1")}]`, "1 + 1"],
  ["a JSON call after a mark for calls", `[TOOL_CALLS] [${wrapped("1 + 1")}]`, "1 + 1"],
  [
    "a JSON call over several lines",
    JSON.stringify({ name: "python", arguments: { code: "1 + 1" } }, null, 2),
    "1 + 1",
  ],
  ["a JSON call with a fence around its code", wrapped("```js\n1 + 1\n```"), "1 + 1"],
  [
    "a JSON call with tabs in its text",
    '{"name": "run", "arguments": {"code": "if (1) {\n\tf();\n}"}}',
    "if (1) {\n\tf();\n}",
  ],
  ["an object with the code first", '{"code": "1 + 1", "thought": "add"}', "1 + 1"],
  ["an object after a label", 'Action:\n{"thought": "add", "code": "f({ a: 1 })"}', "f({ a: 1 })"],
  [
    "an object with escaped quotes in its code",
    JSON.stringify({ thought: "", code: 'print("a\\n")' }),
    'print("a\\n")',
  ],
  ["a fence of tool_code", "```tool_code\nprint(1)\n```", "print(1)"],
  ["tags of the name javascript", "<javascript>\n1 + 1\n</javascript>", "1 + 1"],
  ["tags of the name typescript with a fence", "<typescript>\n```ts\n1 + 1\n```\n</typescript>", "1 + 1"],
];

/** Programs with little or no text around them. */
const wildBare: ModelText[] = [
  ["a bare assignment to what is there", "total += 1;\ntotal", "total += 1;\ntotal"],
  ["a bare method call", "rows.push(1);", "rows.push(1);"],
  ["a bare class", "class A {\n  b = 1;\n}\nnew A().b", "class A {\n  b = 1;\n}\nnew A().b"],
  ["a bare destructuring", "const { a, b } = await f();\nprint(a);", "const { a, b } = await f();\nprint(a);"],
  [
    "a bare try",
    "try {\n  f();\n} catch (error) {\n  print(error);\n}",
    "try {\n  f();\n} catch (error) {\n  print(error);\n}",
  ],
  ["bare code after a label", "Code:\nconst a = 1;\nprint(a);", "const a = 1;\nprint(a);", "syntax"],
  ["bare code after a thought with a colon", "Thought: I look.\nprint(1);", "print(1);", "syntax"],
];

/** Blocks that the model started again. */
const restarted: ModelText[] = [
  [
    "two blocks that declare the same name",
    "<code>\nconst a = 1;\n</code>\nNo:\n<code>\nconst a = 2;\nprint(a);\n</code>",
    "var a = 1;\n\nvar a = 2;\nprint(a);",
    "syntax",
  ],
  [
    "two fences that declare the same name",
    "```js\nlet a = 1;\n```\nNo:\n```js\nlet a = 2;\n```",
    "var a = 1;\n\nvar a = 2;",
    "syntax",
  ],
];

/**
 * The opening and closing markers of thoughts, from the chat templates of models. The tests write a
 * draft between the two markers.
 */
const thoughtMarks: [what: string, open: string, close: string][] = [
  ["an element of thoughts", "<thought>", "</thought>"],
  ["an element of reasoning", "<reasoning>", "</reasoning>"],
  ["an element of a scratchpad", "<scratchpad>", "</scratchpad>"],
  ["an element of reflection", "<reflection>", "</reflection>"],
  ["Mistral", "[THINK]", "[/THINK]"],
  ["Kimi", "◁think▷", "◁/think▷"],
  ["Seed", "<seed:think>", "</seed:think>"],
  ["Gemma", "<|channel>thought", "<channel|>"],
  ["Cohere", "<|START_THINKING|>", "<|END_THINKING|>"],
  ["Sky", "<|begin_of_thought|>", "<|end_of_thought|>"],
  ["gpt-oss", "<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"],
];

const drafts: ModelText[] = thoughtMarks.map(([what, open, close]) => [
  `nothing from a draft between the marks of ${what}`,
  `${open}\n<code>\nsend(1)\n</code>\nNo.\n${close}\n<code>\n1 + 1\n</code>`,
  "1 + 1",
]);

const longFences: ModelText[] = [
  ["five backticks", "`````js\n1 + 1\n`````", "1 + 1"],
  ["shorter fences in a comment", "````js\n/*\n```js\n1\n```\n*/\n2\n````", "/*\n```js\n1\n```\n*/\n2"],
  ["five tildes", "~~~~~js\n1 + 1\n~~~~~", "1 + 1"],
  ["a program that begins on the line of its fence", "```js send(1);\n2;\n```", "send(1);\n2;"],
  ["a title of a fence that ends in braces", '```js title="a" {1,3}\n1 + 1\n```', "1 + 1"],
  ["a fence in a quotation", "> ```js\n> 1 + 1\n> ```", "1 + 1"],
  ["a line in backticks", "`finalAnswer(1)`", "finalAnswer(1)"],
];

const ends: ModelText[] = [
  ["space before the name of the closing tag", "<code>\n1\n</ code>", "1"],
  ["an empty element as the closing tag", "<code>\n1\n<code/>", "1"],
  ["a mark of Llama as the closing tag", "<code>\n1\n<|eot_id|>", "1"],
  ["a mark of DeepSeek as the closing tag", "<code>\n1\n<｜end▁of▁sentence｜>", "1"],
  ["character data in the tags", "<code><![CDATA[\n1 + 1\n]]></code>", "1 + 1"],
  ["a closing tag that a comment mentions", "<code>\n// up to </code> here\n1 + 1", "// up to </code> here\n1 + 1"],
  ["a sentence after an open fence", "```js\nlet a = 1\n\nThis sets the value.", "let a = 1", "syntax"],
  ["a block in another element", "<action>\nlet a = 1;\n</action>", "let a = 1;", "syntax"],
  ["a turn of the user, made up", "<code>\nf(1)\n</code>\nUser: 2\n<code>\nf(3)\n</code>", "f(1)"],
  ["an observation, made up in the block", "<code>\nf(1)\nObservation: 2\nf(3)\n</code>", "f(1)"],
  ["a field named observation", "<code>\nf({\n  observation: 1,\n})\n", "f({\n  observation: 1,\n})"],
  ["the end of a thought in a string of a fence", '```js\nf("a </think> b")\n```', 'f("a </think> b")'],
  ["escaped tags", "&lt;code&gt;\nif (a &lt; 1 &amp;&amp; b) f()\n&lt;/code&gt;", "if (a < 1 && b) f()", "syntax"],
  ["numbers of characters", "<code>\nf(&#34;a&#x22;,&nbsp;1)\n</code>", 'f("a", 1)', "syntax"],
  ["an answer as a call with a text", '{"action": "final_answer", "action_input": "two"}', 'finalAnswer("two");'],
];

export const modelTexts: readonly ModelText[] = [
  ...tagged,
  ...literals,
  ...madeUp,
  ...thoughts,
  ...fences,
  ...calls,
  ...foreign,
  ...bare,
  ...repaired,
  ...marks,
  ...torn,
  ...wildCalls,
  ...wildBare,
  ...restarted,
  ...drafts,
  ...longFences,
  ...ends,
];
