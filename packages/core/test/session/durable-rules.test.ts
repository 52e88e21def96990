// Rules that hold for a log no matter which process continues it. Each test breaks one thing that a
// crash, a clock, a network or another version could break.

import { type ApprovalPolicy, CodeAgent, type MultiStepAgent, ToolCallingAgent } from "@smolts/core";
import { interpreter } from "@smolts/interpreter";
import { type MemoryLog, memoryLog, memoryStore } from "@smolts/memory";
import type { DurableEvent, ExecutionResult, ExecutorFactory, RunLog, Tool, ToolEffects } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const code = (text: string): string => `<code>\n${text}\n</code>`;
const call = (name: string, input: object = {}) => ({ toolCalls: [{ name, input: input as never }] });

async function eventsOf(log: RunLog): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}

/**
 * Returns the log as a crash would leave it: up to the first event for which `fits` returns true.
 */
async function cutAfter(log: RunLog, fits: (event: DurableEvent) => boolean): Promise<MemoryLog> {
  const events = await eventsOf(log);
  return memoryLog({ events: events.slice(0, events.findIndex(fits) + 1) });
}

function spied(name: string, effects: ToolEffects, execute: (input: unknown) => unknown = () => "done") {
  const keys: string[] = [];
  const made = tool({
    name,
    description: `Does ${name}.`,
    effects,
    input: {},
    execute: (input, context) => {
      keys.push(context.idempotencyKey);
      return execute(input);
    },
  }) as Tool;
  return { tool: made, keys };
}

test("only the end of a root run waits until the log is safe, not that of a managed agent that failed", async () => {
  const log = memoryLog();
  const flushedAfter: string[] = [];
  const watched: RunLog = {
    ...log,
    flush: async () => {
      const last = log.events.at(-1);
      flushedAfter.push(`${last?.type} ${last?.path.join("/")}`);
    },
  };
  const helper = new CodeAgent({ model: scriptedModel([]), name: "helper", description: "Fails." });
  const model = scriptedModel([call("helper", { task: "Go." }), call("finalAnswer", { answer: 1 })]);
  await using session = new ToolCallingAgent({ model, managedAgents: [helper] }).session({ log: watched });
  expect(await session.run("Go.")).toBe(1);
  expect(flushedAfter).toEqual(["run-end agent"]);
});

test("an event of a newer version is refused, and nothing is added", async () => {
  const { log } = await new CodeAgent({ model: scriptedModel([code("1")]) }).run("Go.").result;
  const events = [...(await eventsOf(log))];
  const newer = memoryLog({ events: [...events, { ...events[0], type: "teleport", seq: events.length + 1 } as never] });
  const { error } = await new CodeAgent({ model: scriptedModel([]) }).resume(newer).result;
  expect([error?.code, error?.message]).toEqual(["log-version", expect.stringContaining('"teleport"')]);
  expect(newer.events).toHaveLength(events.length + 1);
});

test.each([
  ["a reset connection", Object.assign(new Error("read"), { code: "ECONNRESET" })],
  ["a fetch whose socket broke", new TypeError("fetch failed", { cause: { code: "UND_ERR_SOCKET" } })],
  ["a time limit of its own", new DOMException("The operation timed out", "TimeoutError")],
  ["a tool that says so itself", Object.assign(new Error("no answer"), { code: "in-doubt" })],
])(
  "after %s the outcome of a call with an effect is unknown, and repeating it needs a person",
  async (_how, thrown) => {
    const failing = (effects: ToolEffects) =>
      spied("send", effects, () => {
        throw thrown;
      });
    const once = failing("once");
    const script = [call("send"), call("send"), call("finalAnswer", { answer: 1 })];
    const { status, log, pending } = await new ToolCallingAgent({
      model: scriptedModel(script),
      tools: [once.tool],
    }).run("Go.").result;
    const [first] = (await eventsOf(log)).filter((event) => event.type === "tool-result");
    expect(first).toMatchObject({
      outcome: { type: "unknown", error: { message: expect.stringContaining("may or may not have happened") } },
    });
    expect([status, pending?.length, once.keys.length]).toEqual(["suspended", 1, 1]);

    const harmless = failing("none");
    const agent = new ToolCallingAgent({ model: scriptedModel(script), tools: [harmless.tool] });
    expect(await agent.run("Go.")).toBe(1);
    expect(harmless.keys).toHaveLength(2);
  },
);

