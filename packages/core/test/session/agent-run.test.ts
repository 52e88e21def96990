import { type AgentRun, CodeAgent, type CodeAgentOptions } from "@smolts/core";
import type { Executor, ExecutorFactory, RunEvent, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const replies = ["Thought.\n<code>print(1)</code>", "<code>finalAnswer(2)</code>"];
const start = (): AgentRun => new CodeAgent({ model: scriptedModel(replies) }).run("Do it.");

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

const isDurable = ({ type }: RunEvent): boolean => !type.endsWith("-delta");

test("the handle is returned immediately, and the run starts in the next microtask", async () => {
  const run = start();
  expect(run.id).toMatch(/./);
  expect(run.status).toBe("running");
  expect(run.steps).toEqual([]);
  expect(await run).toBe(2);
  expect(run.status).toBe("success");
});

test("a run is a promise", async () => {
  const run = start();
  let isOver = false;
  expect(await run.finally(() => (isOver = true)).then((answer) => [answer])).toEqual([2]);
  expect(isOver).toBe(true);
  expect(await Promise.all([start(), start()])).toEqual([2, 2]);
});

test("readers get every durable event, early or late, any number of them", async () => {
  const run = start();
  const [early, own] = await Promise.all([all(run.events()), all(run)]);
  const late = await all(run.events());
  expect(own).toEqual(early);
  expect(late).toEqual(early.filter(isDurable));
  expect(await all(run.events({ fromSeq: 5 }))).toEqual(late.slice(4));
  expect(late.at(-1)?.type).toBe("run-end");
});

test("leaving a reader does not disturb the run", async () => {
  const run = start();
  for await (const event of run.events()) if (event.type === "step-start") break;
  expect(await run).toBe(2);
});

test("leaving the loop over a run aborts it cleanly, with no second error", async () => {
  const run = start();
  for await (const event of run) if (event.type === "step-start") break;
  const { status, error, steps } = await run.result;
  expect([status, error?.code]).toEqual(["aborted", "interrupted"]);
  expect(steps.at(-1)?.type).toBe("action");
  expect((await all(run.events())).at(-1)).toMatchObject({ type: "run-end", status: "aborted" });
});

test("abort in the middle of a stream, with a reason, keeps what has happened", async () => {
  const model = scriptedModel([replies[0] as string, { text: "slow", delayMs: 60_000 }]);
  const run = new CodeAgent({ model }).run("Do it.");
  for await (const event of run.events()) {
    if (event.type === "step-start" && event.stepNumber === 2) run.abort("the user closed the page");
  }
  await expect(run).rejects.toMatchObject({
    code: "interrupted",
    message: expect.stringContaining("the user closed the page"),
  });
  expect(run.status).toBe("aborted");
  expect(run.steps.filter((step) => step.type === "action")).toHaveLength(2);
});

test("a signal aborts a run in the same way as abort()", async () => {
  const controller = new AbortController();
  const model = scriptedModel([{ text: "slow", delayMs: 60_000 }]);
  const run = new CodeAgent({ model }).run("Do it.", { signal: controller.signal });
  for await (const event of run.events()) if (event.type === "step-start") controller.abort(new Error("enough"));
  await expect(run).rejects.toMatchObject({ code: "interrupted", message: expect.stringContaining("enough") });
});

test("an abort during a tool call aborts the tool's signal and records the outcome as unknown", async () => {
  const wait = tool({
    name: "wait",
    description: "Waits.",
    effects: "once",
    execute: (_input, { signal }) => {
      queueMicrotask(() => run.abort());
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const run = new CodeAgent({ model: scriptedModel(["<code>await wait()</code>"]), tools: [wait] }).run("Do it.");
  const { status, log } = await run.result;
  expect(status).toBe("aborted");
  expect((await all(log.read())).find((event) => event.type === "tool-result")).toMatchObject({
    outcome: { type: "unknown" },
  });
});

test("a failure is thrown after the last event, only in the loop over the run itself", async () => {
  const run = new CodeAgent({ model: scriptedModel([]) }).run("Do it.");
  expect((await all(run.events())).at(-1)?.type).toBe("run-end");
  await expect(all(run)).rejects.toMatchObject({ code: "generation" });
  expect((await run.result).status).toBe("failed");
});

test("a run that nobody awaits causes no unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  await all(new CodeAgent({ model: scriptedModel([]) }).run("Do it.").events());
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test("textStream yields the text as it arrives, stepStream yields each complete step", async () => {
  const run = start();
  const [texts, steps] = await Promise.all([all(run.textStream()), all(run.stepStream())]);
  expect(texts.join("")).toContain("Thought.");
  expect(texts.length).toBeGreaterThan(3);
  expect(steps.map(({ type }) => type)).toEqual(["action", "action", "final-answer"]);
});

test("textStream and stepStream contain only the agent's own work, not that of its managed agents", async () => {
  const worker = new CodeAgent({
    model: scriptedModel(["Working.\n<code>print(1)</code>", "<code>finalAnswer(2)</code>"]),
    name: "worker",
    description: "Works.",
  });
  const model = scriptedModel(["Asking.\n<code>finalAnswer(await worker({ task: 'Do it.' }))</code>"]);
  const run = new CodeAgent({ model, managedAgents: [worker] }).run("Do it.");
  const [texts, steps] = await Promise.all([all(run.textStream()), all(run.stepStream())]);
  expect(texts.join("")).toMatch(/^Asking\./);
  expect(texts.join("")).not.toContain("Working");
  expect(steps.map(({ type }) => type)).toEqual(["action", "final-answer"]);
});

test("retries of the model are emitted as they happen, and the log does not keep them", async () => {
  const error = { code: "generation", message: "busy" } as const;
  const model = scriptedModel([
    {
      events: [
        { type: "retry", attempt: 1, delayMs: 5, error },
        { type: "text-delta", text: "<code>finalAnswer(1)</code>" },
        { type: "end", finishReason: "stop" },
      ],
    },
  ]);
  const run = new CodeAgent({ model }).run("Do it.");
  const events = await all(run);
  expect(events.find(({ type }) => type === "retry")).toMatchObject({ stepNumber: 1, attempt: 1, delayMs: 5, error });
  expect((await all(run.events())).some(({ type }) => type === "retry")).toBe(false);
});

test("a run's variables can be read after its end", async () => {
  const run = new CodeAgent({ model: scriptedModel(["<code>const rows = [1, 2, 3]; finalAnswer(1)</code>"]) }).run(
    "Do it.",
  );
  await run;
  expect(await run.variables()).toContainEqual(expect.objectContaining({ name: "rows", type: "number[]", size: 3 }));
});

test("disposing of a run aborts it and waits for its end", async () => {
  const run = new CodeAgent({ model: scriptedModel([{ text: "slow", delayMs: 60_000 }]) }).run("Do it.");
  await run[Symbol.asyncDispose]();
  expect(run.status).toBe("aborted");
});

let onStuck = (): void => {};
const stuck = (): Promise<never> => {
  onStuck();
  return new Promise(() => {});
};
const act = tool({ name: "act", description: "Acts.", effects: "none", execute: () => 1 });
const calling = scriptedModel(() => "<code>await act()</code>");

const heedless: [what: string, options: CodeAgentOptions][] = [
  ["a model", { model: stuck }],
  [
    "a model in the middle of its answer",
    {
      model: async function* () {
        yield "Thought.";
        await stuck();
      },
    },
  ],
  ["a tool's validation", { model: calling, tools: [{ ...act, parseInput: stuck } as Tool] }],
  ["a tool's question for approval", { model: calling, tools: [{ ...act, needsApproval: stuck } as Tool] }],
  ["the opening of a sandbox", { model: calling, executor: { language: "javascript", replay: "exact", open: stuck } }],
];

test.each(heedless)(
  "an abort ends a run that waits for %s, even if that ignores the signal",
  async (_what, options) => {
    const run = new CodeAgent(options).run("Do it.");
    onStuck = () => run.abort("enough");
    const { status, error } = await run.result;
    expect([status, error?.message]).toEqual(["aborted", "the run was aborted: enough"]);
    expect((await all(run.events())).at(-1)).toMatchObject({ type: "run-end", status: "aborted" });
  },
);

test("a run aborted before it starts leaves no trace, and aborting again changes nothing", async () => {
  const run = start();
  run.abort("too late");
  const { status, steps } = await run.result;
  run.abort("again");
  expect([status, run.status, steps]).toEqual(["aborted", "aborted", []]);
  expect(await all(run.events())).toEqual([]);
});

test.each([Object.create(null), Symbol("why"), null, () => 1])(
  "a run may be aborted with the reason %o",
  async (reason) => {
    const run = start();
    run.abort(reason);
    expect((await run.result).error).toMatchObject({
      code: "interrupted",
      message: expect.stringMatching(/^the run was aborted/),
    });
  },
);

test("a sandbox that cannot be closed does not disturb the result of a run", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const fail = () => Promise.reject(new Error("gone"));
  const sandbox: Executor = {
    start: async () => {},
    execute: async () => ({ type: "final-answer", args: [1], operations: 0, unawaited: [] }),
    deliver: async () => {},
    variables: fail,
    [Symbol.asyncDispose]: fail,
  };
  const executor: ExecutorFactory = { language: "javascript", replay: "exact", open: async () => sandbox };
  const run = new CodeAgent({ model: scriptedModel(replies), executor }).run("Do it.");
  expect(await run).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

test("a reader gets every event of each run from the first one, and the answer waits for it", async () => {
  const seen: string[] = [];
  let isDone = false;
  const reader = async (events: AsyncIterable<RunEvent>): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 20)); // simulates a reader that first loads its own code
    for await (const { type } of events) seen.push(type);
    await new Promise((resolve) => setTimeout(resolve, 20));
    isDone = true;
  };
  const agent = new CodeAgent({ model: scriptedModel([...replies, ...replies]), reader });
  expect(await agent.run("Do it.")).toBe(2);
  expect(isDone).toBe(true);
  expect(seen.at(0)).toBe("run-start");
  expect(seen).toContain("text-delta");
  expect(seen.at(-1)).toBe("run-end");
  await using session = agent.session();
  await session.run("Do it again.");
  expect(seen.filter((type) => type === "run-start")).toHaveLength(2);
});

test("a reader that fails or ends early does not affect the run", async () => {
  const failing = new CodeAgent({
    model: scriptedModel(replies),
    reader: async () => {
      throw new Error("the terminal is gone");
    },
  });
  expect(await failing.run("Do it.")).toBe(2);
  const leaving = new CodeAgent({
    model: scriptedModel(replies),
    reader: async (events) => {
      for await (const _ of events) break;
    },
  });
  expect((await leaving.run("Do it.").result).status).toBe("success");
});

test("the reader of a managed agent is not used, because its events are in its caller's run", async () => {
  const seen: string[] = [];
  const reader = async (events: AsyncIterable<RunEvent>): Promise<void> => {
    for await (const { type } of events) seen.push(type);
  };
  const model = scriptedModel(["<code>finalAnswer(1)</code>"]);
  const helper = new CodeAgent({ model, name: "helper", description: "Helps.", reader });
  const manager = new CodeAgent({
    model: scriptedModel(['<code>finalAnswer(await helper({ task: "Help." }))</code>']),
    managedAgents: [helper],
  });
  expect(await manager.run("Do it.")).toBe("1");
  expect(seen).toEqual([]);
});

test("an agent with a reader is saved without it", () => {
  const model = { ...scriptedModel([]), reference: { name: "ollama:qwen3" } };
  expect(new CodeAgent({ model, reader: async () => {} }).toJSON().options).toEqual({});
});
