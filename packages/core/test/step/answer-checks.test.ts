import { type AgentRun, CodeAgent, type FinalAnswerCheck, ToolCallingAgent } from "@smolts/core";
import { type MemoryLog, memoryLog, toMessages } from "@smolts/memory";
import { type MemoryStep, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

const counting = () => scriptedModel((_request, callNumber) => `<code>finalAnswer(${callNumber})</code>`);
const agentWith = (...finalAnswerChecks: FinalAnswerCheck[]) => new CodeAgent({ model: counting(), finalAnswerChecks });
const actions = (steps: readonly MemoryStep[]) => steps.filter((step) => step.type === "action");
const shown = (steps: readonly MemoryStep[]): string =>
  toMessages(steps)
    .map((message) => textOf(message))
    .join("\n");

test("an answer is rejected until the checks pass; the rejected step has the error and no answer", async () => {
  const run = agentWith((answer) => (answer as number) > 1).run("Count.");
  expect(await run).toBe(2);
  const [first, second] = actions(run.steps);
  expect(first).toMatchObject({ error: { code: "final-answer-check" }, answer: null });
  expect(second).toMatchObject({ error: null, answer: { value: 2 } });
});

test("a check that throws rejects the answer, and the model sees its message", async () => {
  const isFine: FinalAnswerCheck = (answer) => {
    if (answer === 1) throw new Error("Error raised in check");
    return true;
  };
  const run = agentWith(isFine).run("Count.");
  expect(await run).toBe(2);
  expect(shown(run.steps)).toMatch(/"isFine" failed with error: Error raised in check/);
});

test("a returned string is the reason, and the next check is not called", async () => {
  let asked = 0;
  const run = agentWith(
    (answer) => (answer === 1 ? "say it in words" : true),
    async () => ++asked > 0,
  ).run("Count.");
  expect(await run).toBe(2);
  expect(asked).toBe(1);
  expect(shown(run.steps)).toContain("say it in words");
});

test("a check is given the decoded answer, the steps with the answering one, the agent and the run", async () => {
  const seen: unknown[] = [];
  const agent = new CodeAgent({
    model: scriptedModel(["<code>finalAnswer(new Map([[1, 2n]]))</code>"]),
    finalAnswerChecks: [
      (answer, context) => {
        seen.push(answer, context.agent, context.run === run, actions(context.steps).at(-1)?.code);
        return true;
      },
    ],
  });
  const run: AgentRun = agent.run("x");
  await run;
  expect(seen).toEqual([new Map([[1, 2n]]), agent, true, "finalAnswer(new Map([[1, 2n]]))"]);
});

test("if no answer is accepted before the last step, the forced answer is not checked", async () => {
  const never: FinalAnswerCheck = () => false;
  const model = scriptedModel((_request, callNumber) => (callNumber <= 3 ? "<code>finalAnswer(1)</code>" : "guess"));
  const run = new CodeAgent({ model, finalAnswerChecks: [never], maxSteps: 3 }).run("x");
  expect(await run).toBe("guess");
  expect((await run.result).status).toBe("max-steps");
  expect(actions(run.steps).map(({ error }) => error?.message.includes('"never"') ?? false)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test("a hanging check does not delay an abort", async () => {
  const run = agentWith(() => {
    run.abort("enough");
    return new Promise(() => {});
  }).run("x");
  expect((await run.result).status).toBe("aborted");
});

test("a tool-calling model sees in the next message that its answer was not accepted", async () => {
  const answer = (value: number) => ({ toolCalls: [{ name: "finalAnswer", input: { answer: value } }] });
  const model = scriptedModel([answer(1), answer(2)]);
  const agent = new ToolCallingAgent({ model, finalAnswerChecks: [(value) => value === 2 || "one more"] });
  expect(await agent.run("x")).toBe(2);
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
  expect(textOf(model.requests[1]?.messages.at(-1) ?? [])).toContain("one more");
});

test("the result of a check is recorded, and a resumed run does not repeat it", async () => {
  const { log } = await agentWith(() => true).run("x").result;
  const { events } = log as MemoryLog;
  const cut = events.findIndex(({ type }) => type === "check-result") + 1;
  let asked = 0;
  const agent = agentWith(() => ++asked < 0);
  const run = agent.resume(memoryLog({ events: events.slice(0, cut) }));
  expect(await run).toBe(1);
  expect(asked).toBe(0);
});

test.each([
  [{ passed: false, reason: "too small" }, "a value of type object"],
  [{ ok: true }, "a value of type object"],
  [["too small"], "a list"],
  [1, "a value of type number"],
  [null, "null"],
  [undefined, "nothing"],
])("a check that returns %j ends the run with an error that says what to return", async (said, kind) => {
  const isFine = () => said as never;
  const { error, output, steps } = await agentWith(isFine).run("Count.").result;
  expect(error).toMatchObject({
    code: "callback",
    message: `the final-answer check "isFine" returned ${kind}; expected true, false or a string`,
    hint: expect.stringContaining("return true"),
  });
  expect(output).toBeUndefined();
  expect(actions(steps)).toHaveLength(1);
});

test("checks that are not functions are refused", () => {
  expect(() => agentWith("is a number" as never)).toThrow(/finalAnswerChecks is not a list of functions/);
});
