// Compaction keeps a long history within the model's context.

import { CodeAgent, type RunOptions, ToolCallingAgent } from "@smolts/core";
import { estimateTokens, memoryLog, toMessages } from "@smolts/memory";
import { AgentError, type ChatMessage, type DurableEvent, type EventOf, type Model, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";

const thought = "I think about what to do next. ".repeat(16);
const code = (text: string): string => `${thought}\n<code>\n${text}\n</code>`;
const isSummaryRequest = (messages: readonly ChatMessage[]): boolean =>
  textOf(messages[0]?.content ?? []).startsWith("You shorten the history");

/**
 * A model that prints a lot in each step and answers in the last one, and the requests that it got.
 */
function printingModel(steps: number, last = "finalAnswer(42)") {
  const requests: (readonly ChatMessage[])[] = [];
  const summaries: (readonly ChatMessage[])[] = [];
  let asked = 0;
  const model = scriptedModel(({ messages }) => {
    if (isSummaryRequest(messages)) {
      summaries.push(messages);
      return `Summary ${summaries.length}: much was printed.`;
    }
    requests.push(messages);
    asked += 1;
    return asked > steps ? code(last) : code(`print("step ${asked} " + "x".repeat(2000))`);
  });
  return { model, requests, summaries };
}

const compactionsIn = (events: readonly DurableEvent[]): readonly EventOf<"compaction">[] =>
  events.filter((event) => event.type === "compaction");

async function eventsOf(log: { read(): AsyncIterable<DurableEvent> }): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}

const context = { windowTokens: 12_000 };
const run = (model: Model, options: Partial<ConstructorParameters<typeof CodeAgent>[0]> = {}, given: RunOptions = {}) =>
  new CodeAgent({ model, maxSteps: 200, context, ...options }).run("Find the answer.", given);

