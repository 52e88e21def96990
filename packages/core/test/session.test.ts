import { CodeAgent } from "@smolts/core";
import type { MemoryStep } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

const counted = (steps: readonly MemoryStep[]): number =>
  steps.filter((step) => step.type !== "system-prompt" && step.type !== "final-answer").length;

const twoSteps = ["<code>let count = (globalThis.count ?? 0) + 1</code>", "<code>finalAnswer(1)</code>"];

test("each run starts afresh, while the runs of a session add to one memory", async () => {
  const agent = new CodeAgent({
    model: scriptedModel((_request, callNumber) => twoSteps[(callNumber - 1) % 2] as string),
  });
  expect(counted((await agent.run("first").result).steps)).toBe(3);
  expect(counted((await agent.run("second").result).steps)).toBe(3);
  await using session = agent.session();
  await session.run("first");
  await session.run("second");
  expect(counted(session.steps)).toBe(6);
});

test("a session's second run sees the first one's variables and messages", async () => {
  const model = scriptedModel([
    "<code>const secret = 41; finalAnswer('noted')</code>",
    "<code>finalAnswer(secret + 1)</code>",
  ]);
  await using session = new CodeAgent({ model }).session();
  expect(await session.run("Remember 41.")).toBe("noted");
  expect(await session.run("What is one more?")).toBe(42);
  expect(JSON.stringify(model.requests[1]?.messages)).toContain("Remember 41.");
  expect((await session.variables()).map(({ name }) => name)).toContain("secret");
});

test("the system prompt stands once in a session's memory", async () => {
  const model = scriptedModel(["<code>finalAnswer(1)</code>", "<code>finalAnswer(2)</code>"]);
  await using session = new CodeAgent({ model }).session();
  await session.run("one");
  await session.run("two");
  expect(session.steps.filter((step) => step.type === "system-prompt")).toHaveLength(1);
  expect(model.requests[1]?.messages.filter((message) => message.role === "system")).toHaveLength(1);
});

test("a second run while one is going on rejects with busy and leaves no trace", async () => {
  const model = scriptedModel([{ text: "<code>finalAnswer(1)</code>", delayMs: 20 }]);
  await using session = new CodeAgent({ model }).session();
  const first = session.run("one");
  await expect(session.run("two")).rejects.toMatchObject({ code: "busy", hint: expect.stringContaining("queue") });
  expect(await first).toBe(1);
  expect(counted(session.steps)).toBe(2);
});

test("with queue a second run waits for the first", async () => {
  const model = scriptedModel([
    { text: "<code>let n = 1; finalAnswer(n)</code>", delayMs: 20 },
    "<code>finalAnswer(n + 1)</code>",
  ]);
  await using session = new CodeAgent({ model }).session();
  const runs = [session.run("one"), session.run("two", { queue: true })];
  expect(await Promise.all(runs)).toEqual([1, 2]);
});

test("reset forgets memory and state", async () => {
  const model = scriptedModel(["<code>let n = 1; finalAnswer(n)</code>", "<code>finalAnswer(typeof n)</code>"]);
  await using session = new CodeAgent({ model }).session();
  await session.run("one");
  await session.reset();
  expect(session.steps).toEqual([]);
  expect(await session.run("two")).toBe("undefined");
});

test("closing a session aborts the run that is going on", async () => {
  const model = scriptedModel([{ text: "never", delayMs: 60_000 }]);
  const session = new CodeAgent({ model }).session();
  const run = session.run("one");
  await session[Symbol.asyncDispose]();
  await expect(run).rejects.toMatchObject({ code: "interrupted" });
});
