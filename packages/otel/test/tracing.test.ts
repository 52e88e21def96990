import { type Attributes, type Context, context, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  type ReadableSpan,
  SamplingDecision,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { memoryStore } from "@smolts/memory";
import { runTracing, traceNote } from "@smolts/otel";
import type { Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";
import { add, code, eventsOf, recorder, treeOf } from "./recorded-spans.ts";

const send = tool({
  name: "send",
  description: "Sends.",
  input: { to: "string" },
  output: "string",
  effects: "once",
  needsApproval: () => true,
  execute: () => "sent",
}) as Tool;

const helper = (): CodeAgent =>
  new CodeAgent({
    name: "helper",
    description: "Helps.",
    model: scriptedModel(() => code("finalAnswer(await add({ a: 20, b: 1 }))"), { id: "scripted/small" }),
    tools: [add],
  });

const manager = (): CodeAgent =>
  new CodeAgent({
    name: "manager",
    model: scriptedModel([
      "Facts. Plan.",
      code("const [a, b] = [await helper({ task: 'One.' }), await add({ a: 1, b: 2 })];\nfinalAnswer(Number(a) + b)"),
    ]),
    planningInterval: 5,
    managedAgents: [helper()],
    tools: [add],
  });

const managerTree = [
  "invoke_agent manager",
  "  plan manager",
  "    chat model",
  "  chat model",
  "  execute_tool runCode",
  "    execute_tool helper",
  "      invoke_agent helper",
  "        chat small",
  "        execute_tool runCode",
  "          execute_tool add",
  "    execute_tool add",
];

describe("the spans of a run", () => {
  test("are a tree with each agent below the call that started it, live and from the log", async () => {
    const live = recorder();
    const run = manager().run("Ask.");
    await live.tracing.trace(run);
    expect(await run).toBe(24);
    expect(treeOf(live.spans())).toEqual(managerTree);
    expect(new Set(live.spans().map((span) => span.spanContext().traceId)).size).toBe(1);

    const later = recorder();
    await later.tracing.trace(await eventsOf((await run.result).log));
    expect(treeOf(later.spans())).toEqual(managerTree);
    const times = (spans: readonly ReadableSpan[]) =>
      spans.map(({ name, startTime, endTime }) => [name, startTime, endTime]);
    expect(times(later.spans())).toEqual(times(live.spans()));
  });

  test("have the attributes of the OpenTelemetry conventions", async () => {
    const { tracing, spans } = recorder();
    const run = manager().run("Ask.");
    await tracing.trace(run);
    const named = (name: string) => spans().find((span) => span.name === name)?.attributes;
    expect(named("invoke_agent manager")).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "manager",
      "gen_ai.conversation.id": run.id,
      "smolts.run.status": "success",
    });
    expect(named("chat small")).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "scripted",
      "gen_ai.request.model": "small",
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.response.finish_reasons": ["stop"],
    });
    expect(named("execute_tool add")).toMatchObject({
      "gen_ai.tool.name": "add",
      "gen_ai.operation.name": "execute_tool",
    });
  });

  test("have no contents unless the program asks for them, and never a secret", async () => {
    const agent = () =>
      new CodeAgent({
        model: scriptedModel([
          code("print('key sk-abcdefghijklmnopqrstuvwx'); const x = await add({ a: 1, b: 2 })"),
          code("finalAnswer('Zanzibar')"),
        ]),
        tools: [add],
      });
    const [off, on] = [recorder(), recorder({ content: { redact: (text) => text.replaceAll("Ana", "[name]") } })];
    for (const { tracing } of [off, on]) await tracing.trace(agent().run("My name is Ana."));
    const texts = (spans: readonly ReadableSpan[]) =>
      JSON.stringify(spans.map(({ attributes, events, status }) => [attributes, events, status]));
    for (const word of ["Ana", "Zanzibar", "sk-abc", "add({"]) expect(texts(off.spans())).not.toContain(word);
    expect(texts(on.spans())).toContain("Zanzibar");
    expect(texts(on.spans())).toContain("[name]");
    expect(texts(on.spans())).not.toMatch(/Ana\b|sk-abc/);
    const chat = on.spans().find(({ name }) => name === "chat model");
    expect(JSON.parse(String(chat?.attributes["gen_ai.input.messages"]))).toEqual([
      { role: "user", parts: [{ type: "text", content: "My name is [name]." }] },
    ]);
  });

  test("show what failed: a tool, a check or the model", async () => {
    const failing = tool({
      name: "failing",
      description: "Fails.",
      effects: "none",
      execute: () => {
        throw new Error("no luck");
      },
    }) as Tool;
    const { tracing, spans } = recorder({ content: true });
    const agent = new ToolCallingAgent({
      model: scriptedModel([{ toolCalls: [{ name: "failing" }] }, { error: "the model is down" }]),
      tools: [failing],
    });
    const run = agent.run("Try.");
    await tracing.trace(run);
    expect((await run.result).status).toBe("failed");
    const failed = spans().filter(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(failed.map(({ name, attributes }) => [name, attributes["error.type"]])).toEqual([
      ["execute_tool failing", "tool-execution"],
      ["chat model", "generation"],
      ["invoke_agent agent", "generation"],
    ]);
  });
});