describe("a history that outgrows its share of the context", () => {
  test("is shortened, so that every request stays below the share", async () => {
    const { model, requests } = printingModel(80);
    const result = await run(model).result;
    expect(result.output).toBe(42);
    expect(Math.max(...requests.map(estimateTokens))).toBeLessThan(0.75 * 12_000 + 1_500);
    expect(requests.length).toBe(81);
    const last = requests.at(-1) ?? [];
    expect(textOf(last[1]?.content ?? [])).toContain("Find the answer.");
    expect(textOf(last.flatMap(({ content }) => content))).toMatch(
      /<summary length=\d+>\nSummary \d+: much was printed\./,
    );
  });

  test("loses old observations before whole steps, without a model call", async () => {
    const { model, requests, summaries } = printingModel(18);
    const { log } = await run(model).result;
    const [first] = compactionsIn(await eventsOf(log));
    expect(first).toMatchObject({ reason: "share", through: null, summary: null });
    expect(first?.shortened[0]).toEqual({ stepNumber: 1, names: ["printed1"] });
    expect(summaries).toHaveLength(0);
    const texts = textOf((requests.at(-1) ?? []).flatMap(({ content }) => content));
    expect(texts).toMatch(/\[left out: \d+ characters; in code, printed1 holds it\]/);
  });

  test("lets code read the results that were left out", async () => {
    const { model } = printingModel(18, "finalAnswer(printed1.slice(0, 6) + printed2.length)");
    expect(await run(model)).toBe("step 12007");
  });

  test("keeps its beginning between two compactions", async () => {
    const { model, requests } = printingModel(60);
    const { log } = await run(model).result;
    const at = new Set(compactionsIn(await eventsOf(log)).map(({ stepNumber }) => stepNumber));
    const changed = requests.slice(1).filter((messages, index) => {
      const before = requests[index] ?? [];
      // The newest message is left out, because it ends with the state of the sandbox.
      return !at.has(index + 2) && before.slice(0, -1).some((message, place) => message !== messages[place]);
    });
    expect(changed).toEqual([]);
    expect(at.size).toBeGreaterThan(1);
    expect(at.size).toBeLessThan(20);
  });

  test("is shown as it was recorded when the run is resumed, and is not summarised again", async () => {
    const first = printingModel(60);
    const { log } = await run(first.model).result;
    const events = await eventsOf(log);
    const cut = events.findLastIndex((event) => event.type === "step-start");
    const second = printingModel(0);
    const resumed = new CodeAgent({ model: second.model, maxSteps: 200, context });
    const result = await resumed.resume(memoryLog({ events: events.slice(0, cut + 1) })).result;
    expect(result.output).toBe(42);
    expect(second.summaries).toHaveLength(0);
    expect(second.requests[0]).toEqual(first.requests.at(-1));
  });

  test("keeps what a person has denied", async () => {
    const guarded = tool({
      name: "wipe",
      description: "Wipes a disk.",
      input: { disk: "string" },
      effects: "once",
      needsApproval: true,
      execute: () => "wiped",
    });
    let asked = 0;
    const requests: (readonly ChatMessage[])[] = [];
    const model = scriptedModel(({ messages }) => {
      if (isSummaryRequest(messages)) return "Nothing happened.";
      requests.push(messages);
      asked += 1;
      if (asked === 1) return code('await wipe({ disk: "sda" })');
      return asked > 60 ? code("finalAnswer(1)") : code(`print("${asked} " + "y".repeat(2000))`);
    });
    const approve = () => ({ type: "deny", reason: "never" }) as const;
    await run(model, { tools: [guarded], approve });
    const texts = textOf((requests.at(-1) ?? []).flatMap(({ content }) => content));
    expect(texts).toContain('- wipe([{"disk":"sda"}]) was not allowed: ');
  });

  test("never splits a tool call from its result", async () => {
    const read = tool({
      name: "read",
      description: "Reads.",
      input: {},
      effects: "none",
      execute: () => "z".repeat(3000),
    });
    let asked = 0;
    const requests: (readonly ChatMessage[])[] = [];
    const model = scriptedModel(({ messages }) => {
      if (isSummaryRequest(messages)) return "Read much.";
      requests.push(messages);
      asked += 1;
      const call = asked > 40 ? { name: "finalAnswer", input: { answer: 1 } } : { name: "read", input: {} };
      return { toolCalls: [call] };
    });
    await new ToolCallingAgent({ model, tools: [read], maxSteps: 100, context }).run("Read.");
    for (const messages of requests) {
      const parts = messages.flatMap(({ content }) => content);
      const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
      const results = parts.flatMap((part) => (part.type === "tool-result" ? [part.id] : []));
      expect(results).toEqual(calls);
    }
    expect(Math.max(...requests.map(estimateTokens))).toBeLessThan(0.75 * 12_000 + 1_500);
  });

  test("is not shortened with context: false", async () => {
    const { model, requests } = printingModel(40);
    const { log } = await run(model, { context: false }).result;
    expect(compactionsIn(await eventsOf(log))).toEqual([]);
    expect(estimateTokens(requests.at(-1) ?? [])).toBeGreaterThan(12_000);
  });
});

describe("a provider that says the messages are too long", () => {
  const overflowing = (limit: number) => {
    const printing = printingModel(12);
    let refused = 0;
    const model: Model = {
      id: "test/overflowing",
      async *stream(request, options) {
        if (!isSummaryRequest(request.messages) && estimateTokens(request.messages) > limit) {
          refused += 1;
          throw new AgentError("context-overflow", "too long");
        }
        yield* printing.model.stream(request, options);
      },
    };
    return { model, refusals: () => refused };
  };

  test("is asked once more with a shorter history", async () => {
    const { model, refusals } = overflowing(6_000);
    const { output, log } = await run(model, { context: {} }).result;
    expect(output).toBe(42);
    expect(refusals()).toBeGreaterThan(0);
    expect(compactionsIn(await eventsOf(log)).every(({ reason }) => reason === "overflow")).toBe(true);
  });

  test("ends the run when nothing can be left out", async () => {
    const { model } = overflowing(10);
    const { status, error } = await run(model, { context: {} }).result;
    expect([status, error?.code]).toEqual(["failed", "context-overflow"]);
  });
});

test.each([
  [{ windowTokens: 12 }, /windowTokens is 12/],
  [{ compactAt: 0.3, keep: 0.5 }, /0 < keep < compactAt/],
  [{ windows: 5 }, /context has no option "windows".*/],
])("the option context %j is refused", (wrong, said) => {
  expect(() => new CodeAgent({ model: () => "", context: wrong as never })).toThrow(said);
});

test("toMessages shows all of a log without a compaction", () => {
  expect(toMessages([{ type: "task", runId: "r", content: [{ type: "text", text: "x" }] }])).toHaveLength(1);
});
