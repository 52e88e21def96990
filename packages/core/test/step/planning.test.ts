import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { type MemoryLog, memoryLog, toMessages } from "@smolts/memory";
import { type MemoryStep, type ModelRequest, textOf } from "@smolts/protocol";
import { type ScriptedReply, scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

const isPlanRequest = ({ stop = [] }: ModelRequest): boolean => stop.includes("<end_plan>");

/** A model that writes "plan 1", "plan 2" and so on. Its steps print, and the last step answers. */
function planningModel(stepCount: number, plan?: (planNumber: number) => ScriptedReply) {
  let plans = 0;
  let steps = 0;
  const model = scriptedModel((request) => {
    if (isPlanRequest(request)) return plan?.(++plans) ?? `plan ${++plans}`;
    return ++steps < stepCount ? `<code>print(${steps})</code>` : `<code>finalAnswer("done")</code>`;
  });
  return model;
}

const planRequests = (model: { readonly requests: readonly ModelRequest[] }): readonly ModelRequest[] =>
  model.requests.filter(isPlanRequest);

/** Returns the first letters of the types of the steps that smolagents counts. */
const kinds = (steps: readonly MemoryStep[]): string =>
  steps
    .filter(({ type }) => type !== "system-prompt" && type !== "final-answer")
    .map(({ type }) => type[0])
    .join("");

const cadences: [planningInterval: number, kinds: string][] = [
  [1, "tpapapapa"],
  [2, "tpaapaa"],
  [3, "tpaaapa"],
  [9, "tpaaaa"],
];

test.each(cadences)("with the interval %d four steps are %s", async (planningInterval, expected) => {
  const run = new CodeAgent({ model: planningModel(4), planningInterval }).run("Do it.");
  expect(await run).toBe("done");
  expect(kinds(run.steps)).toBe(expected);
});

test.each([0, -1, 1.5, "2"])("planningInterval %o is refused", (planningInterval) => {
  const options = { model: planningModel(1), planningInterval: planningInterval as number };
  expect(() => new CodeAgent(options)).toThrow(/planningInterval is/);
});

test("the first plan is asked for in one user message, with the task and its images once", async () => {
  const model = planningModel(1);
  const agent = new ToolCallingAgent({ model, planningInterval: 1, instructions: "Use metres." });
  await agent.run("How high is the tower?").result;
  const [request] = planRequests(model);
  expect(request?.messages.map(({ role }) => role)).toEqual(["user"]);
  const text = textOf(request?.messages[0] ?? []);
  expect(text).toMatch(/finalAnswer[\s\S]*Use metres\.[\s\S]*How high is the tower\?$/);
});

test("a later plan is requested with a system prompt, a summary of the history and a request: 4 messages, then 6", async () => {
  const model = planningModel(2);
  const agent = new CodeAgent({ model, planningInterval: 1 });
  const { log } = await new CodeAgent({ model: scriptedModel([]) }).run("An earlier task.").result;
  // Only the task of the earlier run is kept, without its steps.
  const task = (log as MemoryLog).events.slice(0, 1);
  await using session = agent.session({ log: memoryLog({ events: task }) });
  await session.run("The task of now.");
  const roles = planRequests(model).map(({ messages }) => messages.map(({ role }) => role).join(" "));
  expect(roles).toEqual(["system user user user", "system user user assistant user user"]);
});

test("the request has the number of remaining steps, from the run's own limit", async () => {
  const model = planningModel(4);
  await new CodeAgent({ model, planningInterval: 2, maxSteps: 20 }).run("Do it.", { maxSteps: 7 });
  const texts = planRequests(model).map(({ messages }) => messages.map((message) => textOf(message)).join("\n"));
  expect(texts[0]).toContain("at most 7 steps");
  expect(texts[1]).toContain("at most 5 steps");
  expect(texts.join()).not.toMatch(/[{}]/);
});

const cuts: [what: string, reply: string, plan: string][] = [
  ["after its end", "## Plan\n1. Look.\n<end_plan>\nStep 1: I look.", "## Plan\n1. Look."],
  ["thought before it", "<think>hm, <end_plan>?</think>\n1. Look.", "1. Look."],
  ["thought that began before the text", "hm</think>1. Look.", "1. Look."],
];

test.each(cuts)("text that a model writes %s is not part of the plan", async (_what, text, plan) => {
  // The reply is a list of events, because the scripted model does not apply stop sequences to
  // events.
  const events = [
    { type: "text-delta", text },
    { type: "end", finishReason: "stop" },
  ] as const;
  const run = new CodeAgent({ model: planningModel(1, () => ({ events })), planningInterval: 1 }).run("Do it.");
  await run;
  expect(run.steps.find((step) => step.type === "planning")?.plan).toBe(plan);
});

test("the plan is in the history as the model's own message, followed by a request; a summary leaves both out", async () => {
  const model = planningModel(2);
  const run = new CodeAgent({ model, planningInterval: 2 }).run("Do it.");
  await run;
  const [, , plan, goOn] = model.requests[1]?.messages ?? [];
  expect([plan?.role, goOn?.role]).toEqual(["assistant", "user"]);
  expect(textOf(plan ?? [])).toContain("plan 1");
  expect(JSON.stringify(toMessages(run.steps, { summary: true }))).not.toContain("plan 1");
});

test("an empty plan, or one without content, adds no message and stops nothing", async () => {
  const model = planningModel(1, () => ({ text: "" }));
  expect(await new CodeAgent({ model, planningInterval: 1 }).run("Do it.")).toBe("done");
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
});

test("the tokens of plans are part of the run's total", async () => {
  const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };
  const run = new CodeAgent({ model: planningModel(2, () => ({ text: "plan", usage })), planningInterval: 2 }).run("x");
  const plain = await new CodeAgent({ model: planningModel(2) }).run("x").result;
  expect((await run.result).usage?.totalTokens).toBe((plain.usage?.totalTokens ?? Number.NaN) + 110);
});