test("a call whose connection was refused counts as not made", async () => {
  const refused = spied("send", "once", () => {
    throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  });
  const script = [call("send"), call("send"), call("finalAnswer", { answer: 1 })];
  expect(await new ToolCallingAgent({ model: scriptedModel(script), tools: [refused.tool] }).run("Go.")).toBe(1);
  expect(refused.keys).toHaveLength(2);
});

test("a managed agent's call with unknown outcome also needs a person in its caller, even after a resume", async () => {
  const { tool: send, keys } = spied("send", "once", () => {
    throw Object.assign(new Error("read"), { code: "ECONNRESET" });
  });
  const helperScript = [call("send"), call("finalAnswer", { answer: "tried" })];
  const agent = (script: object[], helper: object[]) =>
    new ToolCallingAgent({
      model: scriptedModel(script as never),
      tools: [send],
      managedAgents: [
        new ToolCallingAgent({
          model: scriptedModel(helper as never),
          tools: [send],
          name: "helper",
          description: "Sends.",
        }),
      ],
    });
  const script = [call("helper", { task: "Send." }), call("send"), call("finalAnswer", { answer: 1 })];
  const { log } = await agent(script, helperScript).run("Go.").result;
  expect(keys).toHaveLength(1);
  const cut = await cutAfter(log, ({ type, path }) => type === "step-end" && path.length === 1);
  const { status } = await agent(script.slice(1), []).resume(cut).result;
  expect([status, keys.length]).toEqual(["suspended", 1]);
});

test("a repeated call keeps its idempotency key, even if its tool now has no effects", async () => {
  const first = spied("save", "idempotent");
  const script = [call("save"), call("finalAnswer", { answer: 1 })];
  const { log } = await new ToolCallingAgent({ model: scriptedModel(script), tools: [first.tool] }).run("Go.").result;
  const cut = await cutAfter(log, ({ type }) => type === "tool-start");
  const same = spied("save", "idempotent");
  await new ToolCallingAgent({ model: scriptedModel(script.slice(1)), tools: [same.tool] }).resume(cut);
  expect(same.keys).toEqual(first.keys);
});

test("a call in doubt of a tool that has changed since is not repeated without a person", async () => {
  const first = spied("save", "idempotent");
  const script = [call("save"), call("finalAnswer", { answer: 1 })];
  const { log } = await new ToolCallingAgent({ model: scriptedModel(script), tools: [first.tool] }).run("Go.").result;
  const cut = await cutAfter(log, ({ type }) => type === "tool-start");
  const changed = spied("save", "idempotent");
  const other = { ...changed.tool, description: "Saves somewhere else." };
  const { error } = await new ToolCallingAgent({ model: scriptedModel([]), tools: [other] }).resume(cut).result;
  expect([error?.code, changed.keys]).toEqual(["in-doubt", []]);
});

test("a decision about a call in doubt does not count when the call is in doubt again", async () => {
  const { tool: save, keys } = spied("save", "once");
  const script = [call("save"), call("finalAnswer", { answer: 1 })];
  const agent = new ToolCallingAgent({ model: scriptedModel(script), tools: [save] });
  const isStart = ({ type }: DurableEvent): boolean => type === "tool-start";
  const cut = await cutAfter((await agent.run("Go.").result).log, isStart);
  const [first] = (await agent.resume(cut).result).pending ?? [];
  const again = { id: first?.id ?? "", digest: first?.digest ?? "", type: "again" } as const;
  await agent.resume(cut, { decisions: [again] }).result;
  const events = await eventsOf(cut);
  const second = memoryLog({ events: events.slice(0, events.findLastIndex(isStart) + 1) });
  const before = keys.length;
  expect((await agent.resume(second).result).pending).toHaveLength(1);
  await expect(agent.resume(second, { decisions: [again] })).rejects.toMatchObject({ code: "stale-decision" });
  expect(keys).toHaveLength(before);
});

