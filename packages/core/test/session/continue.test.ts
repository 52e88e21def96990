// If a run ended without an answer, for whatever reason, `resume` continues it.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { memoryLog, memoryStore } from "@smolts/memory";
import type { DecisionInput, DurableEvent, RunLog, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const code = (text: string): string => `<code>\n${text}\n</code>`;

async function typesIn(log: RunLog): Promise<DurableEvent["type"][]> {
  const types: DurableEvent["type"][] = [];
  for await (const event of log.read()) types.push(event.type);
  return types;
}

/** A tool whose first call hangs until the run is aborted. */
function hanging(effects: "none" | "once") {
  let calls = 0;
  let begun: () => void = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const wait = tool({
    name: "wait",
    description: "Waits.",
    input: {},
    effects,
    execute: (_input, { signal }) => {
      if (++calls > 1) return "waited";
      begun();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  }) as Tool;
  return { wait, hasBegun, calls: () => calls };
}

test("an aborted run continues in the step in which it was aborted", async () => {
  const { wait, hasBegun } = hanging("none");
  const first = new CodeAgent({
    model: scriptedModel([code("let n = 1; print('one')"), code("n = 2; await wait({}); n = 3")]),
    tools: [wait],
  });
  const run = first.run("Go.");
  await hasBegun;
  run.abort("enough");
  const { status, log } = await run.result;
  expect(status).toBe("aborted");
  const model = scriptedModel([code("finalAnswer(n)")]);
  const resumed = new CodeAgent({ model, tools: [wait] }).resume(log);
  expect(await resumed).toBe(2);
  // The aborted step is in the memory only once.
  expect(resumed.steps.filter(({ type }) => type === "action")).toHaveLength(3);
  expect(resumed.status).toBe("success");
  expect(await new CodeAgent({ model: scriptedModel([]), tools: [wait] }).resume(log)).toBe(2);
});

test("an aborted JSON call with an effect is not repeated, and the model sees that it may have happened", async () => {
  const { wait, hasBegun, calls } = hanging("once");
  const answer = { toolCalls: [{ name: "finalAnswer", input: { answer: "done" } }] };
  const asking = { toolCalls: [{ name: "wait", input: {} }] };
  const run = new ToolCallingAgent({ model: scriptedModel([asking]), tools: [wait] }).run("Go.");
  await hasBegun;
  run.abort();
  const { log } = await run.result;
  const model = scriptedModel([answer]);
  expect(await new ToolCallingAgent({ model, tools: [wait] }).resume(log)).toBe("done");
  expect(calls()).toBe(1);
  expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain("it may or may not have happened");
});

test("a run whose model failed asks it again", async () => {
  const { log, status } = await new CodeAgent({ model: scriptedModel([code("const n = 20")]) }).run("Go.").result;
  expect(status).toBe("failed");
  expect(await new CodeAgent({ model: scriptedModel([code("finalAnswer(n + 1)")]) }).resume(log)).toBe(21);
});

test("a run that exhausted its steps continues with more steps, and the model is told", async () => {
  const script = [code("let n = 1"), code("n = 2"), "<code>forced</code>"];
  const { log, status, output } = await new CodeAgent({ model: scriptedModel(script) }).run("Go.", { maxSteps: 2 })
    .result;
  expect(status).toBe("max-steps");
  expect(await new CodeAgent({ model: scriptedModel([]) }).resume(log)).toEqual(output);
  const model = scriptedModel([code("n = 3"), code("finalAnswer(n)")]);
  expect(await new CodeAgent({ model }).resume(log, { moreSteps: 2 })).toBe(3);
  expect(model.requests[0]?.messages.at(-1)?.role).toBe("user");
  expect(JSON.stringify(model.requests[0]?.messages)).toContain("The limit was raised");
  expect(await new CodeAgent({ model: scriptedModel([]) }).resume(log)).toBe(3);
});

test("moreSteps counts from the end of the previous resume", async () => {
  const store = memoryStore();
  const agent = (script: string[]) => new CodeAgent({ model: scriptedModel(script), store, maxSteps: 1 });
  await agent([code("let n = 1"), "forced"]).run("Go.", { runId: "r" }).result;
  expect((await agent([code("n++"), "forced"]).resume("r", { moreSteps: 1 }).result).status).toBe("max-steps");
  expect((await agent([code("n++"), "forced"]).resume("r", { moreSteps: 1 }).result).status).toBe("max-steps");
  expect(await agent([code("finalAnswer(n)")]).resume("r", { moreSteps: 5 })).toBe(3);
});

test("a run that exhausted its budget continues with a larger one", async () => {
  const { wait } = hanging("none");
  const call = { toolCalls: [{ name: "wait", input: {} }] };
  const usage = { inputTokens: 50, outputTokens: 50, totalTokens: 100 };
  const first = scriptedModel([{ ...call, usage } as never, { text: "forced", usage } as never]);
  const run = new ToolCallingAgent({ model: first, tools: [{ ...wait, execute: async () => 1 }] }).run("Go.", {
    budget: { tokens: 100 },
  });
  const { log, status } = await run.result;
  expect(status).toBe("budget");
  const model = scriptedModel([{ toolCalls: [{ name: "finalAnswer", input: { answer: 7 } }], usage } as never]);
  const resumed = new ToolCallingAgent({ model, tools: [wait] }).resume(log, { budget: { tokens: 1000 } });
  expect(await resumed).toBe(7);
});

test("a decision on a run that has ended is refused, and the log does not change", async () => {
  const { log } = await new CodeAgent({ model: scriptedModel([code("finalAnswer(1)")]) }).run("Go.").result;
  const before = await typesIn(log);
  const decision: DecisionInput = { id: "agent/1.1", digest: "d", type: "approve" };
  const { error } = await new CodeAgent({ model: scriptedModel([]) }).resume(log, { decisions: [decision] }).result;
  expect(error?.code).toBe("stale-decision");
  expect(await typesIn(log)).toEqual(before);
});

test("moreSteps that is not a number of steps is refused immediately", () => {
  expect(() => new CodeAgent({ model: scriptedModel([]) }).resume(memoryLog(), { moreSteps: 0 })).toThrow(
    /moreSteps is 0/,
  );
});

test("a session continues its last run with more steps, and keeps its variables", async () => {
  const script = [
    code("let n = 1; const kept = [n]"),
    code("n += 1; kept.push(n)"),
    code("finalAnswer(kept)"),
    code("finalAnswer(kept.length)"),
  ];
  const session = new CodeAgent({ model: scriptedModel(script), maxSteps: 2 }).session();
  expect((await session.run("Count.", { forceAnswer: false }).result).status).toBe("max-steps");
  expect(await session.resume({ moreSteps: 3 })).toEqual([1, 2]);
  expect(await session.resume()).toEqual([1, 2]);
  expect(session.steps.filter(({ type }) => type === "task")).toHaveLength(1);
  expect(await session.run("How many?")).toBe(2);
  await session[Symbol.asyncDispose]();
});
