import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { interpreter } from "@smolts/interpreter";
import { memoryLog } from "@smolts/memory";
import type { DurableEvent, Executor, ExecutorFactory, RunEvent, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const block = `<code>
const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
const order = [];
const lengths = await Promise.all(names.map((name, index) => look({ name, delay: (index * 5) % 8 }).then((value) => { order.push(name); return value; })));
print(order.join(""), Math.random(), Date.now());
const picked = await Promise.race([look({ name: "slow", delay: 9 }), look({ name: "fast", delay: 1 })]);
names.forEach(async (name) => { order.push((await look({ name, delay: 2 })).toUpperCase()); });
</code>`;
const last = "<code>finalAnswer([order, lengths, picked, Math.random(), new Date().getTime()])</code>";

interface World {
  readonly agent: CodeAgent;
  calls: number;
  asked: number;
}

function world(effects: "none" | "once" = "none"): World {
  const look = tool({
    name: "look",
    description: "Looks.",
    input: { name: "string", delay: "number" },
    effects,
    execute: async ({ name, delay }) => {
      made.calls++;
      await new Promise((resolve) => setTimeout(resolve, delay));
      return `${name}!`;
    },
  }) as Tool;
  const model = scriptedModel((_request, callNumber) => {
    made.asked++;
    return [block, last][callNumber - 1] ?? "no";
  });
  const made: World = { agent: new CodeAgent({ model, tools: [look] }), calls: 0, asked: 0 };
  return made;
}

async function eventsOf(log: { read(): AsyncIterable<DurableEvent> }): Promise<DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}

/** Records a run to its end. */
async function record(effects?: "once") {
  const recorded = world(effects);
  const { output, log, error } = await recorded.agent.run("Do it.").result;
  if (error) throw error;
  return { ...recorded, output, events: await eventsOf(log) };
}

const throughJson = (events: readonly DurableEvent[]): DurableEvent[] => JSON.parse(JSON.stringify(events));

const bytesAfter = (events: readonly RunEvent[], seq: number): string =>
  JSON.stringify(events.slice(seq).map(({ seq: _seq, time: _time, ...body }) => body));

test("a run with eight host calls at once replays from its log to the same bytes, and nothing is called", async () => {
  const { events, output, calls } = await record();
  expect(calls).toBe(18);
  const again = world();
  const log = memoryLog({ events: throughJson(events.slice(0, -1)) });
  const { output: replayed, status } = await again.agent.resume(log).result;
  expect(status).toBe("success");
  expect([again.calls, again.asked]).toEqual([0, 0]);
  expect(JSON.stringify(replayed)).toBe(JSON.stringify(output));
  const added = log.events.slice(events.length - 1);
  expect(added.map((event) => event.type)).toEqual(["run-resume", "run-end"]);
  expect(bytesAfter(added, 1)).toBe(bytesAfter(events, events.length - 1));
});

test("after a crash anywhere, a run continues to the same answer, and repeats no recorded call", async () => {
  const { events } = await record();
  for (let cut = 1; cut < events.length; cut++) {
    const kept = throughJson(events.slice(0, cut));
    const results = kept.filter((event) => event.type === "tool-result").length;
    const again = world();
    // The new process asks its model only for answers that are not recorded, so its script starts
    // after the recorded answers.
    const responses = kept.filter((event) => event.type === "model-response").length;
    const script = [block, last].slice(responses);
    const { output, error } = await again.agent
      .with({ model: scriptedModel(script) })
      .resume(memoryLog({ events: kept })).result;
    if (error) throw new Error(`cut after event ${cut}, ${kept.at(-1)?.type}`, { cause: error });
    expect((output as unknown[][])[1]).toEqual(["a!", "b!", "c!", "d!", "e!", "f!", "g!", "h!"]);
    expect(again.calls).toBe(18 - results);
  }
});

test("a run that has ended returns its recorded answer and calls nothing", async () => {
  const { events, output } = await record();
  const again = world();
  const log = memoryLog({ events: throughJson(events) });
  expect(await again.agent.resume(log)).toEqual(output);
  expect([again.calls, again.asked, log.events.length]).toEqual([0, 0, events.length]);
});

test("a program whose calls differ from the record is a divergence that shows both", async () => {
  const { events } = await record();
  const tampered = throughJson(events.slice(0, -1)).map((event) =>
    event.type === "tool-call" && event.callIndex === 3 && event.stepNumber === 1
      ? { ...event, args: [{ name: "x", delay: 0 }] }
      : event,
  );
  const again = world();
  await expect(again.agent.resume(memoryLog({ events: tampered }))).rejects.toMatchObject({
    code: "divergence",
    message: expect.stringMatching(/call 3.*"c".*"x"/s),
  });
  expect(again.calls).toBe(0);
});

