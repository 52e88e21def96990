import { Script } from "node:vm";
import { completeCode, parseCode } from "@smolts/core";
import { AgentError } from "@smolts/protocol";
import { expect, test } from "vitest";
import { modelTexts } from "./model-texts.ts";

/** A syntax check that does not run the code. */
function parses(code: string): boolean {
  try {
    new Script(`async () => {\n${code}\n}`);
    return true;
  } catch {
    return false;
  }
}

function refusal(text: string, options?: Parameters<typeof parseCode>[1]): AgentError {
  try {
    parseCode(text, options);
  } catch (error) {
    if (AgentError.is(error)) return error;
  }
  throw new Error(`took code from ${JSON.stringify(text)}`);
}

test("the corpus of malformed outputs has at least 150 of them, each once", () => {
  expect(modelTexts.length).toBeGreaterThanOrEqual(150);
  expect(new Set(modelTexts.map(([, text]) => text)).size).toBe(modelTexts.length);
});

test.each(modelTexts)("takes %s", (_what, text, code) => {
  expect(parseCode(text, { parses })).toBe(code);
});

test.each(modelTexts.filter(([, , , needs]) => needs !== "syntax"))(
  "takes %s without a syntax check",
  (_w, text, code) => {
    expect(parseCode(text)).toBe(code);
  },
);

const fenced: [what: string, text: string, code: string][] = [
  ["a fence", "Add.\n```js\n1 + 1\n```", "1 + 1"],
  ["a fence of another language", "```python\n1 + 1\n```", "1 + 1"],
  ["a fence without a language", "```\n1 + 1\n```\n", "1 + 1"],
  ["a fence that never closed", "```js\n1 + 1", "1 + 1"],
  ["two fences", "```js\nlet a = 1\n```\nthen\n```js\na\n```", "let a = 1\n\na"],
  ["tags instead of fences", "<code>\n1 + 1\n</code>", "1 + 1"],
  ["the fence after data", '```json\n{"a": 1}\n```\n```js\n2\n```', "2"],
  ["three backticks within a line of the program", '```js\nconst fence = "```";\n```', 'const fence = "```";'],
  ["nothing after a made-up observation", "```js\n1\n```\nObservation: 1\n```js\n2\n```", "1"],
];
test.each(fenced)("takes %s where fences are the tags", (_what, text, code) => {
  expect(parseCode(text, { tags: "markdown" })).toBe(code);
});

const otherTags: [what: string, tags: [string, string], text: string, code: string][] = [
  ["brackets", ["[CODE]", "[/CODE]"], "Add.\n[CODE]\n1 + 1\n[/CODE]", "1 + 1"],
  ["words", ["BEGIN", "END"], "BEGIN\n1 + 1\nEND", "1 + 1"],
  ["<code> where others were asked for", ["<js>", "</js>"], "<code>\n1 + 1\n</code>", "1 + 1"],
];
test.each(otherTags)("takes %s", (_what, tags, text, code) => {
  expect(parseCode(text, { tags })).toBe(code);
});

const refused: [what: string, text: string, message: RegExp][] = [
  ["prose", "Let me think about it.", /found no code between "<code>" and "<\/code>"/],
  ["an empty message", " \n", /the message is empty/],
  ["an empty block", "<code>\n</code>", /there is no code between/],
  ["a number", "42", /found no code/],
  ["one word", "Done", /found no code/],
  ["a sentence that starts like a statement", "for example, one could look.", /found no code/],
  ["data only", '```json\n{"a": 1}\n```', /the block of "json" is not JavaScript/],
  ["a shell command", "```bash\nls\n```", /the block of "bash" is not JavaScript/],
  ["a JSON tool call in prose", 'I call {"name": "getWeather", "arguments": {"city": "Paris"}}', /tool call as JSON/],
  ["thoughts only", "<think>I could add them.</think>", /found no code/],
  ["tags that are only mentioned", "I write between `<code>` and `</code>` next.", /found no code/],
];
test.each(refused)("refuses %s", (_what, text, message) => {
  const error = refusal(text, { parses });
  expect(error.code).toBe("parsing");
  expect(error.message).toMatch(message);
  expect(error.hint).toContain("<code>\n");
});

