import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import {
  AgentError,
  type EventOf,
  type Executor,
  type ExecutorFactory,
  type RunEvent,
  type Tool,
  type ToolContext,
} from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

/**
 * Calls `tools` from one block of code, whose answer reports the outcome. Returns the answer and
 * the log.
 */
async function callFromCode(tools: readonly Tool[], source: string) {
  const block = `<code>let got; try { got = ${source} } catch (error) { got = { name: error.name, message: error.message, hint: error.hint } }\nfinalAnswer(got)</code>`;
  const { output, log, error } = await new CodeAgent({ model: scriptedModel([block]), tools }).run("Do it.").result;
  if (error) throw error;
  const events: RunEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return { output: output as { name: string; message: string; hint?: string }, events };
}

const ofType = <Type extends RunEvent["type"]>(events: readonly RunEvent[], type: Type): EventOf<Type>[] =>
  events.filter((event): event is EventOf<Type> => event.type === type);

const plain = (execute: (input: { value?: unknown }, context: ToolContext) => unknown, more: object = {}): Tool =>
  tool({ name: "act", description: "Acts.", input: { value: "any?" }, effects: "none", execute, ...more }) as Tool;

test("a tool gets a copy of its arguments, and code gets a copy of the result", async () => {
  const given: unknown[] = [];
  const { output } = await callFromCode(
    [plain(({ value }) => given.push(value) && { made: new Map([["n", 10n]]), when: new Date(0) })],
    'await act({ value: { deep: [1, new Set(["a"])] } }).then(({ made, when }) => [made.get("n"), when.getTime()])',
  );
  expect(output).toEqual([10n, 0]);
  expect(given).toEqual([{ deep: [1, new Set(["a"])] }]);
});

const failing: [what: string, execute: () => unknown, message: RegExp][] = [
  [
    "throws an error",
    () => {
      throw new RangeError("no such row");
    },
    /no such row/,
  ],
  [
    "throws a text",
    () => {
      throw "just text";
    },
    /just text/,
  ],
  [
    "throws nothing",
    () => {
      throw undefined;
    },
    /./,
  ],
  ["rejects", () => Promise.reject(new Error("rejected")), /rejected/],
  [
    "gives a cycle",
    () => {
      const cycle: { self?: unknown } = {};
      cycle.self = cycle;
      return cycle;
    },
    /value\["self"\] is a cycle/,
  ],
  ["gives a function", () => ({ run: () => 1 }), /value\["run"\] is a function/],
  ["gives a class instance", () => new (class Row {})(), /instance of Row/],
];

test.each(failing)(
  "for a tool that %s the program can catch an error, and the run continues",
  async (_what, execute, message) => {
    const { output, events } = await callFromCode([plain(execute)], "await act()");
    expect(output.message).toMatch(message);
    expect(ofType(events, "tool-result")[0]).toMatchObject({
      outcome: { type: "error", error: { code: "tool-execution" } },
    });
    expect(ofType(events, "run-end")[0]).toMatchObject({ status: "success" });
  },
);

test("an error of a tool goes to the log without stack, cause and extra fields, cut at 2 kB", async () => {
  const leaky = Object.assign(new Error(`boom ${"x".repeat(10_000)}`, { cause: new Error("SECRET-CAUSE") }), {
    config: "SECRET-CONFIG",
  });
  const { events } = await callFromCode([plain(() => Promise.reject(leaky))], "await act()");
  const text = JSON.stringify(events);
  expect(text).toContain("boom");
  expect(text).not.toMatch(/SECRET|call-tool\.test/);
  expect(ofType(events, "tool-result")[0]?.outcome).toMatchObject({
    error: { message: expect.stringMatching(/^.{20,2100}$/s) },
  });
});

test("a result of 10 MB is complete for the program and in the log, and cut for the model", async () => {
  const big = tool({ name: "big", description: "Gives much.", effects: "none", execute: () => "x".repeat(10_000_000) });
  const model = scriptedModel([
    "<code>const text = await big(); print(text.length); text</code>",
    "<code>finalAnswer(text.length)</code>",
  ]);
  const run = new CodeAgent({ model, tools: [big] }).run("Do it.");
  expect(await run).toBe(10_000_000);
  expect(JSON.stringify(model.requests[1]?.messages).length).toBeLessThan(40_000);
});

test("a hanging tool is stopped at its time limit, which the message names", async () => {
  const { output, events } = await callFromCode([plain(() => new Promise(() => {}), { timeoutMs: 30 })], "await act()");
  expect(output.message).toMatch(/30 ms/);
  expect(ofType(events, "tool-result")[0]?.outcome.type).toBe("error");
});

