import { CodeAgent, createStructuredStream } from "@smolts/core";
import { type Model, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

/** Feeds a text to the stream in pieces of `size` characters, and joins the pieces of each type. */
function sorted(text: string, size: number): { text: string; code: string; closed: boolean } {
  const stream = createStructuredStream();
  const joined = { text: "", code: "" };
  for (let at = 0; at < text.length; at += size) {
    for (const piece of stream.push(text.slice(at, at + size))) joined[piece.type] += piece.text;
  }
  for (const piece of stream.end()) joined[piece.type] += piece.text;
  return { ...joined, closed: stream.closed };
}

const streams: [what: string, text: string, thought: string, code: string, closed: boolean][] = [
  ["thought and code", '{"thought": "Add.", "code": "1 + 1"}', "Add.", "1 + 1", true],
  ["code first", '{"code":"1","thought":"Hm."}', "Hm.", "1", true],
  ["escapes", '{"thought":"\\u00e9\\n","code":"\\"a\\" + \\"\\\\n\\""}', "é\n", '"a" + "\\n"', true],
  ["a surrogate pair", '{"thought":"\\ud83d\\ude00","code":"1"}', "😀", "1", true],
  ["line ends within a text", '{"thought":"a","code":"let a = 1\nlet b = 2"}', "a", "let a = 1\nlet b = 2", true],
  ["an object that is cut off", '{"thought":"a","code":"print(1', "a", "print(1", false],
  ["other fields", '{"plan":{"code":"no"},"steps":["code"],"thought":"a","code":"1"}', "a", "1", true],
  ["no object but tags", "Add.\n<code>1 + 1</code>", "Add.\n", "1 + 1", true],
  [
    "braces within the code",
    '{"thought":"a","code":"const o = { a: [1] }; f(o)"}',
    "a",
    "const o = { a: [1] }; f(o)",
    true,
  ],
];

test.each(streams)("sorts %s, however it is cut into deltas", (_what, text, thought, code, closed) => {
  for (const size of [1, 2, 3, 7, text.length]) {
    expect(sorted(text, size)).toEqual({ text: thought, code, closed });
  }
});

const answered: [what: string, reply: string][] = [
  ["the object", JSON.stringify({ thought: "Six times seven.", code: "finalAnswer(6 * 7)" })],
  ["the object in a fence", `\`\`\`json\n${JSON.stringify({ thought: "x", code: "finalAnswer(42)" })}\n\`\`\``],
  ["tags within its code", JSON.stringify({ thought: "x", code: "<code>\nfinalAnswer(42)\n</code>" })],
  ["a fence within its code", JSON.stringify({ thought: "x", code: "```js\nfinalAnswer(42)\n```" })],
  ["an object that was cut off", '{"thought": "x", "code": "finalAnswer(42)'],
  ["text before the object", `Sure:\n${JSON.stringify({ thought: "x", code: "finalAnswer(42)" })}`],
  ["no object but tags", "x\n<code>\nfinalAnswer(42)\n</code>"],
];

test.each(answered)("structured mode runs the code of %s", async (_what, reply) => {
  expect(await new CodeAgent({ model: scriptedModel([reply]), structuredOutput: true }).run("x")).toBe(42);
});

test("structured mode asks for a thought and code as JSON, and keeps the instructions", async () => {
  const reply = JSON.stringify({ thought: "Go.", code: "finalAnswer(42)" });
  const model = scriptedModel([reply]);
  const run = new CodeAgent({ model, structuredOutput: true, instructions: "Be kind." }).run("x");
  const shown = { "text-delta": "", "code-delta": "" };
  for await (const event of run) {
    if (event.type === "text-delta" || event.type === "code-delta") shown[event.type] += event.text;
  }
  const [request] = model.requests;
  expect(request?.responseFormat?.schema).toMatchObject({ required: ["thought", "code"] });
  expect(request?.stop).toBeUndefined();
  expect(textOf(request?.messages[0] ?? [])).toMatch(/"thought"[\s\S]*Instructions:\nBe kind\.$/);
  expect(shown).toEqual({ "text-delta": "Go.", "code-delta": "finalAnswer(42)" });
});

test("without code the model is shown which object to write", async () => {
  const replies = ['{"thought": "The answer is 42."}', JSON.stringify({ thought: "x", code: "finalAnswer(42)" })];
  const model = scriptedModel(replies);
  expect(await new CodeAgent({ model, structuredOutput: true }).run("x")).toBe(42);
  expect(textOf(model.requests[1]?.messages.at(-1) ?? [])).toContain('{"thought": "I know the answer.", "code":');
});

test("a structuredOutput that is neither true nor false is refused at construction", () => {
  const options = { model: scriptedModel([]), structuredOutput: "yes" as never };
  expect(() => new CodeAgent(options)).toThrow(/"structuredOutput" of a CodeAgent is a string; expected true or false/);
});

test("a model without response formats is asked in words only", async () => {
  const scripted = scriptedModel([JSON.stringify({ thought: "Go.", code: "finalAnswer(42)" })]);
  const model: Model = {
    id: scripted.id,
    capabilities: { structuredOutput: false },
    stream: (request, options) => scripted.stream(request, options),
  };
  expect(await new CodeAgent({ model, structuredOutput: true }).run("x")).toBe(42);
  expect(scripted.requests[0]).not.toHaveProperty("responseFormat");
  expect(textOf(scripted.requests[0]?.messages[0] ?? [])).toContain('"code"');
});
