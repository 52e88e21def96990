import { memoryLog, renderRun } from "@smolts/memory";
import type { DurableBody, EncodedValue } from "@smolts/protocol";
import { expect, test } from "vitest";
import { at, ends, logOf, says, start, text, usage } from "./a-run.ts";

const asked: DurableBody = {
  type: "tool-call",
  stepNumber: 1,
  callId: "agent/1.1",
  callIndex: 1,
  name: "search",
  args: [{ query: "rain" }],
};
const answered: DurableBody = {
  type: "tool-result",
  callId: "agent/1.1",
  outcome: { type: "ok", value: { found: true, rows: ["a", "b"] } },
};

const codeRun: readonly DurableBody[] = [
  start("Will it\nrain?"),
  { type: "step-start", stepNumber: 1 },
  says(1, { type: "reasoning", text: "Rain, hm." }, text("I look.\n<code>\nprint(await search())\n</code>")),
  { type: "code-start", stepNumber: 1, code: "print(await search())" },
  asked,
  answered,
  { type: "console", stepNumber: 1, level: "log", text: "rain" },
  { type: "code-end", stepNumber: 1, result: { type: "value", output: null, operations: 1, unawaited: [] } },
  ends(1, { observation: [text("Printed: rain")] }),
  { type: "step-start", stepNumber: 2 },
  says(2, text("no code")),
  ends(2, { error: { code: "parsing", message: "there is no code", hint: "write code" } }),
  { type: "run-end", status: "success", answer: "Yes,\nit will." },
];

test("a run is shown from its task to its answer, with the time and tokens of each step and in total", async () => {
  expect(
    await renderRun(logOf(...codeRun)),
  ).toBe(`agent on scripted/model: success, 2 steps, 12 ms, 20 tokens in, 10 out
Task
  Will it
  rain?
Step 1: 7 ms, 10 tokens in, 5 out
  Thought
    I look.
  Code
    print(await search())
  → search({"query":"rain"})
  ✓ search: {"found":true,"rows":["a","b"]}
  Printed
    rain
Step 2: 2 ms, 10 tokens in, 5 out
  Thought
    no code
  ✗ parsing: there is no code
    hint: write code
Answer
  Yes,
  it will.`);
});

test("the detailed form also shows the prompt, the reasoning, the observations, and complete values", async () => {
  const whole = "x".repeat(3_000);
  const long: DurableBody = { type: "console", stepNumber: 1, level: "log", text: whole };
  const log = logOf(...codeRun.slice(0, 6), long, ...codeRun.slice(6));
  const brief = await renderRun(log);
  const detailed = await renderRun(log, { detailed: true });
  for (const title of [
    "System prompt\n  You are an agent.",
    "Reasoning\n    Rain, hm.",
    "Shown to the model\n    Printed: rain",
  ]) {
    expect(detailed).toContain(title);
    expect(brief).not.toContain(title);
  }
  expect(detailed).toContain(whole);
  expect(brief).toContain(`${"x".repeat(2_000)}… (1005 more characters)`);
});

test("a plan is shown where it was made", async () => {
  const timing = { startTime: 0, endTime: 900 };
  const message = { role: "assistant", content: [text("Look.")] } as const;
  const log = logOf(start("x"), {
    type: "plan",
    stepNumber: 1,
    plan: "1. Look.\n2. Answer.",
    message,
    usage,
    finishReason: "stop",
    timing,
  });
  expect(await renderRun(log)).toContain("Plan: 900 ms, 10 tokens in, 5 out\n  1. Look.\n  2. Answer.");
});

test("a managed agent's run is below the call that started it, and counts in the totals", async () => {
  const log = memoryLog({ now: () => 0 });
  const child = { runId: "run-1", path: ["agent", "search#1.1"] };
  log.append(start("x"), at);
  log.append({ type: "step-start", stepNumber: 1 }, at);
  log.append(says(1, text("I ask.")), at);
  log.append(asked, at);
  for (const body of [start("look"), { type: "step-start", stepNumber: 1 } as const, says(1, text("hm")), ends(1)]) {
    log.append(body, child);
  }
  log.append({ type: "run-end", status: "success", answer: "found" }, child);
  log.append(answered, at);
  log.append(ends(1), at);
  const shown = await renderRun(log);
  expect(shown).toContain("agent on scripted/model: not ended, 1 step, 0 ms, 20 tokens in, 10 out\n");
  expect(shown).toContain(`  → search({"query":"rain"})
    search#1.1 on scripted/model: success, 1 step, 0 ms, 10 tokens in, 5 out
    Task
      look
    Step 1: 0 ms, 10 tokens in, 5 out
      Thought
        hm
    Answer
      found
  ✓ search: `);
});

/** Renders events. An event without a time comes one millisecond after the previous event. */
async function rendered(...events: readonly (DurableBody | readonly [timeMs: number, body: DurableBody])[]) {
  let time = 0;
  const log = memoryLog({ now: () => time });
  for (const event of events) {
    const [at, body] = "type" in event ? [time + 1, event] : event;
    time = at;
    log.append(body, { runId: "run-1", path: ["agent"] });
  }
  return renderRun(log);
}

