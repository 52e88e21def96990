import { CodeAgent } from "@smolts/core";
import { type MemoryLog, memoryLog } from "@smolts/memory";
import { textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, onTestFinished, test, vi } from "vitest";

const two = () => scriptedModel(["<code>print(1)</code>", "<code>finalAnswer(2)</code>"]);

test("next() lets a run take one step at a time and returns it, and null at the end", async () => {
  const model = two();
  const run = new CodeAgent({ model }).run("x", { manual: true });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(model.requests).toHaveLength(0);
  expect(await run.next()).toMatchObject({ stepNumber: 1, code: "print(1)", answer: null });
  expect(model.requests).toHaveLength(1);
  expect(await run.next()).toMatchObject({ stepNumber: 2, answer: { value: 2 } });
  expect(await run.next()).toBeNull();
  expect(await run).toBe(2);
});

test("steps can be requested in advance; each call of next() gets its own step", async () => {
  const run = new CodeAgent({ model: two() }).run("x", { manual: true });
  const steps = await Promise.all([run.next(), run.next(), run.next()]);
  expect(steps.map((step) => step?.stepNumber)).toEqual([1, 2, undefined]);
});

test("a forced answer is a separate step", async () => {
  const model = scriptedModel(["<code>print(1)</code>", "guess"]);
  const run = new CodeAgent({ model, maxSteps: 1 }).run("x", { manual: true });
  await run.next();
  expect(run.status).toBe("running");
  expect(await run.next()).toMatchObject({ stepNumber: 2, answer: { value: "guess" } });
});

test("next() rejects when the run fails or is aborted in its step", async () => {
  const failing = new CodeAgent({ model: scriptedModel([]) }).run("x", { manual: true });
  await expect(failing.next()).rejects.toMatchObject({ code: "generation" });
  expect(await failing.next()).toBeNull();
  const aborted = new CodeAgent({ model: two() }).run("x", { manual: true });
  await aborted.next();
  aborted.abort("enough");
  expect((await aborted.result).status).toBe("aborted");
});

test("next() is refused for a run that is not manual", async () => {
  const run = new CodeAgent({ model: two() }).run("x");
  await expect(run.next()).rejects.toMatchObject({ code: "invalid-option", hint: expect.stringContaining("manual") });
  expect(await run).toBe(2);
});

test("a message of say() is before the model's next answer, and stays in memory", async () => {
  const model = two();
  const run = new CodeAgent({ model }).run("x", { manual: true });
  await run.next();
  expect(run.say("Be quick.")).toBe(true);
  await run.next();
  expect(textOf(model.requests[1]?.messages.at(-1) ?? [])).toContain("Be quick.");
  const { steps, log } = await run.result;
  expect(steps.map(({ type }) => type)).toEqual([
    "system-prompt",
    "task",
    "action",
    "message",
    "action",
    "final-answer",
  ]);
  const events = JSON.parse(JSON.stringify((log as MemoryLog).events));
  expect((await new CodeAgent({ model: two() }).resume(memoryLog({ events })).result).steps).toEqual(steps);
});

test("a run that ends without a step returns none, not even that of the previous run", async () => {
  const model = scriptedModel(["<code>finalAnswer(1)</code>"]);
  await using session = new CodeAgent({ model }).session();
  await session.run("one");
  const run = session.run("two", { manual: true, budget: { durationMs: 1 }, forceAnswer: false });
  for await (const event of run.events()) if (event.type === "run-start") break;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await run.next()).toBeNull();
  expect((await run.result).status).toBe("budget");
});
