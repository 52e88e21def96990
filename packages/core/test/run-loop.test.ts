import { CodeAgent } from "@smolts/core";
import { type ActionStep, AgentError, type MemoryStep, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

/** Steps as smolagents counts them: without the system prompt and the final answer. */
const counted = (steps: readonly MemoryStep[]): readonly MemoryStep[] =>
  steps.filter((step) => step.type !== "system-prompt" && step.type !== "final-answer");

const actions = (steps: readonly MemoryStep[]): readonly ActionStep[] => steps.filter((step) => step.type === "action");

const code = (text: string): string => `Thought: go on.\n<code>\n${text}\n</code>`;

test("a final answer in the first step is the answer, and memory holds the task and one action", async () => {
  const run = new CodeAgent({ model: scriptedModel([code('finalAnswer("hello")')]) }).run("Say hello.");
  expect(await run).toBe("hello");
  expect(counted(run.steps).map((step) => step.type)).toEqual(["task", "action"]);
});

test("two steps of code give a number, and each step has its code", async () => {
  const model = scriptedModel([code("const result = 2 ** 3.6452"), code("finalAnswer(7.2904)")]);
  const run = new CodeAgent({ model }).run("What is 2 multiplied by 3.6452?");
  expect(await run).toBe(7.2904);
  expect(actions(run.steps).map((step) => step.code)).toEqual(["const result = 2 ** 3.6452", "finalAnswer(7.2904)"]);
});

test("when the steps are exhausted the model is asked for an answer, which is a separate step", async () => {
  const model = scriptedModel((_request, callNumber) =>
    callNumber <= 5 ? code(`print(${callNumber})`) : "my best guess",
  );
  const run = new CodeAgent({ model, maxSteps: 5 }).run("Never answer.");
  expect(await run).toBe("my best guess");
  expect((await run.result).status).toBe("max-steps");
  expect(counted(run.steps)).toHaveLength(7);
  expect(actions(run.steps).at(-1)).toMatchObject({ stepNumber: 6, answer: { value: "my best guess" }, error: null });
});

test("a run's own maxSteps overrides the agent's", async () => {
  const model = scriptedModel((_request, callNumber) => (callNumber <= 3 ? code("print(1)") : "guess"));
  const run = new CodeAgent({ model, maxSteps: 5 }).run("Never answer.", { maxSteps: 3 });
  expect(await run).toBe("guess");
  expect(counted(run.steps)).toHaveLength(5);
});

test("the stream holds the forced answer's step exactly once", async () => {
  const model = scriptedModel((_request, callNumber) => (callNumber <= 2 ? code("print(1)") : "guess"));
  const ended: number[] = [];
  for await (const event of new CodeAgent({ model, maxSteps: 2 }).run("Never answer.")) {
    if (event.type === "step-end") ended.push(event.stepNumber);
  }
  expect(ended).toEqual([1, 2, 3]);
});

test.each([0, -1, 1.5, Number.NaN, "3"])(
  "maxSteps %o is refused immediately, for the agent and for a run",
  (maxSteps) => {
    const model = scriptedModel([]);
    const refusal = expect.objectContaining({ code: "invalid-option", message: expect.stringContaining("maxSteps") });
    expect(() => new CodeAgent({ model, maxSteps: maxSteps as number })).toThrow(refusal);
    expect(() => new CodeAgent({ model }).run("x", { maxSteps: maxSteps as number })).toThrow(refusal);
  },
);

test("a failure of the model rejects the run with its cause, and the unfinished step is kept", async () => {
  const run = new CodeAgent({ model: scriptedModel([{ error: new Error("the server is on fire") }]) }).run("Hello?");
  await expect(run).rejects.toMatchObject({
    code: "generation",
    message: expect.stringContaining("the server is on fire"),
  });
  expect(counted(run.steps).map((step) => step.type)).toEqual(["task", "action"]);
  expect(actions(run.steps)[0]).toMatchObject({ stepNumber: 1, modelOutput: null, error: { code: "generation" } });
  expect((await run.result).status).toBe("failed");
});

test("a stream that breaks off fails the run and is never taken for an answer", async () => {
  const model = scriptedModel([{ text: code("finalAnswer(1)"), cutAfter: 2 }]);
  await expect(new CodeAgent({ model }).run("Hello?")).rejects.toMatchObject({ code: "generation" });
});

test("steps are numbered from 1, and the forced answer has the number after the last", async () => {
  const model = scriptedModel((_request, callNumber) => (callNumber <= 2 ? code("print(1)") : "guess"));
  const run = new CodeAgent({ model, maxSteps: 2 }).run("Never answer.");
  expect(actions(run.steps)).toEqual([]);
  await run;
  expect(actions(run.steps).map((step) => step.stepNumber)).toEqual([1, 2, 3]);
});

test("without forceAnswer the run ends after its last step, and no model is asked again", async () => {
  const model = scriptedModel([code("print(1)")]);
  const run = new CodeAgent({ model }).run("One step.", { maxSteps: 1, forceAnswer: false });
  expect(await run).toBeUndefined();
  expect((await run.result).status).toBe("max-steps");
  expect(model.requests).toHaveLength(1);
});

test("the full result has output, status, steps, usage and timing", async () => {
  const model = scriptedModel([
    { text: code("finalAnswer([1, 2n])"), usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } },
  ]);
  const run = new CodeAgent({ model }).run("Answer.");
  const result = await run.result;
  expect(result).toMatchObject({
    runId: run.id,
    status: "success",
    output: [1, 2n],
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
  });
  expect(result.steps).toBe(run.steps);
  expect(result.timing.endTime).toBeGreaterThanOrEqual(result.timing.startTime);
  expect(result.timing.startTime).toBeGreaterThan(1_700_000_000_000);
});