test("nothing is computed for a span that is not sampled", async () => {
  const seen: string[] = [];
  const redact = (text: string): string => {
    seen.push(text);
    return text;
  };
  const sampler = {
    shouldSample: (_context: Context, _trace: string, _name: string, _kind: unknown, attributes: Attributes) => {
      seen.push(...Object.keys(attributes));
      return { decision: SamplingDecision.NOT_RECORD };
    },
    toString: () => "none",
  };
  const tracer = new BasicTracerProvider({ sampler }).getTracer("test");
  const run = manager().run("Ask.");
  await runTracing({ tracer, meter: null, content: { redact } }).trace(run);
  expect(await run).toBe(24);
  const decidable = ["operation.name", "agent.name", "tool.name", "request.model", "provider.name"];
  expect(new Set(seen)).toEqual(new Set(decidable.map((name) => `gen_ai.${name}`)));
});

describe("a long step", () => {
  /** Creates an agent that calls `add`, and then a tool that waits. */
  const stuck = () => {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const waitLong = tool({ name: "waitLong", description: "Waits.", effects: "none", execute: () => opened }) as Tool;
    const steps = [code("await add({ a: 1, b: 2 });\nawait waitLong();"), code("finalAnswer(3)")];
    const run = new CodeAgent({ model: scriptedModel(steps), tools: [add, waitLong] }).run("Wait.");
    return { run, open: () => open() };
  };

  test("shows its spans while it is running", async () => {
    const { tracing, spans } = recorder();
    const { run, open } = stuck();
    const traced = tracing.trace(run);
    await expect.poll(() => spans().map(({ name }) => name)).toEqual(["chat model", "execute_tool add"]);
    open();
    await traced;
    expect(await run).toBe(3);
    expect(treeOf(spans())).toEqual([
      "invoke_agent agent",
      "  chat model",
      "  execute_tool runCode",
      "    execute_tool add",
      "    execute_tool waitLong",
      "  chat model",
      "  execute_tool runCode",
    ]);
  });

  test("continues when the tracer throws meanwhile", async () => {
    let calls = 0;
    const startSpan = () => {
      calls++;
      throw new Error("the exporter is down");
    };
    const { run, open } = stuck();
    const traced = runTracing({ tracer: { startSpan } as unknown as Tracer, meter: null }).trace(run);
    await expect.poll(() => calls).toBe(1);
    open();
    await traced;
    expect(await run).toBe(3);
    expect(calls).toBe(1);
  });
});

