import { CodeAgent, image, type Task, ToolCallingAgent } from "@smolts/core";
import { type MemoryLog, memoryLog, toMessages } from "@smolts/memory";
import { type ChatMessage, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";
import { png } from "../media/tiny-media.ts";

const answering = (code = "1") => scriptedModel([`<code>finalAnswer(${code})</code>`]);

const forms: [what: string, task: Task][] = [
  ["a text", "What is this?"],
  ["parts", [{ type: "text", text: "What is this?" }]],
  ["a message of the user", { role: "user", content: [{ type: "text", text: "What is this?" }] }],
];

test.each(forms)("a task may be %s", async (_what, task) => {
  const model = answering();
  const run = new CodeAgent({ model }).run(task);
  await run;
  expect(textOf(model.requests[0]?.messages[1] ?? [])).toBe("What is this?");
  expect(run.steps.find((step) => step.type === "task")?.content).toEqual([{ type: "text", text: "What is this?" }]);
});

const refused: [what: string, task: unknown, options: object, message: RegExp][] = [
  ["no parts", [], {}, /the task is a list/],
  ["parts without anything in them", [{ type: "text", text: " " }], {}, /the task is a list/],
  ["a tool call for a task", [{ type: "tool-call", id: "1", name: "x", input: {} }], {}, /the task is a list/],
  ["a message of the assistant", { role: "assistant", content: [{ type: "text", text: "x" }] }, {}, /an object/],
  ["images that are not a list", "x", { images: "cat.png" }, /images is "cat.png"/],
  ["an image by its path", "x", { images: ["cat.png"] }, /"cat.png" is not a URL/],
  ["history that is not a list", "x", { history: {} }, /history is an object/],
  ["history with a system message", "x", { history: [{ role: "system", content: [] }] }, /history\[0\] is a system/],
  ["history with a bare text", "x", { history: ["Hello"] }, /history\[0\] is not a message/],
  ["history in texts", "x", { history: [{ role: "user", content: "Hi" }] }, /history\[0\]\.content is a string/],
  ["a variable that is a function", "x", { additionalArgs: { f: () => 1 } }, /additionalArgs\.f cannot be passed/],
  ["a variable that is not an identifier", "x", { additionalArgs: { "my rows": 1 } }, /"my rows"/],
  ["a variable named like a tool", "x", { additionalArgs: { look: 1 } }, /"look", which is the name of a tool/],
  ["a variable named finalAnswer", "x", { additionalArgs: { finalAnswer: 1 } }, /the name of a tool/],
  ["a list of variables", "x", { additionalArgs: [1] }, /additionalArgs is a list/],
];

const look = tool({ name: "look", description: "Looks.", input: { rows: "any" }, effects: "none", execute: () => 1 });

test.each(refused)("a run with %s is refused immediately", (_what, task, options, message) => {
  const agent = new CodeAgent({ model: answering(), tools: [look] });
  const start = () => agent.run(task as Task, options);
  expect(start).toThrow(message);
  expect(start).toThrow(expect.objectContaining({ code: "invalid-option" }));
});

test("additionalArgs are variables of the code, and the prompt lists them", async () => {
  const model = answering("instruction");
  const run = new CodeAgent({ model }).run("Do it.", { additionalArgs: { instruction: "Remember this." } });
  expect(await run).toBe("Remember this.");
  expect(textOf(model.requests[0]?.messages[1] ?? [])).toMatch(/instruction: string .*"Remember this\."/);
});

test("a large variable is described by its type and size only", async () => {
  const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `secret ${id}` }));
  const model = answering("[rows.length, text.length, when.getTime(), [...seen]]");
  const additionalArgs = { rows, text: "x".repeat(3_000), when: new Date(5), seen: new Set([1n]) };
  expect(await new CodeAgent({ model }).run("Do it.", { additionalArgs })).toEqual([5_000, 3_000, 5, [1n]]);
  const text = textOf(model.requests[0]?.messages[1] ?? []);
  expect(text).toContain("- rows: { id: number; name: string }[] (5000 elements)");
  expect(text).toContain("- text: string (3000 characters)");
  expect(text).toContain("- seen: Set<bigint> (1 entry)");
  expect(text).not.toContain("secret");
  expect(text.length).toBeLessThan(500);
});

test("a tool-calling agent's prompt says how to pass variables to tools", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] }]);
  await new ToolCallingAgent({ model }).run("Do it.", { additionalArgs: { rows: [1, 2] } });
  expect(textOf(model.requests[0]?.messages[1] ?? [])).toMatch(/"\$var"[\s\S]*- rows: number\[\] \(2 elements\)/);
});

test("changing a variable after the run was started has no effect", async () => {
  const rows = [1];
  const run = new CodeAgent({ model: answering("rows") }).run("Do it.", { additionalArgs: { rows } });
  rows.push(2);
  expect(await run).toEqual([1]);
});

