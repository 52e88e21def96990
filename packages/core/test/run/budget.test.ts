import { CodeAgent, type CodeAgentOptions, type RunOptions, ToolCallingAgent } from "@smolts/core";
import { type MemoryLog, memoryLog } from "@smolts/memory";
import { type Budget, type DurableEvent, type Model, type ModelRequest, textOf } from "@smolts/protocol";
import { type ScriptedReply, scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const usage = { inputTokens: 80, outputTokens: 20, totalTokens: 100, costUsd: 0.01 };
const isForced = ({ messages }: ModelRequest): boolean => /Give the best answer/.test(textOf(messages.at(-1) ?? []));

/** A model whose code only prints. It answers with a guess when it is asked for its best answer. */
const endless = (reply: (callNumber: number) => ScriptedReply = (n) => ({ text: `<code>print(${n})</code>`, usage })) =>
  scriptedModel((request, callNumber) => (isForced(request) ? { text: "a guess", usage } : reply(callNumber)));

const run = (budget: Budget, options: Partial<CodeAgentOptions> = {}, runOptions: RunOptions = {}) =>
  new CodeAgent({ model: endless(), budget, ...options }).run("Never answer.", runOptions);

// Only the tool `wait` moves the clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const wait = tool({
  name: "wait",
  description: "Waits.",
  effects: "none",
  execute: () => {
    vi.setSystemTime(Date.now() + 15);
    return 1;
  },
});
const waiting = endless(() => ({ text: "<code>await wait()</code>", usage }));

const limits: [limit: string, budget: Budget, options: Partial<CodeAgentOptions>, steps: number][] = [
  ["tokens", { tokens: 250 }, {}, 3],
  ["costUsd", { costUsd: 0.02 }, {}, 2],
  ["durationMs", { durationMs: 10 }, { model: waiting, tools: [wait] }, 1],
  ["toolCalls", { toolCalls: 2 }, { model: waiting, tools: [wait] }, 2],
  ["repeatedFailures", { repeatedFailures: 4 }, { model: endless(() => "<code>nothing.here</code>") }, 4],
];

test.each(limits)("a budget of %s ends the run with a forced answer", async (limit, budget, options, steps) => {
  const { status, output, log } = await run(budget, options).result;
  expect([status, output]).toEqual(["budget", "a guess"]);
  const { events } = log as MemoryLog;
  expect(events.filter(({ type }) => type === "step-end")).toHaveLength(steps + 1);
  expect(events.find(({ type }) => type === "budget-stop")).toMatchObject({ limit, stepNumber: steps + 1 });
});

test("each limit of a run's budget overrides the agent's, and 0 removes a limit", async () => {
  expect((await run({ tokens: 100 }, { maxSteps: 3 }, { budget: { tokens: 0 } }).result).status).toBe("max-steps");
  expect((await run({}, {}, { budget: { tokens: 100 } }).result).status).toBe("budget");
});

test("within a step, calls beyond the budget are refused, but the final answer is allowed", async () => {
  const code = `<code>
const seen = [];
for (let n = 1; n <= 4; n++) seen.push(await wait().catch((error) => error.message));
finalAnswer(seen)
</code>`;
  const answer = await run({ toolCalls: 2 }, { model: scriptedModel([{ text: code, usage }]), tools: [wait] });
  expect(answer).toEqual([1, 1, expect.stringContaining("budget of 2 toolCalls"), expect.stringContaining("budget")]);
});

test("of parallel calls, those beyond the budget are refused, and finalAnswer does not count", async () => {
  const calls = [1, 2, 3].map(() => ({ name: "wait", input: {} }));
  const model = endless((n) => ({
    toolCalls: n === 1 ? calls : [{ name: "finalAnswer", input: { answer: 1 } }],
    usage,
  }));
  const { log, status } = await new ToolCallingAgent({ model, tools: [wait], budget: { toolCalls: 2 } }).run("x")
    .result;
  const outcomes = (log as MemoryLog).events.flatMap((event) =>
    event.type === "tool-result" ? [event.outcome.type] : [],
  );
  expect(outcomes.toSorted()).toEqual(["ok", "ok", "refused"]);
  expect(status).toBe("budget");
});

test("without forceAnswer an exhausted budget ends the run without an answer", async () => {
  const { status, output } = await run({ tokens: 100 }, {}, { forceAnswer: false }).result;
  expect([status, output]).toEqual(["budget", undefined]);
});

