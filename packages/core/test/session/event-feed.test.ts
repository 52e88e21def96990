import { CodeAgent } from "@smolts/core";
import { memoryLog } from "@smolts/memory";
import { isDurableType, type Model, type ModelEvent, type RunEvent, type RunLog } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const answer = "<code>\nfinalAnswer(1)\n</code>";

test("a reader that falls behind gets merged deltas, and loses no text", async () => {
  const pieces = Array.from({ length: 100_000 }, (_, index) => `w${index} `);
  const model: Model = {
    id: "flood",
    async *stream(): AsyncGenerator<ModelEvent> {
      for (const text of pieces) yield { type: "text-delta", text };
      yield { type: "text-delta", text: answer };
      yield { type: "end", finishReason: "stop" };
    },
  };
  const run = new CodeAgent({ model }).run("go");
  const events = run.events();
  const reader = events[Symbol.asyncIterator]();
  await reader.next();
  await run;
  let text = "";
  let count = 0;
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    count++;
    if (next.value.type === "text-delta") text += next.value.text;
  }
  expect(text.startsWith(pieces.join("").trimEnd())).toBe(true);
  expect(count).toBeLessThan(1_000);
});

test("timers fire while a reader works through a long queue", async () => {
  const floodCode = "<code>\nfor (let i = 0; i < 900; i++) print(i);\nfinalAnswer(1)\n</code>";
  const seen: string[] = [];
  for await (const { type } of new CodeAgent({ model: scriptedModel([floodCode]) }).run("go").events()) {
    if (type !== "console") continue;
    if (seen.push(type) === 1) setTimeout(() => seen.push("timer"), 0);
    const busyUntil = performance.now() + 1;
    while (performance.now() < busyUntil);
  }
  expect(seen).toContain("timer");
  expect(seen.at(-1)).toBe("console");
});

test("an abort does not wait for a log that never flushes", async () => {
  const log = memoryLog();
  const stuck: RunLog = Object.assign(Object.create(log) as RunLog, {
    id: log.id,
    append: log.append.bind(log),
    read: log.read.bind(log),
    flush: () => new Promise<void>(() => {}),
  });
  await using session = new CodeAgent({ model: scriptedModel([answer]) }).session({ log: stuck });
  const run = session.run("go");
  for await (const event of run.events()) if (event.type === "run-end") break;
  run.abort("enough");
  expect((await run.result).status).toBe("aborted");
});

test("budget.durationMs interrupts the step, and the run answers with what it knows", async () => {
  const slow = tool({
    name: "slow",
    description: "Never ends.",
    input: {},
    effects: "none",
    execute: (_input, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  // Only the request for a final answer has no `stop`. On a slow machine, this may already be the
  // first request.
  const model = scriptedModel(({ stop }) => (stop ? "<code>\nawait slow({})\n</code>" : "what I have"));
  const run = new CodeAgent({ model, tools: [slow], budget: { durationMs: 300 } }).run("go");
  expect(await run).toBe("what I have");
  expect((await run.result).status).toBe("budget");
});

test("budget.durationMs ends a model that is silent and ignores the signal", async () => {
  const model: Model = {
    id: "silent",
    async *stream({ stop }): AsyncGenerator<ModelEvent> {
      if (stop) await new Promise(() => {});
      yield { type: "text-delta", text: "late" };
      yield { type: "end", finishReason: "stop" };
    },
  };
  const { status, output } = await new CodeAgent({ model, budget: { durationMs: 300 } }).run("go").result;
  expect([status, output]).toEqual(["budget", "late"]);
});

/** A run of about 3,000 events, which is more than a run keeps in memory for late readers. */
async function longRun(log: RunLog) {
  const block = "<code>\nfor (let i = 0; i < 900; i++) print(i)\n</code>";
  const agent = new CodeAgent({ model: scriptedModel([block, block, block, answer]) });
  const run = agent.session({ log }).run("go");
  await run;
  return { run };
}

async function seqsOf(events: AsyncIterable<RunEvent>): Promise<readonly number[]> {
  const seqs: number[] = [];
  for await (const { seq } of events) seqs.push(seq);
  return seqs;
}

test("a late reader gets every event, the oldest ones from the log", async () => {
  const log = memoryLog();
  const { run } = await longRun(log);
  const all = log.events.map(({ seq }) => seq);
  expect(all.length).toBeGreaterThan(2_500);
  expect(await seqsOf(run.events())).toEqual(all);
  expect(await seqsOf(run.events({ flushed: true }))).toEqual(all);
  expect(await seqsOf(run.events({ fromSeq: 700 }))).toEqual(all.slice(699));
  expect(await seqsOf(run.events({ fromSeq: 700, flushed: true }))).toEqual(all.slice(699));
});

test("a reader that starts in the middle of a long run misses nothing and gets nothing twice", async () => {
  const log = memoryLog();
  const block = "<code>\nfor (let i = 0; i < 900; i++) print(i)\n</code>";
  let late: Promise<readonly number[]>[] = [];
  const look = tool({
    name: "look",
    description: "Lets readers begin.",
    input: {},
    execute: (): string => {
      late = [seqsOf(durableOf(run.events())), seqsOf(run.events({ flushed: true }))];
      return "";
    },
  });
  const model = scriptedModel([block, block, "<code>\nawait look({})\n</code>", block, answer]);
  const run = new CodeAgent({ model, tools: [look] }).session({ log }).run("go");
  await run;
  const all = log.events.map(({ seq }) => seq);
  expect(await Promise.all(late)).toEqual([all, all]);
});

async function* durableOf(events: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent, void> {
  for await (const event of events) if (isDurableType(event.type)) yield event;
}

test("if the log cannot be read, a late reader gets the events that are in memory", async () => {
  const log = memoryLog();
  const broken: RunLog = Object.assign(Object.create(log) as RunLog, {
    id: log.id,
    append: log.append.bind(log),
    flush: log.flush.bind(log),
    read: (fromSeq?: number) => {
      if (log.events.length > 2_500) throw new Error("the disk is gone");
      return log.read(fromSeq);
    },
  });
  const { run } = await longRun(broken);
  const seqs = await seqsOf(run.events());
  expect(seqs.length).toBeGreaterThan(500);
  expect(seqs.at(-1)).toBe(log.events.length);
  expect((await seqsOf(run.events({ flushed: true }))).at(-1)).toBe(log.events.length);
});