test("a program whose output differs from the record is a divergence", async () => {
  const { events } = await record();
  const tampered = throughJson(events.slice(0, -1)).map((event) =>
    event.type === "console" ? { ...event, text: "other" } : event,
  );
  await expect(world().agent.resume(memoryLog({ events: tampered }))).rejects.toMatchObject({ code: "divergence" });
});

test("a call with effects that has no outcome is in doubt and is not repeated, and other calls continue", async () => {
  const { events } = await record("once");
  const started = events.findIndex((event) => event.type === "tool-start");
  const again = world("once");
  const inDoubt = events[started]?.type === "tool-start" ? events[started].callId : "";
  const { status, error, pending, log } = await again.agent.resume(
    memoryLog({ events: throughJson(events.slice(0, started + 1)) }),
  ).result;
  expect([status, error?.code]).toEqual(["suspended", "in-doubt"]);
  expect(pending).toMatchObject([{ kind: "doubt", id: inDoubt }]);
  const startsOfIt = (await eventsOf(log)).filter((event) => event.type === "tool-start" && event.callId === inDoubt);
  expect(startsOfIt).toHaveLength(1);
});

test("a block that was stopped replays to the same stop", async () => {
  const script = ["<code>let n = 0; while (true) n++;</code>", "<code>finalAnswer(n)</code>"];
  // The agent of the replay uses the default executor. Its limit is higher, so the block would run
  // longer if it did not stop as recorded.
  const executor = interpreter({ limits: { operations: 200_000 } });
  const first = new CodeAgent({ model: scriptedModel(script), executor });
  const { output, log } = await first.run("Count.").result;
  const kept = throughJson((await eventsOf(log)).slice(0, -1));
  const again = new CodeAgent({ model: scriptedModel([]) });
  expect(await again.resume(memoryLog({ events: kept }))).toBe(output);
  expect(output).toBeGreaterThan(1_000);
});

test("a session's earlier runs are replayed to restore the state for a later run", async () => {
  const script = [
    "<code>const base = await look({ name: 'x', delay: 1 }); finalAnswer(1)</code>",
    "<code>print(base)</code>",
    "<code>finalAnswer(base)</code>",
  ];
  const { agent } = world();
  const session = agent.with({ model: scriptedModel(script) }).session();
  await session.run("one");
  expect(await session.run("two")).toBe("x!");
  const events = await eventsOf(session.log);
  const cut = events.findLastIndex((event) => event.type === "step-end" && event.stepNumber === 1);
  const again = world();
  const model = scriptedModel(script.slice(2));
  expect(await again.agent.with({ model }).resume(memoryLog({ events: throughJson(events.slice(0, cut + 1)) }))).toBe(
    "x!",
  );
  expect(again.calls).toBe(0);
});

test("recorded tool calls of a message get their results from the log, and only the others are made", async () => {
  let calls = 0;
  const look = tool({
    name: "look",
    description: "Looks.",
    input: { n: "number" },
    effects: "none",
    execute: ({ n }) => {
      calls++;
      return n * 10;
    },
  }) as Tool;
  const script = [
    { toolCalls: [1, 2, 3].map((n) => ({ name: "look", input: { n } })) },
    { toolCalls: [{ name: "finalAnswer", input: { answer: "done" } }] },
  ];
  const { log } = await new ToolCallingAgent({ model: scriptedModel(script), tools: [look] }).run("Do it.").result;
  const events = await eventsOf(log);
  const firstResult = events.findIndex((event) => event.type === "tool-result");
  calls = 0;
  const again = new ToolCallingAgent({ model: scriptedModel(script.slice(1)), tools: [look] });
  expect(await again.resume(memoryLog({ events: throughJson(events.slice(0, firstResult + 1)) }))).toBe("done");
  expect(calls).toBe(2);
});

test("a log without a run of this agent is refused", async () => {
  await expect(world().agent.resume(memoryLog())).rejects.toMatchObject({ code: "log" });
});

