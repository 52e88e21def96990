// Mistakes of models, users' functions and people. Each one ends in a clear error or an
// observation, and the log stays valid.

import { CodeAgent, finalAnswer, modelFromFunction, ToolCallingAgent } from "@smolts/core";
import { type MemoryLog, toMessages } from "@smolts/memory";
import type { ActionStep, DurableEvent, MemoryStep, Tool } from "@smolts/protocol";
import { textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";

const actions = (steps: readonly MemoryStep[]): readonly ActionStep[] => steps.filter((step) => step.type === "action");
const answer = "<code>finalAnswer(1)</code>";

/**
 * Checks that a log is numbered from 1, begins with `run-start`, ends with `run-end`, and is plain
 * JSON.
 */
function mustBeWhole(log: unknown): void {
  const events: readonly DurableEvent[] = (log as MemoryLog).events;
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect([events[0]?.type, events.at(-1)?.type]).toEqual(["run-start", "run-end"]);
  expect(JSON.parse(JSON.stringify(events))).toEqual(events);
}

describe("a model that answers five megabytes", () => {
  const huge: [what: string, text: string][] = [
    ["of text", "word ".repeat(1_000_000)],
    ["of code that never closes", `<code>\n${"print(1);\n".repeat(500_000)}`],
    ["of opening tags", "<code>".repeat(800_000)],
  ];

  test.each(huge)(
    "%s gets an error, and the run continues",
    async (_what, text) => {
      const model = modelFromFunction((messages) => (messages.length > 2 ? answer : text));
      const { status, output, log, steps } = await new CodeAgent({ model }).run("x").result;
      expect([status, output]).toEqual(["success", 1]);
      expect(actions(steps)[0]?.error).toMatchObject({
        code: "parsing",
        message: expect.stringMatching(/^.{0,300}$/s),
      });
      mustBeWhole(log);
    },
    20_000,
  );
});

const noAnswers: [what: string, answer: unknown, message: RegExp][] = [
  ["null content", { role: "assistant", content: null }, /returned a value of type "object", which is not an answer/],
  ["null", null, /returned null/],
  ["nothing", undefined, /returned a value of type "undefined"/],
  ["a part that is null", { role: "assistant", content: [null] }, /not an answer/],
];

test.each(noAnswers)(
  "a model function that returns %s fails the run with that reason",
  async (_what, given, message) => {
    const { status, error, log } = await new CodeAgent({ model: () => given as string }).run("x").result;
    expect([status, error?.code]).toEqual(["failed", "generation"]);
    expect(error?.message).toMatch(message);
    mustBeWhole(log);
  },
);

test("the model is shown that its message had no content, and the history gets no empty message", async () => {
  const model = scriptedModel([{ text: "" }, answer]);
  const run = new CodeAgent({ model }).run("x");
  expect(await run).toBe(1);
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
});

test("usage that is reported several times counts once, with the last values", async () => {
  const usage = (totalTokens: number) => ({
    type: "usage" as const,
    usage: { inputTokens: 10, outputTokens: totalTokens - 10, totalTokens },
  });
  const events = [
    usage(11),
    { type: "text-delta", text: answer } as const,
    usage(15),
    usage(20),
    { type: "end", finishReason: "stop" } as const,
  ];
  const { usage: total } = await new CodeAgent({ model: scriptedModel([{ events }]) }).run("x").result;
  expect(total?.totalTokens).toBe(20);
});

test("a validation that never ends is stopped at the tool's time limit, and the model sees that", async () => {
  const stuck = {
    ...tool({ name: "stuck", description: "Hangs.", timeoutMs: 20, execute: () => 1 }),
    parseInput: () => new Promise(() => {}),
  };
  const model = scriptedModel([
    { toolCalls: [{ name: "stuck", input: {} }] },
    { toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] },
  ]);
  const run = new ToolCallingAgent({ model, tools: [stuck as Tool] }).run("x");
  expect(await run).toBe(1);
  expect(actions(run.steps)[0]?.toolCalls[0]?.outcome).toMatchObject({
    type: "refused",
    error: { code: "tool-input", message: expect.stringContaining("longer than 20 ms to read its input") },
  });
});

test("an abort stops code that never ends, and keeps the reason", async () => {
  const run = new CodeAgent({
    model: scriptedModel(["<code>print('on my way'); while (true) await null;</code>"]),
  }).run("x");
  for await (const event of run.events()) if (event.type === "console") setTimeout(() => run.abort("seen enough"), 5);
  const { status, error, steps, log } = await run.result;
  expect([status, error?.message]).toEqual(["aborted", "the run was aborted: seen enough"]);
  expect(actions(steps)[0]?.logs).toBe("on my way");
  mustBeWhole(log);
});

test("a step shows the thought, the calls, the observation and the error, in that order", async () => {
  const look = tool({ name: "look", description: "Looks.", effects: "none", execute: () => 7 });
  const model = scriptedModel(["I look.\n<code>print(await look()); nothing.here</code>", answer]);
  const run = new CodeAgent({ model, tools: [look] }).run("x");
  await run;
  const [step] = actions(run.steps);
  expect(Object.keys(step ?? {}).sort()).toEqual([
    "answer",
    "code",
    "error",
    "logs",
    "modelOutput",
    "observation",
    "output",
    "runId",
    "stepNumber",
    "timing",
    "toolCalls",
    "type",
    "usage",
  ]);
  const shown = toMessages(run.steps).slice(2, 4);
  expect(shown.map(({ role }) => role)).toEqual(["assistant", "user"]);
  expect(textOf(shown[1] ?? [])).toMatch(/Printed:\n7[\s\S]*Your code failed/);
});

test("an agent's own finalAnswer ends the run even if beforeStep does not offer it", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] }]);
  expect(
    await new ToolCallingAgent({ model, tools: [finalAnswer as Tool], beforeStep: () => ({ tools: [] }) }).run("x"),
  ).toBe(1);
});
