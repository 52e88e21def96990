import { CodeAgent, type ModelFunction, ToolCallingAgent } from "@smolts/core";
import { expect, test } from "vitest";

const resultOf = (answer: unknown) =>
  new CodeAgent({ model: answer as ModelFunction, maxSteps: 1 }).run("Do it.").result;

const garbage: [what: string, answer: () => unknown, message: RegExp][] = [
  ["returns nothing", () => undefined, /returned a value of type "undefined", which is not an answer/],
  ["returns null", () => null, /returned null/],
  ["returns a number", () => 42, /returned a value of type "number"/],
  ["returns a list", () => ["text"], /returned \["text"\]/],
  ["returns a message whose content is a text", () => ({ role: "assistant", content: "text" }), /returned a value/],
  ["returns a message with a part that is null", () => ({ role: "assistant", content: [null] }), /returned a value/],
  [
    "yields a number",
    async function* () {
      yield 42;
    },
    /yielded a value of type "number"/,
  ],
  [
    "yields an event without its text",
    async function* () {
      yield { type: "text-delta" };
    },
    /yielded a value of type "object"/,
  ],
];

test.each(garbage)("a model function that %s fails the run with what to return", async (_what, answer, message) => {
  const { status, error } = await resultOf(answer);
  expect(status).toBe("failed");
  expect(error).toMatchObject({ code: "generation", message: expect.stringMatching(message) });
  expect(error?.hint).toMatch(/return a string|yield strings/);
});

test("a model function that throws fails the run with its error as the cause", async () => {
  const cause = new Error("boom");
  const { error } = await resultOf(() => {
    throw cause;
  });
  expect(error).toMatchObject({ code: "generation", message: expect.stringContaining("boom"), cause });
});

test("a tool call without input that a model function returns is a call with an empty input", async () => {
  const model = () => ({ role: "assistant", content: [{ type: "tool-call", id: "1", name: "finalAnswer" }] });
  const { steps } = await new ToolCallingAgent({ model: model as unknown as ModelFunction, maxSteps: 1 }).run("Do it.")
    .result;
  expect(steps.find((step) => step.type === "action")).toMatchObject({ toolCalls: [{ args: [{}] }] });
});