const pay = tool({
  name: "pay",
  description: "Pays.",
  effects: "once",
  needsApproval: true,
  input: {},
  execute: () => 1,
});

test("a run that waits to call a tool is not continued by an agent without it", async () => {
  const store = memoryStore();
  const script = [code("finalAnswer(await pay())")];
  const first = new CodeAgent({ model: scriptedModel(script), tools: [pay], store });
  const { runId, pending = [] } = await first.run("Pay.").result;
  const without = new CodeAgent({ model: scriptedModel([]), store });
  expect((await without.resume(runId).result).error?.code).toBe("divergence");
  const { id = "", digest = "" } = pending[0] ?? {};
  await store.decide(runId, { id, digest, type: "approve" });
  const { error } = await without.resume(runId).result;
  expect([error?.code, error?.message]).toEqual(["divergence", expect.stringContaining('"pay"')]);
  expect(await first.with({ model: scriptedModel([]) }).resume(runId)).toBe(1);
});

test("an agent without the tool of a call that a person denied continues the run", async () => {
  const store = memoryStore();
  const script = [code("await pay()")];
  const { runId, pending } = await new CodeAgent({ model: scriptedModel(script), tools: [pay], store }).run("Pay.")
    .result;
  const { id = "", digest = "" } = pending?.[0] ?? {};
  await store.decide(runId, { id, digest, type: "deny", reason: "too much" });
  const without = new CodeAgent({ model: scriptedModel([code("finalAnswer('not paid')")]), store });
  expect(await without.resume(runId)).toBe("not paid");
});

test("the clock of a log never goes back", async () => {
  const times = [5_000, 4_000, 1_000, 6_000];
  const log = memoryLog({ now: () => times.shift() ?? 2_000 });
  const agent = new CodeAgent({
    model: scriptedModel([code("const at = Date.now()"), code("finalAnswer(Date.now() - at)")]),
  });
  await using session = agent.session({ log });
  expect(await session.run("Go.")).toBeGreaterThanOrEqual(0);
  const recorded = log.events.map(({ time }) => time);
  expect(recorded).toEqual(recorded.toSorted((a, b) => a - b));
});

test("a replayed block may have another wording of its error", async () => {
  const script = [code("let n = 1; missing()"), code("finalAnswer(n)")];
  const { log } = await new CodeAgent({ model: scriptedModel(script) }).run("Go.").result;
  const reworded = (await eventsOf(log)).slice(0, -4).map((event) => {
    if (event.type !== "code-end" || event.result.type !== "error") return event;
    const error = { ...event.result.error, message: "the code broke", hint: "mend it" };
    return { ...event, result: { ...event.result, error } };
  });
  expect(reworded.some((event) => event.type === "code-end")).toBe(true);
  const agent = new CodeAgent({ model: scriptedModel(script.slice(1)) });
  expect(await agent.resume(memoryLog({ events: reworded }))).toBe(1);
});

test("an error that differs from the recorded one is a divergence", async () => {
  const script = [code("let n = 1; missing()"), code("finalAnswer(n)")];
  const { log } = await new CodeAgent({ model: scriptedModel(script) }).run("Go.").result;
  const changed = (await eventsOf(log)).slice(0, -4).map((event) => {
    if (event.type !== "code-end" || event.result.type !== "error") return event;
    return { ...event, result: { ...event.result, error: { ...event.result.error, name: "RangeError" } } };
  });
  const agent = new CodeAgent({ model: scriptedModel(script.slice(1)) });
  await expect(agent.resume(memoryLog({ events: changed }))).rejects.toMatchObject({ code: "divergence" });
});

test("an unfinished block that no longer makes a recorded call is a divergence", async () => {
  const { tool: look, keys } = spied("look", "none");
  const { log } = await new CodeAgent({
    model: scriptedModel([code("await look(); finalAnswer(1)")]),
    tools: [look],
  }).run("Go.").result;
  const cut = await cutAfter(log, ({ type }) => type === "tool-result");
  const events = cut.events.map((event) =>
    event.type === "code-start" ? { ...event, code: "finalAnswer(2)" } : event,
  );
  const resumed = new CodeAgent({ model: scriptedModel([]), tools: [look] }).resume(memoryLog({ events }));
  await expect(resumed).rejects.toMatchObject({ code: "divergence", message: expect.stringContaining('"look"') });
  expect(keys).toHaveLength(1);
});