test("variables are restored when a run is resumed", async () => {
  const agent = new CodeAgent({ model: scriptedModel(["<code>const more = rows.concat(3)</code>"]) });
  const { log } = await agent.run("Do it.", { additionalArgs: { rows: [1, 2] } }).result;
  const events = (log as MemoryLog).events.filter(({ type }) => type !== "run-end");
  const resumed = agent.with({ model: answering("[rows, more]") }).resume(memoryLog({ events: events.slice(0, -1) }));
  expect(await resumed).toEqual([
    [1, 2],
    [1, 2, 3],
  ]);
});

const call = { type: "tool-call", id: "c", name: "look", input: {} };
const result = { type: "tool-result", id: "c", output: [{ type: "text", text: "seen" }], isError: false };
const badParts: [what: string, role: string, part: unknown, message: RegExp][] = [
  [
    "a text without text",
    "user",
    { type: "text" },
    /\[0\]\.content\[1\] is not a valid text part; expected .*text: string/,
  ],
  [
    "a part of another library",
    "user",
    { type: "image_url" },
    /content\[1\] is not a part of a message; expected a type/,
  ],
  ["a part named like a method", "user", { type: "toString" }, /is not a part of a message/],
  ["a part that is a text", "user", "Hi", /is not a part of a message/],
  ["a call without an id", "assistant", { ...call, id: "" }, /is not a valid tool-call part; expected .*id: string/],
  ["a call without input", "assistant", { ...call, input: undefined }, /is not a valid tool-call part/],
  ["a call whose input is not JSON", "assistant", { ...call, input: 1n }, /is not a valid tool-call part/],
  ["a call of the user", "user", call, /is a tool-call in a message of the user; it belongs to "assistant"/],
  [
    "a result whose output is a text",
    "tool",
    { ...result, output: "seen" },
    /is not a valid tool-result part; expected .*output/,
  ],
  ["a result in a result", "tool", { ...result, output: [result] }, /is not a valid tool-result part/],
  ["a result of the model", "assistant", result, /it belongs to "tool", "user"/],
  ["a thought of the user", "user", { type: "reasoning", text: "hm" }, /it belongs to "assistant"/],
  ["an image without a source", "user", { type: "image" }, /is not a valid image part; expected .*source/],
  ["an image whose address is none", "user", { type: "image", source: { url: 1 } }, /is not a valid image part/],
];
test.each(badParts)("history with %s is refused immediately, with its position", (_what, role, part, message) => {
  const agent = new CodeAgent({ model: answering() });
  const history = [{ role, content: [{ type: "text", text: "x" }, part] }] as never;
  expect(() => agent.run("x", { history })).toThrow(message);
});

test("history with a call and its result, thoughts and images is accepted", async () => {
  const history = [
    { role: "user", content: [{ type: "image", source: { url: "https://example.org/a.png" } }] },
    { role: "assistant", content: [{ type: "reasoning", text: "hm" }, call] },
    { role: "tool", content: [result] },
  ] as never;
  expect(await new CodeAgent({ model: answering() }).run("x", { history })).toBeDefined();
});

describe("history", () => {
  const history: ChatMessage[] = [
    { role: "user", content: [{ type: "text", text: "My name is Ada." }] },
    { role: "assistant", content: [{ type: "text", text: "Hello, Ada." }] },
  ];

  test("is before the task, and is remembered", async () => {
    const model = answering();
    const run = new CodeAgent({ model }).run("What is my name?", { history });
    await run;
    expect(model.requests[0]?.messages.map((message) => [message.role, textOf(message)]).slice(1)).toEqual([
      ["user", "My name is Ada."],
      ["assistant", "Hello, Ada."],
      ["user", "What is my name?"],
    ]);
    expect(run.steps.map(({ type }) => type).slice(1, 4)).toEqual(["message", "message", "task"]);
    expect(toMessages(run.steps, { summary: true })).toHaveLength(4);
  });
});

test("the bytes of an image are once in the log, and once in each request", async () => {
  const model = scriptedModel(["<code>print(1)</code>", "<code>print(2)</code>", "<code>finalAnswer(3)</code>"]);
  const run = new CodeAgent({ model }).run("What is this?", { images: [png, image(png)] });
  const { log } = await run.result;
  for (const { messages } of model.requests) {
    const images = messages.flatMap(({ content }) => content.filter(({ type }) => type === "image"));
    expect(images).toHaveLength(2);
  }
  const start = (log as MemoryLog).events[0];
  const [, first, second] = start?.type === "run-start" ? start.task : [];
  expect(first).toMatchObject({ type: "image", source: { mediaType: "image/png", size: png.length } });
  expect(first).toEqual(second);
  expect(JSON.stringify((log as MemoryLog).events).length).toBeLessThan(20_000);
});
