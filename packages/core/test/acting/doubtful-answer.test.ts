import { CodeAgent } from "@smolts/core";
import { type ActionStep, type MemoryStep, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const isPrime = tool({
  name: "isPrime",
  description: "Says whether a number is prime.",
  input: { n: "number" },
  execute: async ({ n }) => [2, 3, 5, 7].includes(n),
});

const code = (text: string): string => `<code>\n${text}\n</code>`;
const careless = code('if (isPrime({ n: 8 })) finalAnswer("8 is prime"); else finalAnswer("8 is not prime")');

const actions = (steps: readonly MemoryStep[]): readonly ActionStep[] => steps.filter((step) => step.type === "action");

test("an answer that used a promise as its value is held back, and the model sees the line", async () => {
  const careful = code('if (await isPrime({ n: 8 })) finalAnswer("8 is prime"); else finalAnswer("8 is not prime")');
  const model = scriptedModel([careless, careful]);
  const run = new CodeAgent({ model, tools: [isPrime] }).run("Is 8 prime?");
  expect(await run).toBe("8 is not prime");
  const [first] = actions(run.steps);
  expect(first?.answer).toBeNull();
  expect(first?.error).toMatchObject({ code: "final-answer-check" });
  expect(textOf(model.requests[1]?.messages.at(-1) ?? { role: "user", content: [] })).toMatch(
    /isPrime\(\.\.\.\) was used as a condition[\s\S]*line 1, column 5/,
  );
});

test("the same answer is accepted the second time", async () => {
  const run = new CodeAgent({ model: scriptedModel([careless, careless]), tools: [isPrime] }).run("Is 8 prime?");
  expect(await run).toBe("8 is prime");
  expect(actions(run.steps)).toHaveLength(2);
});

test("a block without an answer shows its doubts next to its value", async () => {
  const model = scriptedModel([code("[4, 7].filter((n) => isPrime({ n }))"), code('finalAnswer("ok")')]);
  await new CodeAgent({ model, tools: [isPrime] }).run("Which are prime?");
  expect(textOf(model.requests[1]?.messages.at(-1) ?? { role: "user", content: [] })).toMatch(/was returned to filter/);
});