test("the run's usage is null if the usage of one step is unknown", async () => {
  const model = scriptedModel([code("print(1)"), { text: code("finalAnswer(1)"), usage: null }]);
  expect((await new CodeAgent({ model }).run("Answer.").result).usage).toBeNull();
});

test("a forced answer that fails fails the run", async () => {
  const model = scriptedModel([code("print(1)"), { error: new Error("down") }]);
  const run = new CodeAgent({ model, maxSteps: 1 }).run("Never answer.");
  await expect(run).rejects.toMatchObject({ code: "generation" });
});

test("the request's prefix is the same message objects from step to step", async () => {
  const model = scriptedModel([code("print(1)"), code("print(2)"), code("finalAnswer(3)")]);
  await new CodeAgent({ model }).run("Count.");
  const [second, third] = model.requests.slice(1).map((request) => request.messages);
  // The last message is left out, because it ends with text that applies to that step only.
  const prefix = second?.slice(0, -1) ?? [];
  expect(prefix).toHaveLength(3);
  for (const [index, message] of prefix.entries()) expect(third?.[index]).toBe(message);
});

test("the task reaches the model after the system prompt", async () => {
  const model = scriptedModel([code("finalAnswer(1)")]);
  await new CodeAgent({ model, instructions: "Answer in Latin." }).run("Where is Troy?");
  const [system, task] = model.requests[0]?.messages ?? [];
  expect(system?.role).toBe("system");
  expect(textOf(system ?? [])).toContain("Answer in Latin.");
  expect(task).toMatchObject({ role: "user" });
  expect(textOf(task ?? [])).toContain("Where is Troy?");
});

test("one agent serves many runs at the same time, each with its own state", async () => {
  const agent = new CodeAgent({
    model: scriptedModel(({ messages }) => {
      const task = textOf(messages[1] ?? []);
      return messages.length === 2 ? code(`const mine = ${Number(task)}`) : code("finalAnswer(mine * 2)");
    }),
  });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => agent.run(String(index + 1))));
  expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => (index + 1) * 2));
});

test("errors have one class, with code and hint", async () => {
  const error = await new CodeAgent({ model: scriptedModel([]) }).run("x").catch((thrown: unknown) => thrown);
  expect(AgentError.is(error)).toBe(true);
});