test("a hanging tool with effects may have happened, and the same call is not made again without approval", async () => {
  let calls = 0;
  const hang = plain(
    () => {
      calls++;
      return new Promise(() => {});
    },
    { timeoutMs: 30, effects: "once" },
  );
  const model = scriptedModel(["<code>await act({ value: 1 }).catch(() => act({ value: 1 }))</code>"]);
  const { status, pending, log } = await new CodeAgent({ model, tools: [hang] }).run("Do it.").result;
  const events: RunEvent[] = [];
  for await (const event of log.read()) events.push(event);
  expect(ofType(events, "tool-result").map(({ outcome }) => outcome.type)).toEqual(["unknown"]);
  expect([status, pending?.map(({ name, each }) => [name, each])]).toEqual(["suspended", [["act", true]]]);
  expect(calls).toBe(1);
});

test("the time limit reaches the tool as a signal", async () => {
  let reason: unknown;
  const polite = plain(
    (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          reject(signal.reason);
        });
      }),
    { timeoutMs: 20 },
  );
  await callFromCode([polite], "await act()");
  expect(AgentError.is(reason)).toBe(true);
});

const search = tool({
  name: "webSearch",
  description: "Searches.",
  input: { query: "string", limit: "integer?" },
  effects: "none",
  execute: ({ query, limit }) => `${query}/${limit ?? "-"}`,
}) as Tool;

const positional: [source: string, output: unknown][] = [
  ['await webSearch({ query: "a" })', "a/-"],
  ['await webSearch("a")', "a/-"],
  ['await webSearch({ query: "a", limit: 2 })', "a/2"],
];

test.each(positional)("%s is understood", async (source, output) => {
  expect((await callFromCode([search], source)).output).toBe(output);
});

const misused: [source: string, code: string, message: RegExp][] = [
  ['await webSearch("a", 3)', "tool-input", /\{ query/],
  ["await webSearch({ qery: 'a' })", "tool-input", /query/],
  ["await webSearch({ query: 3 })", "tool-input", /query[\s\S]*3|3[\s\S]*query/],
  ["await webSearch()", "tool-input", /query/],
];

test.each(misused)("%s is refused before it begins", async (source, code, message) => {
  const { output, events } = await callFromCode([search], source);
  expect(`${output.message}\n${output.hint}`).toMatch(message);
  expect(ofType(events, "tool-result")[0]?.outcome).toMatchObject({ type: "refused", error: { code } });
  expect(ofType(events, "tool-start")).toEqual([]);
});

test("an unknown tool in JSON is refused with the nearest name", async () => {
  const model = scriptedModel([
    { toolCalls: [{ name: "web_serch", input: { query: "a" } }] },
    { toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] },
  ]);
  await new ToolCallingAgent({ model, tools: [search] }).run("Do it.");
  expect(JSON.stringify(model.requests[1]?.messages)).toMatch(/did you mean \\"webSearch\\"/);
});

