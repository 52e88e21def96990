import { fullCode, succinct, totalUsage } from "@smolts/memory";
import type { MemoryStep } from "@smolts/protocol";
import { expect, test } from "vitest";
import { action, text, usage } from "./a-run.ts";

const answered = { modelOutput: { role: "assistant", content: [text("x")] } } as const;

test("the full code joins only the steps that ran code", () => {
  const steps: MemoryStep[] = [
    { type: "task", runId: "r", content: [text("Add.")] },
    action({ code: "let a = 1" }),
    action({ ...answered }),
    action({ code: "a + 1" }),
  ];
  expect(fullCode(steps)).toBe("let a = 1\n\na + 1");
});

test("succinct steps have the actions, without the messages that repeat them", () => {
  const step = action({ ...answered, code: "1", observation: [text("1")], usage });
  const task: MemoryStep = { type: "task", runId: "r", content: [text("Add.")] };
  const [first, second, ...others] = succinct([{ type: "system-prompt", text: "You are." }, task, step]);
  expect(first).toBe(task);
  expect(second).toMatchObject({ type: "action", code: "1", usage });
  expect(second).not.toHaveProperty("modelOutput");
  expect(second).not.toHaveProperty("observation");
  expect(others).toEqual([]);
});

test("usage is summed over the steps", () => {
  const cached = { ...usage, cachedInputTokens: 4, costUsd: 0.5 };
  expect(totalUsage([action({ ...answered, usage }), action({ ...answered, usage })])).toEqual({
    inputTokens: 20,
    outputTokens: 10,
    totalTokens: 30,
  });
  expect(totalUsage([action({ ...answered, usage: cached }), action({ ...answered, usage: cached })])).toEqual({
    inputTokens: 20,
    outputTokens: 10,
    totalTokens: 30,
    cachedInputTokens: 8,
    costUsd: 1,
  });
});

test("the cost is unknown if one step does not report it", () => {
  const steps = [action({ ...answered, usage }), action({ ...answered, usage: { ...usage, costUsd: 1 } })];
  expect(totalUsage(steps)).not.toHaveProperty("costUsd");
});

test("usage is unknown if one answer came without it, but not if a model did not answer at all", () => {
  expect(totalUsage([action({ ...answered, usage }), action({ ...answered })])).toBeNull();
  expect(totalUsage([action({ ...answered, usage }), action()])).toEqual(usage);
});