test("a resume says which parts of the agent have changed since the run began", async () => {
  const { log } = await new CodeAgent({ model: scriptedModel([code("let n = 1")]) }).run("Go.").result;
  const { tool: look } = spied("look", "none");
  const changed = new CodeAgent({
    model: scriptedModel([code("finalAnswer(n)")]),
    tools: [look],
    instructions: "Be quick.",
    maxSteps: 7,
  });
  const { log: resumed } = await changed.resume(log).result;
  const [resume] = (await eventsOf(resumed)).filter((event) => event.type === "run-resume");
  expect(resume).toMatchObject({ changed: ["prompt", "tools", "maxSteps"] });
});

test("the time that people need to decide does not count against a managed agent's budget", async () => {
  const { tool: send } = spied("send", "once");
  const agent = (script: object[], helper: object[]): MultiStepAgent =>
    new ToolCallingAgent({
      model: scriptedModel(script as never),
      managedAgents: [
        new ToolCallingAgent({
          model: scriptedModel(helper as never),
          tools: [{ ...send, needsApproval: () => true }],
          name: "helper",
          description: "Sends.",
          budget: { durationMs: 60_000 },
        }),
      ],
    });
  const { log, pending } = await agent([call("helper", { task: "Send." })], [call("send")]).run("Go.").result;
  const dayMs = 86_400_000;
  const earlier = (await eventsOf(log)).map((event) => ({ ...event, time: event.time - dayMs }));
  const { id = "", digest = "" } = pending?.[0] ?? {};
  const resumed = agent([call("finalAnswer", { answer: 2 })], [call("finalAnswer", { answer: "sent" })]).resume(
    memoryLog({ events: earlier }),
    { decisions: [{ id, digest, type: "approve" }] },
  );
  expect(await resumed).toBe(2);
  const { log: whole } = await resumed.result;
  expect((await eventsOf(whole)).filter(({ type }) => type === "budget-stop")).toEqual([]);
});

test("a branch that polls does not prevent a suspension, and the resume continues it", async () => {
  let looks = 0;
  let isSent = false;
  const look = tool({
    name: "look",
    description: "Looks whether it was sent.",
    input: {},
    execute: async () => {
      looks++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      return isSent;
    },
  }) as Tool;
  const send = tool({
    name: "send",
    description: "Sends.",
    input: {},
    effects: "once",
    needsApproval: true,
    execute: () => {
      isSent = true;
      return "sent";
    },
  }) as Tool;
  const script = [
    code("const sent = send(); let looks = 0; while (!(await look())) looks++; finalAnswer([await sent, looks > 0])"),
  ];
  const agent = (some: string[]) =>
    new CodeAgent({ model: scriptedModel(some), tools: [send, look], suspendGraceMs: 30 });
  const { status, pending, log } = await agent(script).run("Go.").result;
  expect([status, pending?.length, looks > 0]).toEqual(["suspended", 1, true]);
  const [request] = pending ?? [];
  const decisions = [{ id: request?.id ?? "", digest: request?.digest ?? "", type: "approve" as const }];
  expect(await agent([]).resume(log, { decisions })).toEqual(["sent", true]);
});

test("calls of an agent that keeps its memory run in order, even if the first one waits for a person", async () => {
  const tasks: string[] = [];
  const helper = new CodeAgent({
    model: scriptedModel(({ messages }) => {
      tasks.push(JSON.stringify(messages).includes("Second") ? "second" : "first");
      return code("finalAnswer(1)");
    }),
    name: "helper",
    description: "Helps.",
  }).asTool({ memory: "keep" });
  const model = scriptedModel([
    code('finalAnswer(await Promise.all([helper({ task: "First." }), helper({ task: "Second." })]))'),
  ]);
  const agent = new CodeAgent({
    model,
    tools: [helper],
    approval: ({ input }) => (input as { task: string }).task === "First.",
  });
  const { status, log, pending } = await agent.run("Go.").result;
  expect([status, tasks]).toEqual(["suspended", []]);
  const { id = "", digest = "" } = pending?.[0] ?? {};
  await agent.resume(log, { decisions: [{ id, digest, type: "approve" }] });
  expect(tasks).toEqual(["first", "second"]);
});

