import { type AgentOptions, CodeAgent, modelFromFunction, ToolCallingAgent } from "@smolts/core";
import { memoryLog } from "@smolts/memory";
import type { ActionStep, DurableEvent, EventOf, JsonValue, MemoryStep, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const code = (text: string): string => `<code>\n${text}\n</code>`;
const answering = (answer: JsonValue) => ({ toolCalls: [{ name: "finalAnswer", input: { answer } }] });
const calling = (...inputs: readonly JsonValue[]) => ({
  toolCalls: inputs.map((input) => ({ name: "search", input })),
});

/** A worker that answers with its task, so that two calls can be distinguished. */
const worker = (options: Partial<AgentOptions> = {}): CodeAgent =>
  new CodeAgent({
    name: "search",
    description: "Looks things up.",
    model: modelFromFunction((messages) => {
      const task = JSON.stringify(messages.at(-1)).match(/Find (\w+)/)?.[1];
      return code(`finalAnswer("found ${task}")`);
    }),
    ...options,
  });

const actionsOf = (steps: readonly MemoryStep[]): readonly ActionStep[] =>
  steps.filter((step) => step.type === "action");
const pathsOf = (events: readonly DurableEvent[]): readonly string[] => [
  ...new Set(events.map(({ path }) => path.join("/"))),
];

test("a tool-calling manager sees the report of its agent", async () => {
  const model = scriptedModel([calling({ task: "Find Mars" }), answering("Final report.")]);
  const run = new ToolCallingAgent({ model, managedAgents: [worker()] }).run("Report on Mars.");
  expect(await run).toBe("Final report.");
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("found Mars");
});

test("a code manager calls its agent as a function that returns a text", async () => {
  const model = scriptedModel([
    code('const report = await search({ task: "Find Mars" });\nprint(report)'),
    code("finalAnswer(report.toUpperCase())"),
  ]);
  const run = new CodeAgent({ model, managedAgents: [worker()] }).run("Report on Mars.");
  expect(await run).toBe("FOUND MARS");
  expect(JSON.stringify(model.requests[0])).toMatch(/declare function search\(input: .*task: string.*Promise<string>/);
});

test("both tools and managed agents are offered to the model", async () => {
  const lookUp = tool({ name: "lookUp", description: "Looks up.", execute: () => 1 }) as Tool;
  const model = scriptedModel([answering(1)]);
  await new ToolCallingAgent({ model, tools: [lookUp], managedAgents: [worker()] }).run("Do it.");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["lookUp", "search", "finalAnswer"]);
});

test("a managed agent's events are in its caller's stream and log, under the path of the call", async () => {
  const model = scriptedModel([calling({ task: "Find Mars" }), answering("done")]);
  const log = memoryLog();
  const session = new ToolCallingAgent({ model, name: "manager", managedAgents: [worker()] }).session({ log });
  const seen: DurableEvent[] = [];
  for await (const event of session.run("Report.")) if (event.type !== "text-delta") seen.push(event as DurableEvent);
  expect(pathsOf(log.events)).toEqual(["manager", "manager/search#1.1"]);
  expect(seen.filter(({ path }) => path.length === 2).map(({ type }) => type)).toContain("code-end");
  const starts = log.events.filter((event): event is EventOf<"run-start"> => event.type === "run-start");
  expect(starts.map(({ parentCallId }) => parentCallId)).toEqual([undefined, "manager/1.1"]);
});

test("the stream of the caller's run has the deltas of a managed agent, under its path", async () => {
  const model = scriptedModel([calling({ task: "Find Mars" }), answering("done")]);
  const deltas: string[] = [];
  for await (const event of new ToolCallingAgent({ model, managedAgents: [worker()] }).run("Report.")) {
    if (event.type === "code-delta") deltas.push(event.path.join("/"));
  }
  expect(deltas).toContain("agent/search#1.1");
});

test("two parallel calls of one agent do not mix (smolagents mixes them)", async () => {
  const model = scriptedModel([calling({ task: "Find Mars" }, { task: "Find Venus" }), answering("done")]);
  const run = new ToolCallingAgent({ model, managedAgents: [worker()] }).run("Report.");
  await run;
  const outcomes = actionsOf(run.steps)[0]?.toolCalls.map(({ outcome }) => outcome);
  expect(outcomes).toMatchObject([{ value: "found Mars" }, { value: "found Venus" }]);
});

test("agents are called in parallel from code, and a fault of one is caught there", async () => {
  const failing = worker({ name: "failing", model: scriptedModel([]) });
  const model = scriptedModel([
    code(`const [found, failed] = await Promise.allSettled([search({ task: "Find Mars" }), failing({ task: "Find Venus" })]);
finalAnswer([found.value, failed.reason.message])`),
  ]);
  const answer = await new CodeAgent({ model, managedAgents: [worker(), failing] }).run("Report.");
  expect(answer).toEqual(["found Mars", expect.stringContaining('the agent "failing" failed')]);
});

test("a result has its agents' usage in its totals, and as a tree (smolagents leaves it out)", async () => {
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  const itsModel = scriptedModel([{ text: code('finalAnswer("found")'), usage }]);
  const model = scriptedModel([
    { ...calling({ task: "Find Mars" }), usage },
    { ...answering("done"), usage },
  ]);
  const { usage: tree } = await new ToolCallingAgent({ model, managedAgents: [worker({ model: itsModel })] }).run("Go.")
    .result;
  expect([tree?.totalTokens, tree?.own.totalTokens, tree?.agents[0]?.totalTokens]).toEqual([45, 30, 15]);
  expect(tree?.agents[0]?.path).toEqual(["agent", "search#1.1"]);
});

test("a summary of the work is between its markers, and only present on request", async () => {
  const reports = await Promise.all(
    [true, false].map(async (provideRunSummary) => {
      const run = new ToolCallingAgent({
        model: scriptedModel([calling({ task: "Find Mars" }), answering("done")]),
        managedAgents: [worker({ provideRunSummary })],
      }).run("Go.");
      await run;
      return JSON.stringify(actionsOf(run.steps)[0]?.toolCalls[0]?.outcome);
    }),
  );
  expect(reports[0]).toMatch(/found Mars\\n\\n<summary_of_work>\\nfinalAnswer.*<\/summary_of_work>/);
  expect(reports[1]).not.toContain("summary_of_work");
});

test("memory is fresh with each call, or kept from call to call", async () => {
  const counts = await Promise.all(
    (["fresh", "keep"] as const).map(async (memory) => {
      const replies = [code("const count = 1; finalAnswer(count)"), code("finalAnswer(typeof count)")];
      const search = worker({ model: scriptedModel(replies) }).asTool({ memory });
      const model = scriptedModel([calling({ task: "Find 1" }), calling({ task: "Find 2" }), answering("done")]);
      const run = new ToolCallingAgent({ model, tools: [search] }).run("Go.");
      await run;
      return actionsOf(run.steps)[1]?.toolCalls[0]?.outcome;
    }),
  );
  expect(counts).toMatchObject([{ value: "undefined" }, { value: "number" }]);
});

test("calls of an agent that keeps its memory go one after the other, in their order", async () => {
  const asked: number[] = [];
  const search = worker({
    model: modelFromFunction((messages) => {
      asked.push(messages.length);
      return code("finalAnswer(1)");
    }),
  }).asTool({ memory: "keep" });
  const model = scriptedModel([calling({ task: "Find 1" }, { task: "Find 2" }, { task: "Find 3" }), answering("done")]);
  await new ToolCallingAgent({ model, tools: [search] }).run("Go.");
  expect(asked).toEqual([2, 4, 6]);
});

test("an agent that takes longer than the time limit of tools is not cut off", async () => {
  expect(worker().asTool().timeoutMs).toBe(0);
});

test("an abort reaches the managed agents, and all of them end in the log", async () => {
  const hanging = worker({ model: modelFromFunction(() => new Promise<never>(() => {})) });
  const model = scriptedModel([calling({ task: "Find Mars" }, { task: "Find Venus" })]);
  const run = new ToolCallingAgent({ model, managedAgents: [hanging] }).run("Go.");
  let atWork = 0;
  for await (const event of run.events()) {
    if (event.type === "step-start" && event.path.length > 1 && ++atWork === 2) run.abort("enough");
  }
  const { status, log } = await run.result;
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  const ends = events.filter((event): event is EventOf<"run-end"> => event.type === "run-end");
  const [last, ...others] = ends.map(({ path, status: how }) => `${path.at(-1)} ${how}`).toReversed();
  expect([status, last, others.toSorted()]).toEqual([
    "aborted",
    "agent aborted",
    ["search#1.1 aborted", "search#1.2 aborted"],
  ]);
});

test("a worker that never answers ends at its own limit, and says so", async () => {
  const model = scriptedModel([calling({ task: "Find Mars" }), answering("done")]);
  const restless = worker({ model: modelFromFunction(() => code("1")), maxSteps: 3 });
  const run = new ToolCallingAgent({ model, managedAgents: [restless] }).run("Go.");
  expect(await run).toBe("done");
  expect(JSON.stringify(actionsOf(run.steps)[0]?.observation)).toContain("stopped by a limit");
});

test("a managed agent finds additionalArgs as variables", async () => {
  const search = worker({ model: scriptedModel([code("finalAnswer(String(table.length))")]) });
  const model = scriptedModel([
    code('finalAnswer(await search({ task: "Count the rows", additionalArgs: { table: [1, 2, 3] } }))'),
  ]);
  expect(await new CodeAgent({ model, managedAgents: [search] }).run("Go.")).toBe("3");
});

test("managed agents manage agents themselves", async () => {
  const team = new CodeAgent({
    name: "team",
    description: "Leads a search.",
    model: scriptedModel([code('finalAnswer(await search({ task: "Find Mars" }))')]),
    managedAgents: [worker({ model: scriptedModel([code('finalAnswer("found Mars")')]) })],
  });
  const model = scriptedModel([code('finalAnswer(await team({ task: "Find it" }))')]);
  const { output, usage } = await new CodeAgent({ model, managedAgents: [team] }).run("Go.").result;
  expect([output, usage?.agents[0]?.agents[0]?.path.join("/")]).toEqual(["found Mars", "agent/team#1.1/search#1.1"]);
});

const refused: [what: string, options: () => Partial<AgentOptions>, message: RegExp][] = [
  ["no name", () => ({ managedAgents: [worker({ name: undefined as never })] }), /has no name/],
  ["no description", () => ({ managedAgents: [worker({ description: "" })] }), /has no description/],
  ["the name of another agent", () => ({ managedAgents: [worker(), worker()] }), /two agents have the name "search"/],
  [
    "the name of a tool",
    () => ({
      tools: [tool({ name: "search", description: "Searches.", execute: () => 1 }) as Tool],
      managedAgents: [worker()],
    }),
    /a tool and an agent have the name "search"/,
  ],
  ["nothing in its place", () => ({ managedAgents: [undefined as never] }), /managedAgents\[0\] is undefined/],
];

test.each(refused)("an agent with %s is refused at construction", (_what, options, message) => {
  expect(() => new CodeAgent({ model: scriptedModel([]), ...options() })).toThrow(message);
});

test("two agents may have tools of the same name", async () => {
  const lookUp = tool({ name: "lookUp", description: "Looks up.", execute: () => 1 }) as Tool;
  const agents = ["one", "two"].map((name) => worker({ name, tools: [lookUp] }));
  expect(() => new CodeAgent({ model: scriptedModel([]), managedAgents: agents })).not.toThrow();
});

test("agents cannot manage each other in a circle: the list is read once", () => {
  const list: CodeAgent[] = [];
  const first = new CodeAgent({ model: scriptedModel([]), name: "first", description: "First.", managedAgents: list });
  const second = worker({ name: "second", managedAgents: [first] });
  list.push(second);
  expect(() => new CodeAgent({ model: scriptedModel([]), managedAgents: [second] })).not.toThrow();
});

test("a run that cannot continue in one agent ends after its parallel calls, and nothing starts after its end", async () => {
  const done: string[] = [];
  const act = (name: string, ms: number) =>
    tool({
      name,
      description: "Acts.",
      input: {},
      effects: "once",
      execute: async () => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        done.push(name);
      },
    }) as Tool;
  const clerkCalls = scriptedModel([{ toolCalls: [{ name: "pay", input: {} }] }, answering("paid")]);
  const clerk = new ToolCallingAgent({
    name: "clerk",
    description: "Pays.",
    model: clerkCalls,
    tools: [act("pay", 0)],
  });
  const both = {
    toolCalls: [
      { name: "clerk", input: { task: "Pay." } },
      { name: "slow", input: {} },
    ],
  };
  const agent = new ToolCallingAgent({
    model: scriptedModel([both, answering("done")]),
    tools: [act("slow", 30)],
    managedAgents: [clerk],
  });
  const { log } = await agent.run("Go.").result;
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  const isOfPay = ({ path }: DurableEvent): boolean => path.length > 1;
  const began = events.findIndex((event) => event.type === "tool-start" && isOfPay(event));
  const isOfSlow = (event: DurableEvent): boolean =>
    (event.type === "tool-start" || event.type === "tool-result") && event.callId === "agent/1.2";
  const kept = events.slice(0, began + 1).filter((event) => !isOfSlow(event));
  const cut = memoryLog({ events: kept.map((event, index) => ({ ...event, seq: index + 1 })) });
  done.length = 0;
  expect((await agent.resume(cut).result).error?.code).toBe("in-doubt");
  expect(done).toEqual(["slow"]);
});