test("with a cost limit, a model that does not report its cost fails the run at its first answer", async () => {
  const { costUsd, ...tokens } = usage;
  const model = endless(() => ({ text: "<code>print(1)</code>", usage: tokens }));
  const { status, error, log } = await run({ costUsd: 1 }, { model }).result;
  expect([status, error?.code, error?.hint]).toEqual(["failed", "invalid-option", expect.stringContaining("pricing")]);
  expect((log as MemoryLog).events.filter(({ type }) => type === "model-response")).toHaveLength(1);
});

test("with a token limit, a model that does not report its tokens fails the run", async () => {
  const model = endless(() => ({ text: "<code>print(1)</code>", usage: null }));
  expect((await run({ tokens: 1_000 }, { model }).result).error?.message).toMatch(/budget\.tokens cannot be enforced/);
});

test("a recorded stop is not decided again: a resumed run continues with the forced answer", async () => {
  const { log } = await run({ tokens: 200 }).result;
  const { events } = log as MemoryLog;
  const cut = events.findIndex(({ type }) => type === "budget-stop") + 1;
  const resumed = new CodeAgent({ model: endless() }).resume(memoryLog({ events: events.slice(0, cut) }));
  expect(await resumed).toBe("a guess");
  expect((await resumed.result).status).toBe("budget");
});

test("the time between an interruption and a resume does not count against the budget", async () => {
  const { log } = await run({ durationMs: 60_000 }, { maxSteps: 2 }).result;
  const { events } = log as MemoryLog;
  const longAgo = events.slice(0, 4).map((event) => ({ ...event, time: event.time - 10 ** 9 }));
  const resumed = new CodeAgent({ model: endless() }).resume(memoryLog({ events: longAgo }));
  expect((await resumed.result).status).toBe("max-steps");
});

test("after an interruption, a managed agent's earlier usage still counts against its budget", async () => {
  const workerSteps = async (log?: MemoryLog): Promise<readonly DurableEvent[]> => {
    const worker = new CodeAgent({
      model: endless(),
      budget: { tokens: 250 },
      name: "worker",
      description: "Works.",
    });
    const model = scriptedModel([{ text: "<code>finalAnswer(await worker({ task: 'Do it.' }))</code>", usage }]);
    const manager = new CodeAgent({ model, managedAgents: [worker] });
    const { log: whole, error } = await (log ? manager.resume(log) : manager.run("Do it.")).result;
    if (error) throw error;
    return (whole as MemoryLog).events;
  };
  const events = await workerSteps();
  const ends = (list: readonly DurableEvent[]) =>
    list.filter((event) => event.type === "step-end" && event.path.length === 2);
  const cut = events.indexOf(ends(events)[1] as DurableEvent) + 1;
  const resumed = await workerSteps(memoryLog({ events: events.slice(0, cut) }));
  expect([ends(events).length, ends(resumed).length]).toEqual([4, 4]);
});

/**
 * Runs a manager with a budget and a worker that never answers. Returns how often the worker's
 * model was asked, and where the budget stopped the work.
 */
async function workUnder(
  budget: Budget,
  { told = usage, beforeReply = () => {} }: { readonly told?: typeof usage | null; beforeReply?(): void } = {},
) {
  let asked = 0;
  const worker = new CodeAgent({
    model: scriptedModel((request, callNumber) => {
      asked = callNumber;
      beforeReply();
      return { text: isForced(request) ? "so far" : `<code>print(await wait(), ${callNumber})</code>`, usage: told };
    }),
    tools: [wait],
    name: "worker",
    description: "Works.",
  });
  const code = "<code>finalAnswer(await worker({ task: 'Do it.' }))</code>";
  const manager = new CodeAgent({ model: endless(() => ({ text: code, usage })), managedAgents: [worker], budget });
  const result = await manager.run("Do it.").result;
  const stops = (result.log as MemoryLog).events.filter((event) => event.type === "budget-stop");
  return { asked, stops, ...result };
}

test.each([{ tokens: 350 }, { costUsd: 0.035 }])(
  "the budget %o of a caller also ends its managed agents",
  async (budget) => {
    const { asked, stops, output } = await workUnder(budget);
    expect(asked).toBe(4);
    expect(stops.map(({ path, stepNumber, limit }) => [path.length, stepNumber, limit])).toEqual([
      [2, 4, Object.keys(budget)[0]],
    ]);
    expect(output).toContain("stopped by a limit");
  },
);