describe("a run that waits for a person", () => {
  const mailer = (store = memoryStore()) =>
    new CodeAgent({
      name: "mailer",
      store,
      model: scriptedModel(() => code("finalAnswer(await send({ to: 'ana' }))")),
      tools: [send],
    });
  const approved = (pending: readonly { readonly id: string; readonly digest: string }[] = []) =>
    pending.map(({ id, digest }) => ({ id, digest, type: "approve" as const }));
  const waiting = ["invoke_agent mailer", "  chat model", "  execute_tool runCode", "    execute_tool send"];

  test("is one trace with its resumed part, in this process and from the log, and no span is reported twice", async () => {
    const { tracing, spans } = recorder();
    const agent = mailer();
    const run = agent.run("Send.");
    await tracing.trace(run);
    expect(treeOf(spans())).toEqual(waiting);
    const { pending, runId } = await run.result;
    const resumed = agent.resume(runId, { decisions: approved(pending) });
    await tracing.trace(resumed);
    expect(await resumed).toBe("sent");
    const resumedPart = ["  invoke_agent mailer", "    execute_tool runCode", "      execute_tool send"];
    expect(treeOf(spans())).toEqual([...waiting, ...resumedPart]);
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(1);
    const later = recorder();
    await later.tracing.trace(await eventsOf((await resumed.result).log));
    expect(treeOf(later.spans())).toEqual([...waiting, ...resumedPart]);
  });

  test("stays in the trace of the request that started it, whichever process resumes it", async () => {
    const first = recorder();
    const agent = mailer();
    const request = first.tracer.startSpan("POST /tasks");
    const active: Context = trace.setSpan(context.active(), request);
    const run = agent.run("Send.", { notes: traceNote(active) });
    await first.tracing.trace(run);
    request.end();
    const { pending, runId } = await run.result;
    const second = recorder();
    await second.tracing.trace(agent.resume(runId, { decisions: approved(pending) }));
    const root = second.spans().find(({ name }) => name === "invoke_agent mailer");
    expect(root?.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
    expect(root?.spanContext().traceId).toBe(request.spanContext().traceId);
    expect(treeOf(first.spans())[0]).toBe("POST /tasks");
  });
});

describe("a failure of the tracing does not affect the run", () => {
  const run = () => new CodeAgent({ model: scriptedModel([code("finalAnswer(1)")]) }).run("Go.");

  test("a tracer that throws", async () => {
    const broken = {
      startSpan: () => {
        throw new Error("the exporter is down");
      },
    } as unknown as Tracer;
    const running = run();
    await runTracing({ tracer: broken, meter: null }).trace(running);
    expect(await running).toBe(1);
  });

  test("an exporter that hangs", async () => {
    const hanging = {
      export: () => {},
      shutdown: () => new Promise<void>(() => {}),
      forceFlush: () => new Promise<void>(() => {}),
    };
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(hanging)] });
    const running = run();
    await runTracing({ tracer: provider.getTracer("test"), meter: null }).trace(running);
    expect(await running).toBe(1);
  });

  test("without an SDK, and with a log that is cut off anywhere", async () => {
    const whole = manager().run("Ask.");
    await runTracing().trace(whole);
    const events = await eventsOf((await whole.result).log);
    for (let count = 0; count <= events.length; count++) {
      const { tracing, spans } = recorder();
      await tracing.trace(events.slice(0, count));
      expect(spans().every(({ ended, startTime, endTime }) => ended && endTime[0] >= startTime[0])).toBe(true);
      await recorder().tracing.trace(events.slice(count));
    }
  });
});

test("the metrics of the OpenTelemetry conventions count tokens and times", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 });
  const provider = new MeterProvider({ readers: [reader] });
  await recorder({ meter: provider.getMeter("test") }).tracing.trace(manager().run("Ask."));
  await provider.forceFlush();
  const metrics = exporter.getMetrics()[0]?.scopeMetrics[0]?.metrics ?? [];
  expect(metrics.map(({ descriptor }) => descriptor.name).sort()).toEqual([
    "gen_ai.client.operation.duration",
    "gen_ai.client.token.usage",
    "gen_ai.execute_tool.duration",
    "gen_ai.invoke_agent.duration",
  ]);
  const tokens = metrics.find(({ descriptor }) => descriptor.name === "gen_ai.client.token.usage");
  const sums = tokens?.dataPoints.map(({ attributes, value }) => [
    attributes["gen_ai.request.model"],
    attributes["gen_ai.token.type"],
    (value as { sum: number }).sum,
  ]);
  expect(sums).toEqual([
    ["model", "input", 20],
    ["model", "output", 10],
    ["small", "input", 10],
    ["small", "output", 5],
  ]);
  await provider.shutdown();
});
