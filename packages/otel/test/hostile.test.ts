// Unusual runs, and programs that use the tracing incorrectly.

import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { CodeAgent } from "@smolts/core";
import { memoryStore } from "@smolts/memory";
import { runTracing } from "@smolts/otel";
import type { Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";
import { add, code, eventsOf, recorder, treeOf } from "./recorded-spans.ts";

const send = tool({
  name: "send",
  description: "Sends.",
  output: "string",
  effects: "once",
  needsApproval: () => true,
  execute: () => "sent",
}) as Tool;

const helper = (answer: string): CodeAgent =>
  new CodeAgent({
    name: "helper",
    description: "Helps.",
    model: scriptedModel(() => code(`finalAnswer(${answer})`)),
    tools: [add, send],
  });

describe("each run of a log has its own spans", () => {
  test("in a session, live and from its log", async () => {
    const agent = new CodeAgent({ name: "a", model: scriptedModel(() => code("finalAnswer(1)")) });
    await using session = agent.session();
    const live = recorder();
    const one = session.run("One.");
    await live.tracing.trace(one);
    const two = session.run("Two.");
    await live.tracing.trace(two);
    const ids = [one.id, two.id];
    const tree = [1, 2].flatMap((run) => [`invoke_agent a of run ${run}`, "  chat model", "  execute_tool runCode"]);
    expect(treeOf(live.spans(), ids)).toEqual(tree);
    const later = recorder();
    await later.tracing.trace(await eventsOf((await two.result).log));
    expect(treeOf(later.spans(), ids)).toEqual(tree);
    expect(new Set(later.spans().map((span) => span.spanContext().traceId)).size).toBe(2);
  });

  test("in a fork, whose spans show only its own steps", async () => {
    const replies = [code("const x = 1;\nprint('seen')"), code("finalAnswer(x)"), code("finalAnswer(x + 1)")];
    const agent = new CodeAgent({ name: "a", store: memoryStore(), model: scriptedModel(replies) });
    const run = agent.run("Go.");
    await run;
    const live = recorder({ content: true });
    const fork = agent.fork(run.id, { atStep: 2 });
    await live.tracing.trace(fork);
    expect(await fork).toBe(2);
    const tree = ["invoke_agent a of run 1", "  chat model", "  execute_tool runCode"];
    expect(treeOf(live.spans(), [fork.id])).toEqual(tree);
    const chat = live.spans().find(({ name }) => name === "chat model");
    expect(chat?.attributes["gen_ai.input.messages"]).toContain("seen");
    const later = recorder();
    await later.tracing.trace(await eventsOf((await fork.result).log));
    expect(treeOf(later.spans(), [fork.id])).toEqual(tree);
  });
});

test("the spans of parallel managed agents are below their own calls", async () => {
  const manager = new CodeAgent({
    name: "manager",
    managedAgents: [helper("await add({ a: 1, b: 1 })")],
    model: scriptedModel([
      code('const all = await Promise.all(["1", "2", "3"].map((task) => helper({ task })));\nfinalAnswer(all.length)'),
    ]),
  });
  const { tracing, spans } = recorder();
  const run = manager.run("Go.");
  await tracing.trace(run);
  const work = [
    "    execute_tool helper",
    "      invoke_agent helper of run 1",
    "        chat model",
    "        execute_tool runCode",
    "          execute_tool add",
  ];
  expect(treeOf(spans(), [run.id])).toEqual([
    ...["invoke_agent manager of run 1", "  chat model", "  execute_tool runCode"],
    ...[...work, ...work, ...work],
  ]);
});

test("a managed agent that waited for a person continues below its call, and no span is reported twice", async () => {
  const manager = new CodeAgent({
    name: "manager",
    store: memoryStore(),
    managedAgents: [helper("await send()")],
    model: scriptedModel(() => code("finalAnswer(await helper({ task: 'Send.' }))")),
  });
  const { tracing, spans } = recorder();
  const run = manager.run("Go.");
  await tracing.trace(run);
  const { pending = [], runId } = await run.result;
  const decisions = pending.map(({ id, digest }) => ({ id, digest, type: "approve" as const }));
  const resumed = manager.resume(runId, { decisions });
  // This loop makes the resumed run read its log. The tracing below still receives all events.
  for await (const _ of resumed.events()) break;
  expect(resumed.id).toBe(runId);
  await tracing.trace(resumed);
  expect(await resumed).toBe("sent");
  expect(treeOf(spans(), [runId])).toEqual([
    "invoke_agent manager of run 1",
    "  chat model",
    "  execute_tool runCode",
    "    execute_tool helper",
    "      invoke_agent helper of run 1",
    "        chat model",
    "        execute_tool runCode",
    "          execute_tool send",
    "  invoke_agent manager of run 1",
    "    execute_tool runCode",
    "      execute_tool helper",
    "        invoke_agent helper of run 1",
    "          execute_tool runCode",
    "            execute_tool send",
  ]);
});

test.each([42, undefined, null, "answer", {}])(
  "a value that is not a run is refused with a hint: %j",
  async (source) => {
    await expect(recorder().tracing.trace(source as never)).rejects.toMatchObject({
      code: "invalid-option",
      hint: expect.stringContaining("tracing.trace(agent.run(task))"),
    });
  },
);

const brokenRedactions: [name: string, redact: () => unknown][] = [
  [
    "throws",
    () => {
      throw new Error("a pattern of yours");
    },
  ],
  ["returns nothing", () => undefined],
];

test.each(brokenRedactions)("with a redaction that %s, all spans are reported without content", async (_, redact) => {
  const { tracing, spans } = recorder({ content: { redact: redact as () => string } });
  await tracing.trace(helper("'Zanzibar'").run("Where?"));
  expect(spans().map(({ name }) => name)).toEqual(["chat model", "execute_tool runCode", "invoke_agent helper"]);
  const texts = JSON.stringify(spans().map(({ attributes }) => attributes));
  expect(texts).toContain("[not redacted, so not shown]");
  expect(texts).not.toMatch(/Zanzibar|Where/);
});

test("a secret appears in no argument, result, error, address or code", async () => {
  const key = "sk-abcdefghijklmnopqrstuvwx";
  const leak = tool({
    name: "leak",
    description: "Leaks.",
    input: { apiKey: "string", url: "string" },
    output: "any",
    effects: "none",
    execute: ({ url }) => {
      if (url.includes("fail")) throw new Error(`cannot reach ${url}: ${key}`);
      return { authorization: `Bearer ${key}`, url };
    },
  }) as Tool;
  const call = (word: string): string =>
    code(`await leak({ apiKey: "${key}", url: "https://me:correcthorse@${word}.example" })`);
  const model = scriptedModel([call("ok"), call("fail"), code(`finalAnswer("${key}")`)]);
  const { tracing, spans } = recorder({ content: true });
  await tracing.trace(new CodeAgent({ model, tools: [leak] }).run(`Use ${key}.`));
  const texts = JSON.stringify(
    spans().map(({ name, attributes, events, status }) => [name, attributes, events, status]),
  );
  expect(texts).toContain("redacted");
  expect(texts).not.toMatch(/sk-abc|correcthorse/);
});

test("a run of 1,000 calls has all its spans, and an exporter that throws ends only the tracing", async () => {
  const loop = "let n = 0;\nfor (let i = 0; i < 1000; i++) n = await add({ a: n, b: 1 });\nfinalAnswer(n)";
  const run = new CodeAgent({ model: scriptedModel([code(loop)]), tools: [add] }).run("Count.");
  const { tracing, spans } = recorder();
  const broken = {
    onStart() {},
    onEnd() {
      throw new Error("the exporter is down");
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new BasicTracerProvider({ spanProcessors: [broken] });
  const failing = runTracing({ meter: null, tracer: provider.getTracer("test") });
  await Promise.all([tracing.trace(run), failing.trace(run)]);
  expect(await run).toBe(1_000);
  expect(spans().length).toBe(1_003);
});