test("a plan with unknown usage makes the total unknown", async () => {
  const model = planningModel(1, () => ({ text: "plan", usage: null }));
  const { status, usage } = await new CodeAgent({ model, planningInterval: 1 }).run("Do it.").result;
  expect([status, usage]).toEqual(["success", null]);
});

test("a plan is emitted as deltas while it is written, and as a step when it is complete", async () => {
  const run = new CodeAgent({ model: planningModel(1), planningInterval: 1 }).run("Do it.");
  const steps: string[] = [];
  const streaming = (async () => {
    for await (const step of run.stepStream()) steps.push(step.type);
  })();
  let text = "";
  for await (const event of run) if (event.type === "plan-delta") text += event.text;
  await streaming;
  expect(text).toBe("plan 1");
  expect(steps).toEqual(["planning", "action", "final-answer"]);
});

test("a model that fails while planning fails the run, and the log is complete", async () => {
  const model = planningModel(1, () => ({ error: "out of order" }));
  const { status, error, log } = await new CodeAgent({ model, planningInterval: 1 }).run("Do it.").result;
  expect([status, error?.code, error?.message]).toEqual(["failed", "generation", "out of order"]);
  expect((log as MemoryLog).events.map(({ type }) => type)).toEqual(["run-start", "model-request", "run-end"]);
});

test("after a crash anywhere, a resumed run uses its recorded plans and makes only the others", async () => {
  const { log } = await new CodeAgent({ model: planningModel(4), planningInterval: 2 }).run("Do it.").result;
  const { events } = log as MemoryLog;
  for (let cut = 1; cut < events.length; cut++) {
    const kept = events.slice(0, cut);
    const count = (type: string): number => kept.filter((event) => event.type === type).length;
    const steps = [1, 2, 3].map((number) => `<code>print(${number})</code>`).concat(`<code>finalAnswer("done")</code>`);
    let step = count("model-response");
    const model = scriptedModel((request) => (isPlanRequest(request) ? "another plan" : (steps[step++] ?? "")));
    const run = new CodeAgent({ model, planningInterval: 2 }).resume(memoryLog({ events: kept }));
    expect(await run, `cut after ${kept.at(-1)?.type}`).toBe("done");
    expect(kinds(run.steps)).toBe("tpaapaa");
    expect(planRequests(model)).toHaveLength(2 - count("plan"));
  }
});

test("a forced answer does not contain the model's thoughts", async () => {
  const model = scriptedModel(["<code>print(1)</code>", "<think>What could it be?</think>\n42"]);
  expect(await new CodeAgent({ model, maxSteps: 1 }).run("Do it.")).toBe("42");
});
