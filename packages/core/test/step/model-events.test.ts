// Models that break their contract. Anybody can write a model, so the run must say what is wrong.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { Model, ModelEvent } from "@smolts/protocol";
import { expect, onTestFinished, test, vi } from "vitest";

const end = { type: "end", finishReason: "stop" };
const answer = { type: "text-delta", text: "<code>finalAnswer(1)</code>" };

const modelOf = (events: readonly unknown[]): Model => ({
  id: "own/model",
  async *stream() {
    yield* events as readonly ModelEvent[];
  },
});

const circle: { type: string; text: string; self?: unknown } = { type: "reasoning", text: "Hm." };
circle.self = circle;

const broken: [what: string, event: unknown, message: RegExp][] = [
  ["nothing", null, /an event of the model "own\/model" is not an object/],
  ["a number as text", { type: "text-delta", text: 5 }, /"text-delta" .* has no text in "text"/],
  ["a thought without text", { type: "reasoning-delta" }, /"reasoning-delta" .* has no text in "text"/],
  ["arguments as an object", { type: "tool-call-delta", index: 0, inputText: {} }, /has no text in "inputText"/],
  ["a call without a number", { type: "tool-call-delta", inputText: "{}" }, /has no whole number "index"/],
  [
    "a name that is a number",
    { type: "tool-call-delta", index: 0, name: 7, inputText: "{}" },
    /"name" that is not text/,
  ],
  ["an id that is a number", { type: "tool-call-delta", index: 0, id: 7, inputText: "{}" }, /"id" that is not text/],
  ["a part with a cycle", { type: "part", part: circle }, /has a "part" that is not JSON/],
];

test.each(broken)("a model that yields %s ends the run with an error that says so", async (_what, event, message) => {
  const model = modelOf([event, answer, end]);
  for (const agent of [new CodeAgent({ model }), new ToolCallingAgent({ model })]) {
    const { status, error } = await agent.run("Answer.").result;
    expect([status, error?.code]).toEqual(["failed", "generation"]);
    expect(error?.message).toMatch(message);
  }
});

const thrown: [what: string, value: unknown, message: RegExp][] = [
  ["a plain object", { status: 500 }, /the model "own\/model" failed: \{"status":500\}$/],
  ["an object with a message", { message: "overloaded" }, /failed: overloaded$/],
  ["an error without a message", new TypeError(""), /failed: TypeError$/],
  ["an object without a prototype", Object.create(null), /failed: \{\}$/],
  ["an object with a cycle", circle, /failed: an object that cannot be shown$/],
  ["nothing", undefined, /failed: undefined$/],
];

test.each(thrown)("a model that throws %s ends the run with an error that shows it", async (_what, value, message) => {
  const stream = (): never => {
    throw value;
  };
  const { error } = await new CodeAgent({ model: { id: "own/model", stream } }).run("Answer.").result;
  expect(error).toMatchObject({ code: "generation", message: expect.stringMatching(message) });
});

const counts = { inputTokens: 1, outputTokens: 1 };
const uncountable: [what: string, usage: unknown][] = [
  ["null", null],
  ["NaN", { ...counts, totalTokens: Number.NaN }],
  ["a bigint", { ...counts, totalTokens: 2n }],
  ["no total", counts],
  ["an undefined total", { ...counts, totalTokens: undefined }],
  ["only a total", { totalTokens: 2 }],
  ["negative numbers", { inputTokens: -1, outputTokens: -1, totalTokens: -2 }],
  ["numbers that add up to infinity", { ...counts, totalTokens: Number.MAX_VALUE }],
];

test.each(uncountable)("a usage with %s counts as not reported", async (_what, usage) => {
  const model = modelOf([answer, { type: "usage", usage }, end]);
  expect(await new CodeAgent({ model }).run("Answer.").result).toMatchObject({ status: "success", usage: null });
  const { error } = await new CodeAgent({ model, budget: { tokens: 100 } }).run("Answer.").result;
  expect(error?.message).toMatch(/does not report its tokens/);
});

test("errors in `learned` and `retry` events are kept without secrets", async () => {
  const error = { code: "generation", message: "401 for Authorization: Bearer sk-live-0123456789abcdefghij" };
  const model = modelOf([
    { type: "retry", attempt: 1, delayMs: 0, error },
    { type: "learned", refused: "stop", error },
    answer,
    end,
  ]);
  const run = new CodeAgent({ model }).run("Answer.");
  const events: unknown[] = [];
  for await (const event of run) events.push(event);
  expect(JSON.stringify(events)).toContain("401 for");
  expect(JSON.stringify(events)).not.toContain("sk-live");
});

test("an answer counts even if the model's stream cannot be closed", async () => {
  const events = [answer, end][Symbol.iterator]();
  const source = { next: async () => events.next(), return: () => ({ done: true }) };
  const model = { ...modelOf([]), stream: () => ({ [Symbol.asyncIterator]: () => source }) as never };
  expect(await new CodeAgent({ model: { ...model, capabilities: { stop: false } } }).run("Answer.")).toBe(1);
});

const never = (): Promise<never> => new Promise(() => {});

const afterTheEnd: [what: string, go: () => AsyncGenerator<unknown>][] = [
  [
    "is silent",
    async function* () {
      yield await never();
    },
  ],
  [
    "ends again and again",
    async function* () {
      while (true) yield end;
    },
  ],
];

test.each(afterTheEnd)("a model that %s after its end does not hold the run up", async (_what, go) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const model: Model = {
    id: "own/model",
    async *stream() {
      yield* [answer, end] as readonly ModelEvent[];
      yield* go() as AsyncGenerator<ModelEvent>;
    },
  };
  const run = new CodeAgent({ model }).run("Answer.");
  while (run.status === "running") {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(await run).toBe(1);
});

test("a model may work after its end, for example to store its answer", async () => {
  const stored: string[] = [];
  const model: Model = {
    id: "own/model",
    async *stream() {
      yield* [answer, end] as readonly ModelEvent[];
      await new Promise((resolve) => setImmediate(resolve));
      stored.push("answer");
    },
  };
  expect(await new CodeAgent({ model }).run("Answer.")).toBe(1);
  expect(stored).toEqual(["answer"]);
});

test("a model that writes without a pause can be aborted by a timer", async () => {
  const model: Model = {
    id: "own/model",
    async *stream() {
      while (true) yield { type: "reasoning-delta", text: "" };
    },
  };
  const run = new CodeAgent({ model }).run("Answer.");
  setTimeout(() => run.abort(), 0);
  expect((await run.result).status).toBe("aborted");
});

test("an empty id of a call counts as missing", async () => {
  const call = (index: number): unknown => ({ type: "tool-call-delta", index, id: "", name: "look", inputText: "{}" });
  const run = new ToolCallingAgent({ model: modelOf([call(0), call(1), end]), maxSteps: 1 }).run("Answer.");
  await run.result;
  const [step] = run.steps.filter(({ type }) => type === "action");
  const parts = step?.type === "action" ? (step.modelOutput?.content ?? []) : [];
  expect(parts.map((part) => part.type === "tool-call" && part.id)).toEqual(["call-1", "call-2"]);
});