const calls: [what: string, text: string, code: string][] = [
  [
    "that is the whole message",
    '{"name": "getWeather", "arguments": {"city": "Paris"}}',
    'print(await getWeather({"city":"Paris"}));',
  ],
  ["of a final answer", '{"name": "final_answer", "arguments": {"answer": 42}}', "finalAnswer(42);"],
  ["in a form of its own", 'I look. [TOOL_CALLS]look[ARGS]{"at": "it"}', 'print(await look({"at":"it"}));'],
  ["of an interpreter", '<tool_call>{"name": "python", "arguments": {"code": "1 + 1"}}</tool_call>', "1 + 1"],
];
test.each(calls)("turns a tool call %s into a line of code", (_what, text, code) => {
  expect(parseCode(text, { parses })).toBe(code);
});

test("does not turn a call into code if its input has the key __proto__", () => {
  const text = '<tool_call>{"name": "look", "arguments": {"__proto__": {"at": 1}}}</tool_call>';
  expect(refusal(text, { parses }).code).toBe("parsing");
});

test("says how to answer when the text looks like an answer", () => {
  expect(refusal("The final answer is 2.").hint).toContain('<code>\nfinalAnswer("your answer");\n</code>');
  expect(refusal("I look it up.").hint).not.toContain("finalAnswer");
});

test("says how to write a JSON tool call in code", () => {
  const { hint } = refusal('I call {"name": "getWeather", "arguments": {"city": "Paris"}}');
  expect(hint).toContain('print(await getWeather({"city":"Paris"}));');
});

test("says how to write a JSON final answer in code", () => {
  expect(refusal('So {"name": "final_answer", "arguments": {"answer": 42}}').hint).toContain("\nfinalAnswer(42);\n");
});

test("says what to write in the tags that were asked for", () => {
  expect(refusal("Well.", { tags: "markdown" }).hint).toMatch(/```js\n[\s\S]*\n```/);
});

test("returns code that is not a program unchanged, so that its own error can be shown", () => {
  expect(parseCode("<code>\nlet = = 1\n</code>", { parses })).toBe("let = = 1");
});

const completed: [what: string, text: string, complete: string][] = [
  ["a missing closing tag", "Add.\n<code>\n1 + 1", "Add.\n<code>\n1 + 1\n</code>"],
  ["a missing closing tag after a line end", "<code>\n1 + 1\n", "<code>\n1 + 1\n</code>"],
  ["a second block without one", "<code>1</code>\n<code>\n2", "<code>1</code>\n<code>\n2\n</code>"],
  ["a closing tag in a text of the program", '<code>\nf("</code>");', '<code>\nf("</code>");\n</code>'],
  ["a closing tag that is there", "<code>1</code>", "<code>1</code>"],
  ["prose after the closing tag", "<code>1</code>\nDone.", "<code>1</code>\nDone."],
  ["no code", "I think.", "I think."],
];
test.each(completed)("completes %s", (_what, text, complete) => {
  expect(completeCode(text)).toBe(complete);
});

test("completes a fence", () => {
  expect(completeCode("```js\n1", "markdown")).toBe("```js\n1\n```");
  expect(completeCode("```js\n1\n```", "markdown")).toBe("```js\n1\n```");
});

test("a message of 5 MB is refused with what to write, and is left as it is in the history", () => {
  const text = `<code>\n${"x = 1;\n".repeat(700_000)}`;
  expect(refusal(text)).toMatchObject({ code: "parsing", hint: expect.stringContaining("one block of code") });
  expect(completeCode(text)).toBe(text);
});

test("stays fast on long hostile texts", () => {
  const pieces = [
    "<code",
    "<code>",
    "<code>\n",
    "</code>",
    "<",
    "`",
    "```\n",
    "{",
    '{"code":',
    '\\"',
    "observation:\n",
    "<think>",
    "</think>",
  ];
  for (const piece of [...pieces, "let x = ", "\\", "/", "f(", "a.", "1 + ", "class a ", "f(1)\n", "&lt;"]) {
    const text = piece.repeat(3_000);
    try {
      parseCode(text);
    } catch (error) {
      expect(AgentError.is(error)).toBe(true);
    }
  }
});

test("a draft in a finished thought is not run", () => {
  expect(() => parseCode("<think>\n<code>\nsend(1)\n</code>\n</think>\nWhom shall I write to?")).toThrow(/code/);
  expect(parseCode("<think>\n<code>\nsend(1)\n</code>\n</think>")).toBe("send(1)");
});

test("harmony's message to an interpreter is code", () => {
  const text = "<|start|>assistant<|channel|>analysis to=python code<|message|>finalAnswer(await add(1));<|call|>";
  expect(parseCode(text)).toBe("finalAnswer(await add(1));");
});
