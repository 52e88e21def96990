import { CodeAgent, type CodeAgentOptions, type StepContext } from "@smolts/core";
import { type MemoryLog, memoryLog } from "@smolts/memory";
import { type ModelRequest, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

const isPlanRequest = ({ stop = [] }: ModelRequest): boolean => stop.includes("<end_plan>");

/** An agent that prints twice and then answers. */
function agentWith(options: Partial<CodeAgentOptions>) {
  let step = 0;
  const model = scriptedModel((request) => {
    if (isPlanRequest(request)) return "the plan";
    return ++step < 3 ? `<code>print(${step})</code>` : "<code>finalAnswer(step_count = 3)</code>";
  });
  return { model, agent: new CodeAgent({ model, ...options }) };
}

const told = (list: string[]) => (step: { readonly type: string }) => list.push(step.type);

test("a function, or a list of functions, gets only action steps, in order", async () => {
  const steps: string[] = [];
  await agentWith({ planningInterval: 9, stepCallbacks: [told(steps), () => steps.push("second")] }).agent.run("x");
  expect(steps).toEqual(["action", "second", "action", "second", "action", "second"]);
});

test("callbacks by type get the steps of their type, and `any` gets all of them", async () => {
  const [planning, action, finalAnswer, any]: [string[], string[], string[], string[]] = [[], [], [], []];
  const stepCallbacks = {
    planning: told(planning),
    action: [told(action)],
    finalAnswer: told(finalAnswer),
    any: told(any),
  };
  await agentWith({ planningInterval: 2, stepCallbacks }).agent.run("x");
  expect(planning).toEqual(["planning", "planning"]);
  expect(action).toEqual(["action", "action", "action"]);
  expect(finalAnswer).toEqual(["final-answer"]);
  expect(any).toEqual(["planning", "action", "action", "planning", "action", "final-answer"]);
});

test("the step of a forced answer is passed too, and a callback may have no parameters", async () => {
  let count = 0;
  const model = scriptedModel(["<code>print(1)</code>", "guess"]);
  await new CodeAgent({ model, maxSteps: 1, stepCallbacks: () => count++ }).run("x");
  expect(count).toBe(2);
});

test("a callback is given the agent, the run, the steps, the variables and a signal", async () => {
  const seen: StepContext[] = [];
  const { agent } = agentWith({ stepCallbacks: (_step, context) => void seen.push(context) });
  const run = agent.run("x");
  await run;
  expect(seen[0]?.agent).toBe(agent);
  expect(seen[0]?.run).toBe(run);
  expect(seen[1]?.steps.filter((step) => step.type === "action")).toHaveLength(2);
  expect(await seen[2]?.variables()).toMatchObject([{ name: "step_count", preview: "3" }]);
  expect(seen[0]?.signal).toBeInstanceOf(AbortSignal);
});

test("an edited plan is what the model is shown next, and an event of the log", async () => {
  const { agent, model } = agentWith({
    planningInterval: 9,
    stepCallbacks: {
      planning: ({ plan, stepNumber }, { edit }) => edit(stepNumber, { plan: `${plan}, but carefully` }),
    },
  });
  const { log, steps } = await agent.run("x").result;
  expect(model.requests[1]?.messages.map((message) => textOf(message)).join("\n")).toContain("the plan, but carefully");
  expect((log as MemoryLog).events.filter(({ type }) => type === "step-edit")).toHaveLength(1);
  expect(steps.find((step) => step.type === "planning")?.plan).toBe("the plan, but carefully");
  const events = JSON.parse(JSON.stringify((log as MemoryLog).events));
  expect((await agent.resume(memoryLog({ events })).result).steps).toEqual(steps);
});

test("an edited observation is what the model is shown of the step", async () => {
  const { agent, model } = agentWith({
    stepCallbacks: ({ stepNumber }, { edit }) => edit(stepNumber, { observation: `seen ${stepNumber}` }),
  });
  await agent.run("x");
  const texts = model.requests[2]?.messages.map((message) => textOf(message)) ?? [];
  expect(texts.join("\n")).toMatch(/seen 1[\s\S]*seen 2/);
  expect(texts.join("\n")).not.toContain("Printed:");
});

const wrongEdits: [what: string, stepNumber: number, change: object, message: RegExp][] = [
  ["nothing", 1, {}, /changes nothing/],
  ["a plan that was not made", 1, { plan: "x" }, /plan that was not made/],
  ["a step that was not taken", 7, { observation: "x" }, /step that was not taken/],
];

test.each(wrongEdits)("an edit of %s fails the run with the reason", async (_what, stepNumber, change, message) => {
  const { agent } = agentWith({ stepCallbacks: (_step, { edit }) => edit(stepNumber, change) });
  const { status, error } = await agent.run("x").result;
  expect([status, error?.code]).toEqual(["failed", "callback"]);
  expect(error?.message).toMatch(message);
});

test("a callback that throws fails the run with an error that names it, and the log is complete", async () => {
  const { agent } = agentWith({
    stepCallbacks: function takeNotes() {
      throw new Error("the disk is full");
    },
  });
  const { status, error, log } = await agent.run("x").result;
  expect([status, error?.code]).toEqual(["failed", "callback"]);
  expect(error?.message).toBe('the step callback "takeNotes" failed after action step 1: the disk is full');
  expect((log as MemoryLog).events.slice(-2).map(({ type }) => type)).toEqual(["step-end", "run-end"]);
});

test("a callback can abort the run with a reason, and the step is kept", async () => {
  const { agent } = agentWith({ stepCallbacks: (_step, { run }) => run.abort("seen enough") });
  const { status, error, steps } = await agent.run("x").result;
  expect([status, error?.message]).toEqual(["aborted", "the run was aborted: seen enough"]);
  expect(steps.filter((step) => step.type === "action")).toHaveLength(1);
});

test("a hanging callback does not delay an abort", async () => {
  const { agent } = agentWith({
    stepCallbacks: (_step, { run }) => {
      run.abort("enough");
      return new Promise(() => {});
    },
  });
  const run = agent.run("x");
  expect((await run.result).status).toBe("aborted");
});

test("after an interruption callbacks get the last step again, and no earlier step", async () => {
  const { log } = await agentWith({}).agent.run("x").result;
  const { events } = log as MemoryLog;
  const ends = events.flatMap(({ type }, index) => (type === "step-end" ? [index + 1] : []));
  const resumed = async (cut: number): Promise<number[]> => {
    const numbers: number[] = [];
    const model = scriptedModel(["<code>finalAnswer(1)</code>"]);
    const agent = new CodeAgent({ model, stepCallbacks: ({ stepNumber }) => void numbers.push(stepNumber) });
    await agent.resume(memoryLog({ events: events.slice(0, cut) }));
    return numbers;
  };
  expect(await resumed(ends[1] ?? 0)).toEqual([2, 3]);
  expect(await resumed((ends[1] ?? 0) + 1)).toEqual([3]);
});

test("a step that a callback gets again has the same id, and other steps have other ids", async () => {
  const ids: string[] = [];
  const stepCallbacks = { any: (_step: unknown, { id }: StepContext) => void ids.push(id) };
  const { log } = await agentWith({ planningInterval: 2, stepCallbacks }).agent.run("x", { runId: "r" }).result;
  expect(new Set(ids).size).toBe(ids.length);
  const { events } = log as MemoryLog;
  const end = events.findIndex((event) => event.type === "step-end" && event.stepNumber === 2) + 1;
  const first = ids.splice(0);
  await agentWith({ planningInterval: 2, stepCallbacks }).agent.resume(memoryLog({ events: events.slice(0, end) }))
    .result;
  expect(ids[0]).toBe("r/agent/action/2");
  expect(first).toContain(ids[0]);
});

const refused: unknown[] = ["log", { actions: () => 1 }, { action: "log" }, [1], null];

test.each(refused)("stepCallbacks %o are refused at construction", (stepCallbacks) => {
  expect(() => agentWith({ stepCallbacks: stepCallbacks as never })).toThrow(/stepCallbacks/);
});

test("a resumed run has its cut results even if an edit removed the note about them", async () => {
  const script = [
    "<code>print('x'.repeat(60_000))</code>",
    "<code>const length = printed1.length; print(length)</code>",
    "<code>print(3)</code>",
    "<code>finalAnswer(length)</code>",
  ];
  const agentOf = (replies: readonly string[]) =>
    new CodeAgent({
      model: scriptedModel([...replies]),
      stepCallbacks: ({ stepNumber }, { edit }) => stepNumber === 3 && edit(1, { observation: "(left out)" }),
    });
  const { output, log } = await agentOf(script).run("x").result;
  expect(output).toBe(60_000);
  const events = [...(log as MemoryLog).events];
  const edit = events.findIndex(({ type }) => type === "step-edit");
  expect(await agentOf(script.slice(3)).resume(memoryLog({ events: events.slice(0, edit + 1) }))).toBe(60_000);
});

test.each([[null], [5], [[null]], [[{ type: "text" }]]])(
  "the observation %j is refused before it is recorded",
  async (observation) => {
    const { agent } = agentWith({ stepCallbacks: (_step, { edit }) => edit(1, { observation: observation as never }) });
    const { error, log } = await agent.run("x").result;
    expect(error?.message).toMatch(/the observation of step 1/);
    expect((log as MemoryLog).events.map(({ type }) => type)).not.toContain("step-edit");
  },
);
