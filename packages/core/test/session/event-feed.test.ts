import { CodeAgent } from "@smolts/core";
import { memoryLog } from "@smolts/memory";
import type { Model, ModelEvent, RunLog } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const answer = "<code>\nfinalAnswer(1)\n</code>";

test("a reader that falls behind gets neighbouring deltas as one, and loses no text", async () => {
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

test("a reader with a long queue lets timers fire before it has read it all", async () => {
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

test("a log that never says that it is safe does not hold up an abort", async () => {
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

test("budget.durationMs breaks off what is going on, and the run answers from what it has", async () => {
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
  // However slow the machine is, the model is asked for an answer once the time is over.
  const model = scriptedModel(({ stop }) => (stop ? "<code>\nawait slow({})\n</code>" : "what I have"));
  const run = new CodeAgent({ model, tools: [slow], budget: { durationMs: 300 } }).run("go");
  expect(await run).toBe("what I have");
  expect((await run.result).status).toBe("budget");
});

test("budget.durationMs ends a model that says nothing and heeds no signal", async () => {
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