test("a run that was interrupted in a managed agent continues there, and repeats no call", async () => {
  let calls = 0;
  const count = tool({ name: "count", description: "Counts.", execute: () => ++calls }) as Tool;
  const searchReplies = [code("const first = await count();"), code("finalAnswer(first + (await count()))")];
  const team = (replies: readonly string[], answers: readonly object[]): ToolCallingAgent =>
    new ToolCallingAgent({
      model: scriptedModel(answers as never),
      managedAgents: [worker({ model: scriptedModel(replies), tools: [count] })],
    });
  const whole = await team(searchReplies, [calling({ task: "Find it" }), answering("done")]).run("Go.").result;
  const events: DurableEvent[] = [];
  for await (const event of whole.log.read()) events.push(event);
  for (let length = 1; length < events.length; length++) {
    const before = events.slice(0, length);
    const begun = before.filter(({ type }) => type === "tool-start").length;
    const ended = before.filter((event) => event.type === "tool-result" && event.path.length === 2).length;
    if (begun > ended) continue; // the call is in doubt, and another rule applies
    calls = ended;
    const known = before.filter(({ type, path }) => type === "model-response" && path.length === 2).length;
    const knownAnswers = before.filter(({ type, path }) => type === "model-response" && path.length === 1).length;
    const again = team(
      searchReplies.slice(known),
      [calling({ task: "Find it" }), answering("done")].slice(knownAnswers),
    );
    const { status, output } = await again.resume(memoryLog({ events: before })).result;
    expect([length, status, output, calls]).toEqual([length, "success", "done", 2]);
  }
});
