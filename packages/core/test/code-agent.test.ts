import { CodeAgent } from "@smolts/core";
import { type ActionStep, type EventOf, type MemoryStep, type RunEvent, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const code = (text: string): string => `Thought: go on.\n<code>\n${text}\n</code>`;

const actionsOf = (steps: readonly MemoryStep[]): readonly ActionStep[] =>
  steps.filter((step) => step.type === "action");

/** Runs an agent with these model replies. Returns its answer and its action steps. */
async function play(
  replies: Parameters<typeof scriptedModel>[0],
  options: Partial<ConstructorParameters<typeof CodeAgent>[0]> = {},
) {
  const model = scriptedModel(replies);
  const run = new CodeAgent({ model, ...options }).run("Do it.");
  const { output, status, error } = await run.result;
  return { output, status, error, model, actions: actionsOf(run.steps), log: (await run.result).log };
}

const answers: [what: string, source: string, answer: unknown][] = [
  [
    "finalAnswer called inside a nested function",
    'function deep() { finalAnswer("Correct!"); } deep(); finalAnswer("no")',
    "Correct!",
  ],
  ["finalAnswer called in try, which its catch does not see", "try { finalAnswer(1) } catch { finalAnswer(2) }", 1],
  ["finalAnswer called in try, whose finally does not run", "try { finalAnswer(1) } finally { finalAnswer(2) }", 1],
  ["finalAnswer called under Python's name", "final_answer(5)", 5],
  ["finalAnswer called with a promise", "finalAnswer(Promise.resolve([1, 2]))", [1, 2]],
  ["finalAnswer called where a variable has its name", "const finalAnswer = 3; finalAnswer(finalAnswer)", 3],
  ["final_answer called where a variable has its name", "let final_answer = 3; final_answer(final_answer)", 3],
  [
    "a property of that name, which is only a property",
    "const box = {}; box.finalAnswer = 5; finalAnswer(box)",
    { finalAnswer: 5 },
  ],
  [
    "a whole number past 2^53 as BigInt",
    "let [a, b] = [0n, 1n]; for (let i = 0; i < 118; i++) [a, b] = [b, a + b]; finalAnswer(a)",
    2046711111473984623691759n,
  ],
];

test.each(answers)("answers with %s", async (_what, source, answer) => {
  expect((await play([code(source)])).output).toEqual(answer);
});

test("for text without code the model gets a hint, and the run continues", async () => {
  const { output, actions, model } = await play(["I will think about it.", code("finalAnswer(2)")]);
  expect(output).toBe(2);
  expect(actions[0]).toMatchObject({ code: null, error: { code: "parsing" } });
  expect(textOf(actions[0]?.modelOutput ?? [])).toBe("I will think about it.");
  expect(JSON.stringify(model.requests[1]?.messages)).toContain("I will think about it.");
  expect(textOf(model.requests[1]?.messages.at(-1) ?? [])).toMatch(/<code>/);
});

test("for text that looks like an answer the model is shown how to answer", async () => {
  const { model } = await play(["The final answer is 42.", code("finalAnswer(42)")]);
  expect(textOf(model.requests[1]?.messages.at(-1) ?? [])).toMatch(/finalAnswer\(/);
});

test("bare code without tags runs when it is a program", async () => {
  expect((await play(["finalAnswer(6 * 7)"])).output).toBe(42);
});

test("a fence of another language runs when the tags are missing", async () => {
  expect((await play(["Here it is:\n```python\nfinalAnswer(6 * 7)\n```"])).output).toBe(42);
});

test("several blocks run as one", async () => {
  const { output, actions } = await play([
    "<code>let a = 1</code> and <code>a += 1</code> then <code>finalAnswer(a)</code>",
  ]);
  expect(output).toBe(2);
  expect(actions[0]?.code).toBe("let a = 1\n\na += 1\n\nfinalAnswer(a)");
});

test("several blocks that declare the same names run as one program", async () => {
  const blocks =
    "<code>\nconst a = 1;\nlet { b } = { b: 2 };</code> again <code>\nconst a = 10;\nconst b = a;\nfinalAnswer(a + b)</code>";
  expect((await play([blocks])).output).toBe(20);
});

test("a declaration inside a string is left alone when blocks are joined", async () => {
  const blocks = "<code>\nconst a = 1;</code><code>\nconst a = `\nconst b`;\nfinalAnswer(a)</code>";
  expect((await play([blocks])).output).toBe("\nconst b");
});

test("code without a closing tag runs, and the history gets the tag", async () => {
  const { output, model } = await play(["<code>\nconst a = 1", code("finalAnswer(a)")]);
  expect(output).toBe(1);
  expect(textOf(model.requests[1]?.messages[2] ?? [])).toMatch(/<code>\nconst a = 1\s*<\/code>$/);
});

test("custom tags are in the prompt and in the stop sequences", async () => {
  const { output, model } = await play(["[run]finalAnswer(1)[/run]"], { codeBlockTags: ["[run]", "[/run]"] });
  expect(output).toBe(1);
  expect(model.requests[0]?.stop?.some((stop) => stop.includes("[/run]"))).toBe(true);
  expect(textOf(model.requests[0]?.messages[0] ?? [])).toContain("[run]");
});

test("markdown tags do not stop the model at its own opening fence", async () => {
  const { output, model } = await play(["```js\nfinalAnswer(1)\n```"], { codeBlockTags: "markdown" });
  expect(output).toBe(1);
  expect(model.requests[0]?.stop?.some((stop) => "```js".includes(stop.trim()))).toBe(false);
});

test.each(["xml", ["<a>"], ["", ""], ["<a>", "<a>"]])("the tags %o are refused at construction", (tags) => {
  const options = { model: scriptedModel([]), codeBlockTags: tags as never };
  expect(() => new CodeAgent(options)).toThrow(expect.objectContaining({ code: "invalid-option" }));
});

test("code that holds the closing tag in a string is not cut while it streams", async () => {
  const source = 'const page = "<code>x</code>"; finalAnswer(page.length)';
  const { output, log } = await play([code(source)]);
  expect(output).toBe(14);
  const events: RunEvent[] = [];
  for await (const event of log.read()) events.push(event);
  expect(events.find((event) => event.type === "code-start")).toMatchObject({ code: source });
});

test("the thought is streamed as text and the code as code", async () => {
  const run = new CodeAgent({ model: scriptedModel([code("finalAnswer(1)")]) }).run("Do it.");
  const text = { "text-delta": "", "code-delta": "" };
  for await (const event of run) {
    if (event.type === "text-delta" || event.type === "code-delta") text[event.type] += event.text;
  }
  expect(text["text-delta"].trim()).toBe("Thought: go on.");
  expect(text["code-delta"].trim()).toBe("finalAnswer(1)");
});

test("text printed before an error is kept, and the error names the line, the statement and the type", async () => {
  const { output, actions, model } = await play([
    code('print("Flag!");\nconst rows = null;\nconst first = rows[0];'),
    code("finalAnswer(1)"),
  ]);
  expect(output).toBe(1);
  expect(actions[0]?.logs).toBe("Flag!");
  expect(actions[0]?.error?.message).toMatch(/TypeError/);
  expect(actions[0]?.error?.message).toMatch(/const first = rows\[0\]/);
  const shown = textOf(model.requests[1]?.messages.at(-1) ?? []);
  expect(shown).toContain("Flag!");
  expect(shown).toContain("const first = rows[0]");
});

test("a syntax error has line, source line and caret, and the step keeps its code", async () => {
  const { actions } = await play([code("let a = 1;\nlet b = = 2;"), code("finalAnswer(1)")]);
  expect(actions[0]?.error?.message).toMatch(/SyntaxError/);
  expect(actions[0]?.error?.message).toMatch(/line 2|2:\d+/);
  expect(actions[0]?.error?.message).toContain("let b = = 2;");
  expect(actions[0]?.error?.message).toMatch(/^\s*\^/m);
  expect(actions[0]?.code).toBe("let a = 1;\nlet b = = 2;");
});

test("an observation has the printed text and then the last value", async () => {
  const { actions } = await play([code('print("first");\n({ rows: 2 })'), code("finalAnswer(1)")]);
  const shown = textOf(actions[0]?.observation ?? []);
  expect(shown.indexOf("first")).toBeGreaterThan(-1);
  expect(shown.indexOf("rows: 2")).toBeGreaterThan(shown.indexOf("first"));
});

test("an observation without prints shows the last value", async () => {
  const { actions } = await play([code("40 + 2"), code("finalAnswer(1)")]);
  expect(textOf(actions[0]?.observation ?? [])).toContain("42");
  expect(actions[0]?.output).toBe(42);
});

test("functions, variables and classes of a step are available in the next step", async () => {
  const { output } = await play([
    code(
      "function double(n) { return n * 2 }\nclass Box { constructor(n) { this.n = n } }\nlet base = 20; const extra = 1;",
    ),
    code("base += extra; finalAnswer(double(new Box(base).n))"),
  ]);
  expect(output).toBe(42);
});

test("printed text over 50,000 characters is cut in the middle for the model, and complete in the log", async () => {
  const { actions, model } = await play([code('print("a".repeat(30000) + "b".repeat(30000))'), code("finalAnswer(1)")]);
  const shown = textOf(model.requests[1]?.messages.at(-1) ?? []);
  expect(shown.length).toBeLessThan(51_000);
  expect(shown).toContain("a".repeat(25_000));
  expect(shown).toContain("b".repeat(25_000));
  expect(shown).not.toContain("b".repeat(25_001));
  expect(actions[0]?.logs).toHaveLength(60_000);
});

test("maxPrintedLength 20 shows the first and the last ten characters", async () => {
  const { model } = await play([code('print("abcdefghijklmnopqrstuvwxyz0123456789")'), code("finalAnswer(1)")], {
    maxPrintedLength: 20,
  });
  const shown = textOf(model.requests[1]?.messages.at(-1) ?? []);
  expect(shown).toContain("abcdefghij");
  expect(shown).not.toContain("abcdefghijk");
  expect(shown).toContain("0123456789");
  expect(shown).not.toContain("z0123456789");
});

test("a last value over 20,000 characters is cut for the model, and complete in the step", async () => {
  const { actions, model } = await play([code('"x".repeat(25000)'), code("finalAnswer(1)")]);
  expect(textOf(model.requests[1]?.messages.at(-1) ?? []).length).toBeLessThan(21_000);
  expect(actions[0]?.output).toHaveLength(25_000);
});

test("an endless loop is stopped, the model sees that, and the next step has its variables", async () => {
  const { output, actions } = await play([
    code('let kept = 7; print("before"); while (true) {}'),
    code("finalAnswer(kept)"),
  ]);
  expect(output).toBe(7);
  expect(actions[0]).toMatchObject({ error: { code: "code-execution" }, logs: "before" });
  expect(actions[0]?.error?.hint ?? "").not.toBe("");
});

test("a custom finalAnswer tool with two inputs returns the run's output", async () => {
  const finalAnswer = tool({
    name: "finalAnswer",
    description: "Gives the answer with its unit.",
    input: { value: "number", unit: "string" },
    effects: "none",
    execute: ({ value, unit }) => `${value} ${unit}`,
  });
  const { output } = await play([code('finalAnswer({ value: 3, unit: "m" })')], { tools: [finalAnswer] });
  expect(output).toBe("3 m");
});

test("a call that was not awaited is completed and named in the observation", async () => {
  const marks: string[] = [];
  const mark = tool({
    name: "mark",
    description: "Marks a text.",
    input: { text: "string" },
    effects: "idempotent",
    execute: ({ text }) => void marks.push(text),
  });
  const { actions } = await play([code('for (const text of ["a", "b"]) mark({ text });'), code("finalAnswer(1)")], {
    tools: [mark],
  });
  expect(marks.toSorted()).toEqual(["a", "b"]);
  expect(textOf(actions[0]?.observation ?? [])).toMatch(/mark/);
});

test("events carry run, path, dense numbers and times that never go back", async () => {
  const run = new CodeAgent({ model: scriptedModel([code("print(1)"), code("finalAnswer(1)")]), name: "solo" }).run(
    "Do it.",
  );
  const durable: RunEvent[] = [];
  for await (const event of (await run.result).log.read()) durable.push(event);
  expect(durable.map((event) => event.seq)).toEqual(durable.map((_, index) => index + 1));
  expect(durable.every((event) => event.runId === run.id && event.path.join() === "solo")).toBe(true);
  expect(durable.map((event) => event.type)).toEqual([
    ...["run-start", "step-start", "model-response", "code-start", "console", "code-end", "step-end"],
    ...["step-start", "model-response", "code-start", "code-end", "step-end", "run-end"],
  ]);
  const end = durable.at(-1) as EventOf<"run-end">;
  expect(end).toMatchObject({ status: "success", answer: 1 });
});

test("the frame of an observation differs from run to run, so that no text can imitate it", async () => {
  const frameOf = async () => {
    const model = scriptedModel(["<code>print(1)</code>", "<code>finalAnswer(1)</code>"]);
    await new CodeAgent({ model }).run("Do it.");
    return /<observation (\w+)/.exec(JSON.stringify(model.requests[1]?.messages))?.[1];
  };
  expect(await frameOf()).toMatch(/^\w{8}$/);
  expect(await frameOf()).not.toBe(await frameOf());
});

const cutMessages: [what: string, text: string, options?: { structuredOutput: true }][] = [
  ["in the middle of a block", "<code>\nawait pay({ amount: 10 });\nawait pay({ amount: 1"],
  ["between two statements", "<code>\nawait pay({ amount: 10 });\n"],
  ["within a fence", "```js\nawait pay({ amount: 10 });\n"],
  ["after code without tags", "await pay({ amount: 10 });\n"],
  ["within a thought with a block in it", "<think>Shall I\n```js\nawait pay({ amount: 10 });\n```\nor rather"],
  [
    "in the middle of an object",
    '{"thought": "I pay.", "code": "await pay({ amount: 10 });',
    { structuredOutput: true },
  ],
];

test.each(cutMessages)("runs nothing of a message that was cut off %s", async (_what, text, options) => {
  const paid: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    input: { amount: "number" },
    execute: ({ amount }) => paid.push(amount),
  });
  const last = options ? '{"thought": "Done.", "code": "finalAnswer(1)"}' : code("finalAnswer(1)");
  const { output, actions, model } = await play([{ text, finishReason: "length" }, last], {
    tools: [pay],
    ...options,
  });
  expect(output).toBe(1);
  expect(paid).toEqual([]);
  expect(actions[0]).toMatchObject({ code: null, error: { code: "parsing" } });
  expect(textOf(model.requests[1]?.messages.at(-1) ?? [])).toMatch(/limit of its length/);
});

test("runs the whole block of a message that was cut off after the block", async () => {
  const { output } = await play([{ text: `${code("finalAnswer(3)")}\nAnd so`, finishReason: "length" }]);
  expect(output).toBe(3);
});