/**
 * An interpreter that kills a block on request, as if its thread had run out of memory. None of the
 * block's changes remain.
 */
function killable(): ExecutorFactory {
  const inner = interpreter();
  return {
    ...inner,
    open: async (options) => {
      const sandbox = await inner.open(options);
      const killed: ExecutionResult = {
        type: "stopped",
        reason: "memory",
        error: { code: "code-execution", message: "the code was stopped because its memory was full" },
        operations: 0,
        unawaited: [],
      };
      return {
        start: (environment) => sandbox.start(environment),
        execute: async (program, how) => (program.includes("kill me") ? killed : sandbox.execute(program, how)),
        deliver: (...given) => sandbox.deliver(...given),
        variables: (how) => sandbox.variables?.(how) ?? Promise.resolve([]),
        [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
      };
    },
  };
}

test("a run keeps its variables after its first block was killed, also after a resume", async () => {
  const agent = (some: readonly string[]) => new CodeAgent({ executor: killable(), model: scriptedModel(some) });
  const script = [
    code('"kill me"'),
    code('"kill me"'),
    code("given.push(1); print(given)"),
    code("finalAnswer(given)"),
  ];
  const { log, output } = await agent(script).run("Go.", { additionalArgs: { given: [0] } }).result;
  expect(output).toEqual([0, 1]);
  for (const step of [1, 2, 3]) {
    const cut = await cutAfter(log, (event) => event.type === "step-end" && event.stepNumber === step);
    expect(await agent(script.slice(step)).resume(cut)).toEqual([0, 1]);
  }
});

test("a replayed block may format its value differently, but must have the same value", async () => {
  const script = [code("let n = [1, 2]; n"), code("finalAnswer(n)")];
  const { log } = await new CodeAgent({ model: scriptedModel(script) }).run("Go.").result;
  const changed = async (output: object) =>
    memoryLog({
      events: (await eventsOf(log)).slice(0, -4).map((event) => {
        if (event.type !== "code-end" || event.result.type !== "value" || !event.result.output) return event;
        return { ...event, result: { ...event.result, output: { ...event.result.output, ...output } } };
      }),
    });
  const agent = new CodeAgent({ model: scriptedModel([script[1] ?? ""]) });
  expect(await agent.resume(await changed({ text: "(2) [ 1, 2 ]" }))).toEqual([1, 2]);
  const otherwise = new CodeAgent({ model: scriptedModel([]) }).resume(await changed({ value: [1, 3] }));
  await expect(otherwise).rejects.toMatchObject({
    code: "divergence",
    message: expect.stringMatching(/\[1,2\].*\[1,3\]/),
  });
});

test("two sessions on one log each see the other's runs, and the log can be replayed", async () => {
  const log = memoryLog();
  const agent = (...script: string[]) => new CodeAgent({ model: scriptedModel(script.map(code)) });
  const first = agent("let n = 1", "finalAnswer(n)", "finalAnswer(n + extra)").session({ log });
  expect(await first.run("One.")).toBe(1);
  const second = agent("const extra = 10; n += 1", "finalAnswer(n)").session({ log });
  expect(await second.run("Two.")).toBe(2);
  expect(await first.run("Three.")).toBe(12);
  expect(first.steps.filter(({ type }) => type === "task")).toHaveLength(3);
  const third = agent("finalAnswer(n + extra)").session({ log });
  expect(await third.run("Four.")).toBe(12);
  for (const session of [first, second, third]) await session[Symbol.asyncDispose]();
});

test("after the first failure of a log no agent of the run starts anything, even if the log recovers", async () => {
  const log = memoryLog();
  let flushes = 0;
  const failing: RunLog = {
    ...log,
    append: (body, at) => log.append(body, at),
    flush: async () => {
      flushes++;
      if (flushes === 1) throw new Error("the disk is full");
    },
  };
  const sent: string[] = [];
  const send = tool({
    name: "send",
    description: "Sends.",
    input: { to: "string" },
    effects: "once",
    execute: ({ to }) => sent.push(to),
  }) as Tool;
  const helper = new CodeAgent({
    name: "helper",
    description: "Sends.",
    tools: [send],
    model: scriptedModel([code('await send({ to: "Ann" }); finalAnswer(1)')]),
  });
  const agent = new CodeAgent({
    managedAgents: [helper],
    tools: [send],
    model: scriptedModel([
      code('await Promise.allSettled([helper({ task: "Send." }), send({ to: "Bob" })]); await send({ to: "Cy" })'),
      code('await send({ to: "Dee" }); finalAnswer(1)'),
    ]),
  });
  const session = agent.session({ log: failing });
  const { error } = await session.run("Go.").result;
  const appended = log.events.length;
  expect([error?.code, sent]).toEqual(["log", []]);
  expect((await session.run("Again.").result).error?.code).toBe("log");
  expect([sent, log.events.length]).toEqual([[], appended]);
});

test("a reader with `flushed` gets events only when they are safe, and no transient events", async () => {
  const log = memoryLog();
  let safe = 0;
  const watched: RunLog = {
    ...log,
    append: (body, at) => log.append(body, at),
    flush: async () => {
      safe = log.events.length;
    },
  };
  const { tool: send } = spied("send", "once");
  const agent = new CodeAgent({ model: scriptedModel([code("await send(); finalAnswer(1)")]), tools: [send] });
  await using session = agent.session({ log: watched });
  const run = session.run("Go.");
  const seen: string[] = [];
  for await (const event of run.events({ flushed: true })) {
    expect(event.seq).toBeLessThanOrEqual(safe);
    seen.push(event.type);
  }
  expect(seen).toEqual(log.events.map(({ type }) => type));
  expect(seen.at(-1)).toBe("run-end");
});

test("the decisions of a predicate and a policy are recorded, and a resume does not ask them again", async () => {
  const asked: string[] = [];
  const agentThatAsks = (answer: boolean, script: object[]) => {
    const save = spied("save", "none").tool;
    const careful = {
      ...save,
      needsApproval: () => {
        asked.push("tool");
        return answer;
      },
    };
    const approval: ApprovalPolicy = ({ tool: { name } }) => {
      if (name === "save") asked.push("policy");
      return name === "save" && answer;
    };
    return new ToolCallingAgent({ model: scriptedModel(script as never), tools: [careful], approval });
  };
  const script = [call("save"), call("finalAnswer", { answer: 1 })];
  const { log } = await agentThatAsks(false, script).run("Go.").result;
  expect(asked).toEqual(["tool", "policy"]);
  const cut = await cutAfter(log, ({ type }) => type === "approval-policy");
  // With the argument `true`, the tool and the policy would require approval. The recorded results
  // are used instead.
  expect(await agentThatAsks(true, script.slice(1)).resume(cut)).toBe(1);
  expect(asked).toEqual(["tool", "policy"]);
});

test("a policy is asked again about a tool that has changed since", async () => {
  const save = spied("save", "none");
  const script = [call("save"), call("finalAnswer", { answer: 1 })];
  const { log } = await new ToolCallingAgent({
    model: scriptedModel(script),
    tools: [save.tool],
    approval: () => false,
  }).run("Go.").result;
  const cut = await cutAfter(log, ({ type }) => type === "approval-policy");
  const changed = { ...spied("save", "none").tool, description: "Saves somewhere else." };
  const { status } = await new ToolCallingAgent({
    model: scriptedModel(script.slice(1)),
    tools: [changed],
    approval: () => true,
  }).resume(cut).result;
  expect(status).toBe("suspended");
});

test("an answer lost in a crash is requested again, runs no tool twice, and counts as an answer of unknown cost", async () => {
  const { tool: save, keys } = spied("save", "once");
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  const reply = { text: code("await Promise.all([save({}), save({}), save({})]); finalAnswer(1)"), usage };
  const agent = () => new CodeAgent({ model: scriptedModel([reply]), tools: [save], budget: { tokens: 1_000 } });
  const whole = await agent().run("Go.").result;
  expect([keys.length, whole.usage?.lostAnswers]).toEqual([3, undefined]);
  const cut = await cutAfter(whole.log, ({ type }) => type === "step-start");
  const resumed = await agent().resume(cut).result;
  expect(keys).toHaveLength(6);
  expect(resumed).toMatchObject({ status: "success", usage: { totalTokens: 15, lostAnswers: 1 } });
  // If a run is interrupted while no model is being asked, no answer is lost.
  const later = await cutAfter(whole.log, ({ type }) => type === "code-start");
  expect((await agent().resume(later).result).usage).toMatchObject({ totalTokens: 15 });
  expect((await agent().resume(later).result).usage).not.toHaveProperty("lostAnswers");
});

test("a budget counts answers lost in crashes, as a marked estimate", async () => {
  const costs = { inputTokens: 100, outputTokens: 0, totalTokens: 100, costUsd: 0.4 };
  const script = ["print(1)", "print(2)", "print(3)", "finalAnswer(4)"].map((text) => ({
    text: code(text),
    usage: costs,
  }));
  const agent = (from: number) =>
    new CodeAgent({
      model: scriptedModel([...script.slice(from), { text: "I stop.", usage: costs }]),
      budget: { costUsd: 1 },
    });
  // Without a crash, the budget is enough for three steps.
  const whole = await agent(0).run("Go.").result;
  expect([whole.status, whole.steps.filter(({ type }) => type === "action").length]).toEqual(["budget", 4]);
  // The second answer is lost twice: 0.4 were reported, and 0.8 are estimated.
  const cut = await cutAfter(whole.log, (event) => event.type === "step-start" && event.stepNumber === 2);
  const broken = await agent(1).resume(cut).result;
  expect(broken.usage).toMatchObject({ lostAnswers: 1 });
  const again = await cutAfter(broken.log, ({ type }) => type === "run-resume");
  const resumed = await agent(4).resume(again).result;
  expect([resumed.status, resumed.output]).toEqual(["budget", "I stop."]);
  expect(resumed.usage).toMatchObject({ costUsd: 0.8, lostAnswers: 2 });
  const stop = (await eventsOf(resumed.log)).find(({ type }) => type === "budget-stop");
  expect(stop).toMatchObject({ stepNumber: 2, limit: "costUsd", allowed: 1 });
  expect(stop).toHaveProperty("estimated", expect.closeTo(0.8));
  expect(stop).toHaveProperty("used", expect.closeTo(1.2));
});

test("plans and summaries lost in a crash are counted", async () => {
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  const replies = [
    { text: "1. Answer.", usage },
    { text: code("finalAnswer(1)"), usage },
  ];
  const agent = () => new CodeAgent({ model: scriptedModel(replies), planningInterval: 5 });
  const { log } = await agent().run("Go.").result;
  const cut = await cutAfter(log, ({ type }) => type === "model-request");
  const { usage: told } = await agent().resume(cut).result;
  expect(told).toMatchObject({ totalTokens: 30, lostAnswers: 1, lostEstimate: { totalTokens: 15 } });
});

test("the clock of a program does not go back from one block to the next, live or replayed", async () => {
  const { tool: save } = spied("save", "none");
  const blocks = [
    code(
      "const before = Date.now(); await new Promise((resolve) => setTimeout(resolve, 3_600_000)); const later = Date.now()",
    ),
    code("const after = Date.now(); await save({})"),
    code("finalAnswer([later - before, after >= later, Date.now() >= after])"),
  ];
  const { log, output } = await new CodeAgent({ model: scriptedModel(blocks), tools: [save] }).run("Go.").result;
  expect(output).toEqual([3_600_000, true, true]);
  const cut = await cutAfter(log, (event) => event.type === "step-end" && event.stepNumber === 2);
  const agent = new CodeAgent({ model: scriptedModel(blocks.slice(2)), tools: [save] });
  expect(await agent.resume(cut)).toEqual(output);
});
