import { type AgentRun, CodeAgent, type MultiStepAgent, ToolCallingAgent } from "@smolts/core";
import { type MemoryLog, memoryLog } from "@smolts/memory";
import { textOf } from "@smolts/protocol";
import { type ScriptedModel, type ScriptedReply, scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

const two = () => scriptedModel(["<code>print(1)</code>", "<code>finalAnswer(2)</code>"]);

test("a message during a step is shown after it, and a message before the run is shown at once", async () => {
  const model = two();
  const run = new CodeAgent({ model }).run("x");
  run.say("Hello.");
  for await (const event of run.events()) {
    if (event.type === "model-response" && event.stepNumber === 1) run.say("Go on.");
  }
  expect(run.steps.map(({ type }) => type).slice(1, 6)).toEqual(["task", "message", "action", "message", "action"]);
  expect(textOf(model.requests[0]?.messages.at(-1) ?? [])).toContain("Hello.");
});

test("say() returns false after the end, and an empty text is refused", async () => {
  const run = new CodeAgent({ model: two() }).run("x");
  await run;
  expect(run.say("Too late.")).toBe(false);
  expect(() => run.say(" ")).toThrow(/empty text/);
});

/**
 * A run that gets the message "In French, please." while its model writes each reply except the
 * last.
 */
function greeting(agentOf: (model: ScriptedModel) => MultiStepAgent, replies: readonly ScriptedReply[]) {
  const said: boolean[] = [];
  const model = scriptedModel((_request, callNumber) => {
    if (callNumber < replies.length || replies.length === 1) said.push(run.say("In French, please."));
    return replies[callNumber - 1] ?? "";
  });
  const run: AgentRun = agentOf(model).run("Greet me.");
  return { model, said, run };
}

const hello = '<code>finalAnswer("hello")</code>';
const bonjour = '<code>finalAnswer("bonjour")</code>';

test("an answer that was given before a message was seen does not end the run", async () => {
  const { model, said, run } = greeting((model) => new CodeAgent({ model }), [hello, bonjour]);
  expect(await run).toBe("bonjour");
  expect(said).toEqual([true]);
  expect(textOf(model.requests[1]?.messages.at(-1) ?? [])).toContain("In French, please.");
  expect(run.steps.map(({ type }) => type).slice(1)).toEqual(["task", "action", "message", "action", "final-answer"]);
});

test("an agent that calls tools answers again, too", async () => {
  const answer = (text: string) => ({ toolCalls: [{ name: "finalAnswer", input: { answer: text } }] });
  const replies = [answer("hello"), answer("bonjour")];
  const { model, run } = greeting((model) => new ToolCallingAgent({ model }), replies);
  expect(await run).toBe("bonjour");
  const [, , ...seen] = model.requests[1]?.messages ?? [];
  expect(seen.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
});

test.each([
  ["maxSteps", { maxSteps: 1 }],
  ["a budget", { budget: { tokens: 1 } }],
])("an answer in the last step that %s allows ends the run despite a new message", async (_limit, options) => {
  const { said, run } = greeting((model) => new CodeAgent({ model, ...options }), [hello]);
  expect(await run.result).toMatchObject({ status: "success", output: "hello" });
  expect(said).toEqual([true]);
});

test("say() returns false for a run that has its answer", async () => {
  const said: boolean[] = [];
  const agent = new CodeAgent({
    model: two(),
    stepCallbacks: { any: (step, { run }) => void said.push(run.say(`after ${step.type}`)) },
  });
  expect(await agent.run("x")).toBe(2);
  expect(said).toEqual([true, false, false]);
});

test("say() returns false for a run whose model is asked for the answer at a limit", async () => {
  const { said, run } = greeting((model) => new CodeAgent({ model, maxSteps: 1 }), ["<code>1</code>", "guess", ""]);
  expect((await run.result).status).toBe("max-steps");
  expect(said).toEqual([true, false]);
});

test("a run that crashes after the message continues in the same way", async () => {
  const { run } = greeting((model) => new CodeAgent({ model }), [hello, bonjour]);
  const events = ((await run.result).log as MemoryLog).events;
  const cut = events.slice(
    0,
    events.findIndex(({ type }) => type === "step-end"),
  );
  expect(cut.some(({ type }) => type === "message")).toBe(true);
  const log = memoryLog({ events: JSON.parse(JSON.stringify(cut)) });
  expect(await new CodeAgent({ model: scriptedModel([bonjour]) }).resume(log)).toBe("bonjour");
});
