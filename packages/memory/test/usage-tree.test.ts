import { memoryLog, usageTree } from "@smolts/memory";
import type { DurableEvent, Path, TokenUsage } from "@smolts/protocol";
import { expect, test } from "vitest";

const usage: TokenUsage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const twice: TokenUsage = { inputTokens: 20, outputTokens: 10, totalTokens: 30 };

const answered = (answer: TokenUsage | null, path: Path = ["agent"]): DurableEvent => ({
  type: "model-response",
  stepNumber: 1,
  message: { role: "assistant", content: [] },
  usage: answer,
  finishReason: "stop",
  timing: { startTime: 0, endTime: 0 },
  runId: "r",
  path,
  seq: 1,
  time: 0,
});

test("usage is summed over the answers", () => {
  expect(usageTree([answered(usage), answered(usage)], ["agent"])).toEqual({
    path: ["agent"],
    ...twice,
    own: twice,
    agents: [],
  });
  const cached = { ...usage, cachedInputTokens: 4, costUsd: 0.5 };
  expect(usageTree([answered(cached), answered(cached)], ["agent"])).toMatchObject({
    cachedInputTokens: 8,
    costUsd: 1,
  });
});

test("the cost is unknown if one answer does not report it", () => {
  expect(usageTree([answered(usage), answered({ ...usage, costUsd: 1 })], ["agent"])).not.toHaveProperty("costUsd");
});

test("a managed agent without a model call does not make the cost unknown", () => {
  const path = ["agent", "search#1.1"];
  const begun: DurableEvent = { type: "step-start", stepNumber: 1, runId: "r", path, seq: 2, time: 0 };
  expect(usageTree([answered({ ...usage, costUsd: 1 }), begun], ["agent"])).toMatchObject({ costUsd: 1 });
});

test("usage is unknown if one answer came without it, even one of a managed agent", () => {
  expect(usageTree([answered(usage), answered(null)], ["agent"])).toBeNull();
  expect(usageTree([answered(usage), answered(null, ["agent", "search#1.1"])], ["agent"])).toBeNull();
});

test("the usage of managed agents is in the totals, and listed by call", () => {
  const events = [
    answered(usage),
    answered(usage, ["agent", "search#1.1"]),
    answered(usage, ["agent", "search#1.1", "reader#2.1"]),
    answered(usage, ["agent", "search#1.2"]),
    answered(usage, ["another"]),
  ];
  const tree = usageTree(events, ["agent"]);
  expect([tree?.totalTokens, tree?.own.totalTokens]).toEqual([60, 15]);
  expect(tree?.agents.map(({ path, totalTokens }) => [path.at(-1), totalTokens])).toEqual([
    ["search#1.1", 30],
    ["search#1.2", 15],
  ]);
  expect(tree?.agents[0]?.agents[0]?.own).toEqual(usage);
});

test("an answer that was lost before it was recorded counts as unknown, and is not in the totals", () => {
  const log = memoryLog();
  const child = { runId: "r", path: ["agent", "helper#1.1"] };
  const root = { runId: "r", path: ["agent"] };
  const resume = { type: "run-resume", attempt: 2, definitionDigest: "d" } as const;
  const usage = { inputTokens: 2, outputTokens: 1, totalTokens: 3 };
  const message = { role: "assistant", content: [{ type: "text", text: "Yes." }] } as const;
  const timing = { startTime: 0, endTime: 0 };
  const answer = { type: "model-response", stepNumber: 1, message, usage, finishReason: "stop", timing } as const;
  log.append({ type: "step-start", stepNumber: 1 }, root);
  log.append(resume, root);
  log.append(answer, root);
  log.append({ type: "step-start", stepNumber: 1 }, child);
  log.append(resume, root);
  log.append(resume, root);
  log.append(answer, child);
  log.append(resume, root);
  const tree = usageTree(log.events, ["agent"]);
  expect([tree?.totalTokens, tree?.lostAnswers, tree?.agents[0]?.lostAnswers]).toEqual([6, 3, 2]);
  expect([tree?.lostEstimate, tree?.agents[0]?.lostEstimate]).toEqual([{ totalTokens: 9 }, { totalTokens: 6 }]);
});

test("a lost answer counts as much as the largest one so far, until the repeated answer replaces it", () => {
  const log = memoryLog();
  const at = { runId: "r", path: ["agent"] };
  const lose = (): void => void log.append({ type: "run-resume", attempt: 2, definitionDigest: "d" }, at);
  const message = { role: "assistant", content: [{ type: "text", text: "Yes." }] } as const;
  const rest = { message, finishReason: "stop", timing: { startTime: 0, endTime: 0 } } as const;
  const used = (inputTokens: number) => ({
    inputTokens,
    outputTokens: 0,
    totalTokens: inputTokens,
    costUsd: inputTokens,
  });
  const answer = (stepNumber: number, tokens: number): void => {
    log.append({ type: "model-response", stepNumber, ...rest, usage: used(tokens) }, at);
  };
  const estimate = () => usageTree(log.events, ["agent"])?.lostEstimate;
  const plan = (): void => void log.append({ type: "model-request", purpose: "plan", stepNumber: 2 }, at);
  log.append({ type: "step-start", stepNumber: 1 }, at);
  lose();
  expect(estimate()).toEqual({ totalTokens: 0 });
  answer(1, 100);
  expect(estimate()).toEqual({ totalTokens: 100, costUsd: 100 });
  plan();
  lose();
  expect(estimate()).toEqual({ totalTokens: 200, costUsd: 200 });
  plan();
  lose();
  expect(estimate()).toEqual({ totalTokens: 300, costUsd: 300 });
  log.append({ type: "plan", stepNumber: 2, plan: "", ...rest, usage: used(10) }, at);
  expect(estimate()).toEqual({ totalTokens: 120, costUsd: 120 });
  // A tool asked the model, and then the call ended without an answer, so the request is no longer
  // open.
  log.append({ type: "model-request", purpose: "tool", callId: "agent/2.1" }, at);
  lose();
  expect(usageTree(log.events, ["agent"])?.lostAnswers).toBe(4);
  log.append({ type: "tool-result", callId: "agent/2.1", outcome: { type: "ok", value: 1 } as never }, at);
  lose();
  expect(usageTree(log.events, ["agent"])?.lostAnswers).toBe(4);
  expect(estimate()).toEqual({ totalTokens: 220, costUsd: 220 });
});
