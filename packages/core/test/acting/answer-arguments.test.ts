import { CodeAgent } from "@smolts/core";
import type { ActionStep, MemoryStep, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const actions = (steps: readonly MemoryStep[]): readonly ActionStep[] => steps.filter((step) => step.type === "action");
const code = (text: string): string => `<code>\n${text}\n</code>`;

test.each([
  ["finalAnswer()", /got no argument; expected one/],
  ["finalAnswer(1, 2)", /got 2 arguments; expected one/],
])("%s is a mistake that the model is shown", async (call, message) => {
  const run = new CodeAgent({ model: scriptedModel([code(call), code("finalAnswer([1, 2])")]) }).run("go");
  expect(await run).toEqual([1, 2]);
  expect(actions(run.steps)[0]?.error).toMatchObject({ code: "tool-input", message: expect.stringMatching(message) });
});

test("null is an answer", async () => {
  expect(await new CodeAgent({ model: scriptedModel([code("finalAnswer(null)")]) }).run("go")).toBeNull();
});

test("an agent's own finalAnswer takes the arguments that it declares", async () => {
  const finalAnswer = tool({
    name: "finalAnswer",
    description: "Ends.",
    input: { answer: "string", source: "string" },
    positional: ["answer", "source"],
    execute: async ({ answer, source }) => `${answer} (${source})`,
  }) as Tool;
  const model = scriptedModel([code('finalAnswer("42", "a book")')]);
  expect(await new CodeAgent({ model, tools: [finalAnswer] }).run("go")).toBe("42 (a book)");
});