test("a worker that was interrupted when its caller's budget was exhausted still reports its result", async () => {
  const { log, output } = await workUnder({ tokens: 350 });
  const { events } = log as MemoryLog;
  const cut = events.findIndex(({ type }) => type === "budget-stop") + 1;
  const worker = new CodeAgent({ model: endless(), tools: [wait], name: "worker", description: "Works." });
  const manager = new CodeAgent({ model: endless(), managedAgents: [worker] });
  const { status, output: resumed } = await manager.resume(memoryLog({ events: events.slice(0, cut) })).result;
  expect([status, resumed]).toEqual(["success", String(output).replace("so far", "a guess")]);
});

test("a call that began before the budget was exhausted is made again after an interruption", async () => {
  // Timers are faked, so that the time limit does not fire before the resumed step begins.
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  const save = tool({
    name: "save",
    description: "Saves.",
    effects: "idempotent",
    execute: (_input, { attempt }) => attempt,
  });
  const code = "<code>finalAnswer(await save())</code>";
  const options = { model: endless(() => ({ text: code, usage })), tools: [save], budget: { durationMs: 1_000 } };
  const { log } = await new CodeAgent(options).run("Save.").result;
  const { events } = log as MemoryLog;
  const cut = events.findIndex(({ type }) => type === "tool-start") + 1;
  const slow = events.slice(0, cut).map((event) => ({ ...event, time: event.time + event.seq * 1_000 }));
  expect(await new CodeAgent(options).resume(memoryLog({ events: slow }))).toBe(2);
});

test("the time limit of a caller ends a managed agent between two of its calls", async () => {
  const beforeReply = () => void vi.setSystemTime(Date.now() + 60_000);
  const { asked, stops } = await workUnder({ durationMs: 100_000 }, { beforeReply });
  expect(asked).toBe(3);
  expect(stops.map(({ path, limit }) => [path.length, limit])).toEqual([[2, "durationMs"]]);
});

test("a worker that does not report its tokens fails a caller with a token limit", async () => {
  const { asked, status, error } = await workUnder({ tokens: 10_000 }, { told: null });
  expect([status, error?.code, asked]).toEqual(["failed", "invalid-option", 1]);
  expect(error?.message).toMatch(/budget\.tokens cannot be enforced: a model/);
});

const told: [limit: string, budget: Budget, options: Partial<CodeAgentOptions>, reason: string][] = [
  ["steps", {}, { maxSteps: 1 }, "No step is left."],
  ["tokens", { tokens: 50 }, {}, "The budget of tokens is used up."],
  ["costUsd", { costUsd: 0.01 }, {}, "The money for this task is used up."],
  ["toolCalls", { toolCalls: 1 }, { model: waiting, tools: [wait] }, "No tool call is left."],
  [
    "repeatedFailures",
    { repeatedFailures: 2 },
    { model: endless(() => "<code>nothing.here</code>") },
    "The same action failed again and again.",
  ],
];
test.each(told)("the request for the last answer names the limit: %s", async (_limit, budget, options, reason) => {
  const requests: ModelRequest[] = [];
  const { model = endless() } = options;
  const told: CodeAgentOptions["model"] = {
    id: "told",
    stream: (request, streamOptions) => {
      requests.push(request);
      return (model as Model).stream(request, streamOptions);
    },
  };
  await run(budget, { ...options, model: told });
  expect(textOf(requests.at(-1)?.messages.at(-1) ?? [])).toMatch(new RegExp(`^${reason} Give the best answer`));
});

const refused: [budget: unknown, message: RegExp][] = [
  [{ tokens: -1 }, /budget\.tokens is -1/],
  [{ tokens: "100" }, /budget\.tokens is 100/],
  [{ dollars: 1 }, /no option "dollars"/],
  [100, /budget is 100/],
];

test.each(refused)("the budget %o is refused, of an agent and of a run", (budget, message) => {
  expect(() => run(budget as Budget)).toThrow(message);
  expect(() => run({}, {}, { budget: budget as Budget })).toThrow(message);
});

test("a token limit also works for a model without stop sequences: its answer is read up to the usage", async () => {
  const events = [
    { type: "text-delta", text: "<code>finalAnswer(1)</code>" },
    { type: "text-delta", text: "<code>finalAnswer(2)</code>" },
    { type: "usage", usage },
    { type: "end", finishReason: "stop" },
  ] as const;
  const model: Model = { ...scriptedModel([{ events }]), capabilities: { stop: false } };
  const result = await run({ tokens: 1_000 }, { model }).result;
  expect(result).toMatchObject({ status: "success", output: 1, usage: { totalTokens: 100 } });
});