test("the beginning of an effect is recorded with its key before the tool runs; a tool without effects has no such record", async () => {
  const order: string[] = [];
  const seen = (name: string, effects: "none" | "once") =>
    tool({
      name,
      description: "Acts.",
      input: { n: "number" },
      effects,
      execute: (_input, { idempotencyKey }) => void order.push(`${name} ${idempotencyKey}`),
    });
  const { events } = await callFromCode(
    [seen("look", "none"), seen("send", "once")] as Tool[],
    "[await look({ n: 1 }), await send({ n: 1 }), await send({ n: 1 })].length",
  );
  const starts = ofType(events, "tool-start");
  expect(starts.map(({ effects, attempt, generation, input }) => [effects, attempt, generation, input])).toEqual([
    ["once", 1, 1, { n: 1 }],
    ["once", 1, 1, { n: 1 }],
  ]);
  expect(new Set(starts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  expect(order.slice(1)).toEqual(starts.map(({ idempotencyKey }) => `send ${idempotencyKey}`));
});

test("calls are numbered in the order in which they were made, refused ones too", async () => {
  const { events } = await callFromCode(
    [search],
    'await Promise.allSettled([webSearch({ query: "a" }), webSearch(), webSearch({ query: "b" })]).then((all) => all.length)',
  );
  expect(ofType(events, "tool-call").map(({ callId, callIndex }) => [callId, callIndex])).toEqual([
    ["agent/1.1", 1],
    ["agent/1.2", 2],
    ["agent/1.3", 3],
  ]);
});

test("at most maxParallelToolCalls run at the same time, and all are done", async () => {
  let running = 0;
  let most = 0;
  let three = (): void => {};
  const whenThree = new Promise<void>((resolve) => {
    three = resolve;
  });
  const work = plain(async () => {
    most = Math.max(most, ++running);
    if (running === 3) three();
    await whenThree;
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  });
  const model = scriptedModel([
    "<code>finalAnswer((await Promise.all(Array.from({ length: 9 }, (_, i) => act({ value: i })))).length)</code>",
  ]);
  expect(await new CodeAgent({ model, tools: [work], maxParallelToolCalls: 3 }).run("Do it.")).toBe(9);
  expect(most).toBe(3);
});

test("finalAnswer cancels waiting calls and lets running calls finish", async () => {
  const work = plain(() => new Promise((resolve) => setTimeout(() => resolve("done"), 10)));
  const model = scriptedModel(["<code>for (let i = 0; i < 3; i++) act({ value: i }); finalAnswer(1)</code>"]);
  const { output, log } = await new CodeAgent({ model, tools: [work], maxParallelToolCalls: 1 }).run("Do it.").result;
  const events: RunEvent[] = [];
  for await (const event of log.read()) events.push(event);
  expect(output).toBe(1);
  expect(
    ofType(events, "tool-result")
      .map(({ outcome }) => outcome.type)
      .sort(),
  ).toEqual(["cancelled", "cancelled", "ok"]);
});

test("readers of the run get progress, and the log does not keep it", async () => {
  const work = plain((_input, { emit }) => {
    const progress = { done: 0.5 };
    emit(progress);
    progress.done = 1;
  });
  const run = new CodeAgent({ model: scriptedModel(["<code>await act(); finalAnswer(1)</code>"]), tools: [work] }).run(
    "Do it.",
  );
  const progress: unknown[] = [];
  for await (const event of run) if (event.type === "tool-progress") progress.push(event.data);
  expect(progress).toEqual([{ done: 0.5 }]);
});

test("progress that is not JSON disturbs neither the call nor its readers", async () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const work = plain((_input, { emit }) => {
    for (const data of [cycle, 1n, undefined]) emit(data as never);
    return "done";
  });
  const run = new CodeAgent({ model: scriptedModel(["<code>finalAnswer(await act())</code>"]), tools: [work] }).run(
    "Do it.",
  );
  const progress: unknown[] = [];
  for await (const event of run) if (event.type === "tool-progress") progress.push(event.data);
  expect(progress).toEqual(Array(3).fill("(progress that is not JSON)"));
  expect(await run).toBe("done");
});

test("a tool finds the caller's metadata in its context, a run's own before the agent's", async () => {
  const seen: unknown[] = [];
  const look = plain((_input, { metadata }) => void seen.push(metadata));
  const agent = new CodeAgent({
    model: scriptedModel(() => "<code>await act(); finalAnswer(1)</code>"),
    tools: [look],
    metadata: "agent's",
  });
  await agent.run("Do it.");
  await agent.run("Do it.", { metadata: "run's" });
  expect(seen).toEqual(["agent's", "run's"]);
});

test("a time limit that is longer than a timer can wait means no limit", async () => {
  const slow = () => new Promise((resolve) => setTimeout(() => resolve("done"), 10));
  const { output } = await callFromCode([plain(slow, { timeoutMs: 3e9 })], "await act({})");
  expect(output).toBe("done");
});

test("two hundred parallel calls cause no warning about a leak", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", note);
  const source =
    "<code>finalAnswer((await Promise.all(Array.from({ length: 200 }, (_, i) => act({ value: i })))).length)</code>";
  const act = plain(() => new Promise((resolve) => setTimeout(resolve, 1)));
  const agent = new CodeAgent({ model: scriptedModel([source]), tools: [act], maxParallelToolCalls: 0 });
  expect(await agent.run("Do it.")).toBe(200);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  expect(warnings).toEqual([]);
});

test("a call that is running when the sandbox fails finishes before the run ends", async () => {
  const failing: Executor = {
    start: async () => {},
    execute: async (_code, { onCall }) => {
      onCall({ callIndex: 1, name: "act", args: [{}] });
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Error("the sandbox died");
    },
    deliver: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const executor: ExecutorFactory = { language: "javascript", replay: "exact", open: async () => failing };
  const act = plain(() => new Promise((resolve) => setTimeout(resolve, 30)));
  const run = new CodeAgent({ model: scriptedModel(["<code>act({})</code>"]), tools: [act], executor }).run("Do it.");
  const { log, error } = await run.result;
  const types: string[] = [];
  for await (const event of log.read()) types.push(event.type);
  expect(error).toMatchObject({ code: "executor", message: expect.stringContaining("the sandbox died") });
  expect(types.slice(-3)).toEqual(["tool-call", "tool-result", "run-end"]);
});