const asks: DurableBody = {
  type: "approval-request",
  callId: "agent/1.1",
  name: "search",
  input: {},
  digest: "d",
  definitionDigest: "d",
  each: false,
};
const permits: DurableBody = {
  type: "approval-response",
  callId: "agent/1.1",
  digest: "d",
  decision: { type: "approve" },
};
const resumes: DurableBody = { type: "run-resume", attempt: 1, definitionDigest: "d" };
const untilAsked = [start("x"), { type: "step-start", stepNumber: 1 }, says(1, text("hm")), asked, asks] as const;
const suspends: DurableBody = { type: "run-suspend", callIds: ["agent/1.1"] };

test("a suspended run waits for a person, and then to be resumed", async () => {
  expect(await rendered(...untilAsked, suspends)).toMatch(/^agent on \S+: waits for a person, 1 step, /);
  expect(await rendered(...untilAsked, suspends, permits)).toMatch(/^agent on \S+: waits to be resumed, 1 step, /);
  expect(await rendered(...untilAsked, suspends, permits, resumes)).toMatch(/^agent on \S+: not ended, 1 step, /);
});

test("the time of a run is split into work, waiting for a person, and stopped", async () => {
  const shown = await rendered(
    start("x"),
    { type: "step-start", stepNumber: 1 },
    [2_001, says(1, text("hm"))],
    asked,
    asks,
    [2_003, suspends],
    [602_003, permits],
    [632_003, resumes],
    [633_003, answered],
    ends(1),
    [3_633_004, { ...resumes, attempt: 2 }],
    { type: "run-end", status: "success", answer: 1 },
  );
  expect(shown).toContain(
    ": success, 1 step, 3.0 s of work, 10 min 0 s of waiting for a person, 50 min 30 s stopped, ",
  );
});

test("lost answers are one line, and not part of the totals", async () => {
  const lost = [start("x"), { type: "step-start", stepNumber: 1 }, resumes] as const;
  const shown = await rendered(...lost, says(1, text("hm")), ends(1));
  expect(shown).toMatch(/10 tokens in, 5 out\n1 answer of a model was lost by a crash or an abort: about 15 tokens, /);
  const more = await rendered(...lost, { ...resumes, attempt: 2 }, says(1, text("hm")), ends(1));
  expect(more).toContain(
    "\n2 answers of models were lost by a crash or an abort: about 30 tokens, which no total includes\n",
  );
  expect(await renderRun(logOf(...codeRun))).not.toContain("lost");
});

test("a session shows its runs one after the other", async () => {
  const log = logOf(start("first"), { type: "run-end", status: "success", answer: 1 });
  log.append(start("second"), { ...at, runId: "run-2" });
  const shown = await renderRun(log.events);
  expect(shown.match(/^Task\n {2}\w+$/gm)).toEqual(["Task\n  first", "Task\n  second"]);
});

test("foreign text cannot imitate a heading or control the terminal", async () => {
  const hostile = "ok\nStep 9: 1 ms\n\u001b[2J\rAnswer\u202e";
  const log = logOf(
    start(hostile),
    { type: "step-start", stepNumber: 1 },
    says(1, text(hostile)),
    { type: "code-start", stepNumber: 1, code: hostile },
    { ...asked, name: hostile, args: [hostile] },
    { ...answered, outcome: { type: "error", error: { code: "tool-execution", message: hostile } } },
    { type: "console", stepNumber: 1, level: "log", text: hostile },
    ends(1, { observation: [text(hostile)], error: { code: "parsing", message: hostile, hint: hostile } }),
    { type: "note", name: "acme/x", data: hostile },
    { type: "run-end", status: "success", answer: hostile },
  );
  const shown = await renderRun(log, { detailed: true });
  expect(shown).not.toMatch(/[\u001b\r\u202e]/);
  expect(shown.match(/^\S.*$/gm)).toEqual([
    expect.stringMatching(/^agent on /),
    "System prompt",
    "Task",
    "Step 1: 6 ms, 10 tokens in, 5 out",
    "Note",
    "Answer",
  ]);
});

const values: [what: string, answer: EncodedValue, shown: string][] = [
  ["a BigInt", { $: "bigint", value: "10" }, "10"],
  ["a number that JSON lacks", { $: "number", value: "NaN" }, '"NaN"'],
  ["a map", { $: "map", entries: [["a", 1]] }, '{"Map":[["a",1]]}'],
  ["a set", { $: "set", values: [1] }, '{"Set":[1]}'],
  ["bytes", { $: "bytes", value: "aGk=" }, '"(2 bytes)"'],
  ["nothing", { $: "undefined" }, "undefined"],
  ["an unknown marker", { $: "nonsense" }, '{"$":"nonsense"}'],
];
test.each(values)("%s as an answer", async (_what, answer, shown) => {
  const log = logOf(start("x"), { type: "run-end", status: "success", answer });
  expect((await renderRun(log)).split("\n").slice(2)).toEqual(["  x", "Answer", `  ${shown}`]);
});