test("if one JSON call is in doubt, the other calls of its message are made, and the run waits", async () => {
  let calls = 0;
  const send = tool({
    name: "send",
    description: "Sends.",
    input: { n: "number" },
    effects: "once",
    execute: ({ n }) => {
      calls++;
      return n;
    },
  }) as Tool;
  const script = [
    { toolCalls: [1, 2].map((n) => ({ name: "send", input: { n } })) },
    { toolCalls: [{ name: "finalAnswer", input: { answer: "done" } }] },
  ];
  const { log } = await new ToolCallingAgent({ model: scriptedModel(script), tools: [send] }).run("Do it.").result;
  const events = await eventsOf(log);
  const firstStart = events.findIndex((event) => event.type === "tool-start");
  calls = 0;
  const kept = memoryLog({ events: throughJson(events.slice(0, firstStart + 1)) });
  const again = new ToolCallingAgent({ model: scriptedModel([]), tools: [send] });
  await expect(again.resume(kept)).rejects.toMatchObject({ code: "in-doubt" });
  expect([calls, kept.events.at(-1)?.type]).toEqual([1, "run-suspend"]);
});

test("code of a sandbox that cannot replay is not run again, and the run stays open", async () => {
  const { events } = await record();
  const kept = memoryLog({ events: throughJson(events.slice(0, -1)) });
  const executor: ExecutorFactory = {
    language: "javascript",
    replay: "never",
    open: () => Promise.reject(new Error("opened")),
  };
  await expect(world().agent.with({ executor }).resume(kept)).rejects.toMatchObject({
    code: "executor",
    message: expect.stringContaining("cannot be rebuilt"),
  });
  expect(kept.events).toHaveLength(events.length - 1);
});

test("a run whose sandbox cannot be opened for its resume can be resumed later", async () => {
  const script = [
    "<code>const kept = 41; finalAnswer(kept)</code>",
    "<code>print(1)</code>",
    "<code>finalAnswer(kept + 1)</code>",
  ];
  const session = new CodeAgent({ model: scriptedModel(script) }).session();
  await session.run("one");
  await session.run("two");
  const events = await eventsOf(session.log);
  const cut = events.findLastIndex((event) => event.type === "step-end" && event.stepNumber === 1);
  const kept = memoryLog({ events: throughJson(events.slice(0, cut + 1)) });
  const agent = new CodeAgent({ model: scriptedModel(script.slice(2)) });
  const broken: ExecutorFactory = {
    language: "javascript",
    replay: "exact",
    open: () => Promise.reject(new Error("down")),
  };
  await expect(agent.with({ executor: broken }).resume(kept)).rejects.toMatchObject({ message: /down/ });
  expect(await agent.resume(memoryLog({ events: throughJson(kept.events) }))).toBe(42);
});

test("aborting a resume while it replays a block is an abort, not a divergence", async () => {
  const session = new CodeAgent({
    model: scriptedModel(["<code>finalAnswer(1)</code>", "<code>finalAnswer(2)</code>"]),
  }).session();
  await session.run("one");
  await session.run("two");
  const kept = memoryLog({ events: throughJson((await eventsOf(session.log)).slice(0, -1)) });
  const controller = new AbortController();
  const real = interpreter();
  const executor: ExecutorFactory = {
    ...real,
    open: async (options) => {
      const sandbox = await real.open(options);
      const execute: Executor["execute"] = (code, settings) => {
        controller.abort("enough");
        return sandbox.execute(code, settings);
      };
      return Object.assign(Object.create(sandbox), {
        start: sandbox.start.bind(sandbox),
        execute,
        [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
      });
    },
  };
  const run = new CodeAgent({ model: scriptedModel([]), executor }).resume(kept, { signal: controller.signal });
  expect((await run.result).error).toMatchObject({ code: "interrupted" });
});

test("the message of a finished step is not parsed again, so code that was not found then does not run now", async () => {
  const script = ["no code here", "<code>finalAnswer(1)</code>"];
  const { log } = await new CodeAgent({ model: scriptedModel(script) }).run("Do it.").result;
  const events = await eventsOf(log);
  const cut = events.findIndex((event) => event.type === "step-end") + 1;
  const tampered = throughJson(events.slice(0, cut)).map((event) =>
    event.type === "model-response"
      ? {
          ...event,
          message: { role: "assistant" as const, content: [{ type: "text" as const, text: "<code>print(2)</code>" }] },
        }
      : event,
  );
  const kept = memoryLog({ events: tampered });
  expect(await new CodeAgent({ model: scriptedModel(script.slice(1)) }).resume(kept)).toBe(1);
  expect(kept.events.slice(cut).filter((event) => event.type === "code-start")).toHaveLength(1);
});
