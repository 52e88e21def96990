import type { DurableEvent, RunEvent } from "@smolts/protocol";
import { expect, test } from "vitest";
import { answerSource } from "../../client/fold/answer-source.ts";
import { phaseOf } from "../../client/fold/phase.ts";
import { planParts } from "../../client/fold/plan-items.ts";
import { createSessionFold, foldSession, stepsOf, totalUsageOf } from "../../client/fold/session-view.ts";
import { gistOf, splitThought, thoughtBefore } from "../../client/fold/thought.ts";
import { timeByKind, timeParts } from "../../client/fold/time-parts.ts";
import { receiptsAgent, teamAgent } from "../browser/example-agents.ts";

async function eventsOf(run: { events(): AsyncIterable<RunEvent> }): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run.events()) events.push(event);
  return events;
}

const durable = (events: readonly RunEvent[]): DurableEvent[] =>
  events.filter((event): event is DurableEvent => !event.type.endsWith("-delta"));

test("a run is shown as its steps, its answer with its origin, and its usage", async () => {
  const events = await eventsOf(receiptsAgent().run("Which client got the most expensive receipt?"));
  const [run] = foldSession(events).runs;
  expect(stepsOf(run!).map(({ number, error }) => [number, error?.name ?? null])).toEqual([
    [1, null],
    [2, "SQLite3Error"],
    [3, null],
  ]);
  expect(stepsOf(run!)[0]?.thought).toBe(
    "I have not seen this table yet. I look at a few rows before I rely on anything.",
  );
  expect(run?.answer).toEqual({ value: "Woodrow Wilson" });
  expect(answerSource(run!)).toEqual({ expression: "mostExpensive.customer_name", stepNumber: 3 });
  expect(totalUsageOf(run!).totalTokens).toBe(747 + 984 + 1221);
});

test("the log alone, without deltas, ends in the same view; an event that comes twice counts once", async () => {
  const events = await eventsOf(receiptsAgent().run("Which client got the most expensive receipt?"));
  const plain = (all: readonly RunEvent[]): unknown => {
    const [run] = foldSession(all).runs;
    return stepsOf(run!).map(({ thought, code, calls, console: lines }) => [thought, code, calls.length, lines]);
  };
  const log = durable(events);
  expect(plain(log)).toEqual(plain(events));
  expect(plain([...log, ...log])).toEqual(plain(log));
});

test("after a reconnection at any delta, the view is the same as without it", async () => {
  const events = await eventsOf(receiptsAgent().run("Which client got the most expensive receipt?"));
  for (const cut of [3, 9, 20, 31, 64, 90]) {
    const fold = createSessionFold();
    for (const event of events.slice(0, cut)) fold.add(event);
    fold.forgetDeltas();
    const lastDurable = events.slice(0, cut).findLastIndex((event) => !event.type.endsWith("-delta"));
    for (const event of events.slice(lastDurable + 1)) fold.add(event);
    const [run] = fold.view.runs;
    const [whole] = foldSession(events).runs;
    expect(stepsOf(run!).map(({ thought, code }) => [thought, code])).toEqual(
      stepsOf(whole!).map(({ thought, code }) => [thought, code]),
    );
  }
});

test("a waiting call is listed until it is decided, and its wait counts as a person's time", async () => {
  const session = receiptsAgent().session();
  const asked = session.run("Send Woodrow Wilson a copy of his receipt.");
  const events = await eventsOf(asked);
  await asked.result;
  const fold = createSessionFold();
  for (const event of events) fold.add(event);
  const [call] = fold.view.waiting.values();
  expect([...fold.view.waiting.values()].map(({ name }) => name)).toEqual(["sendEmail"]);
  expect(phaseOf(fold.view.runs[0]!, fold.view.waiting.values())).toEqual({ type: "waiting", names: ["sendEmail"] });
  const { callId, digest, runId, path, askedAt } = call!.approval!;
  const at = { runId, path };
  fold.add({
    ...at,
    type: "approval-response",
    callId,
    digest,
    decision: { type: "approve" },
    seq: fold.view.seq + 1,
    time: askedAt + 5_000,
  });
  expect(fold.view.waiting.size).toBe(0);
  expect(timeByKind(timeParts(fold.view.runs[0]!)).person).toBe(5_000);
  await session[Symbol.asyncDispose]();
});

test("a managed agent's run is below its call, and its tokens count for the whole run", async () => {
  const events = await eventsOf(teamAgent().run("How high is Elbrus, and when was it first climbed?"));
  const view = foldSession(events);
  expect(view.runs.map(({ name }) => name)).toEqual(["manager"]);
  const calls = stepsOf(view.runs[0]!).flatMap((step) => step.calls);
  expect(calls.filter(({ agents }) => agents.length > 0).map(({ name, agents }) => [name, agents[0]?.name])).toEqual([
    ["surveyor", "surveyor"],
    ["historian", "historian"],
  ]);
  expect(totalUsageOf(view.runs[0]!).answers).toBeGreaterThan(view.runs[0]!.usage.answers);
});

test("the newest plan and step are drawn again when their run gets a newer plan, is suspended, or ends", () => {
  const fold = createSessionFold();
  let seq = 0;
  const add = (event: object): void =>
    fold.add({ runId: "r", path: ["agent"], time: seq, seq: ++seq, ...event } as unknown as RunEvent);
  const plan = (stepNumber: number) => ({
    type: "plan",
    stepNumber,
    plan: "1. Look",
    usage: null,
    timing: { startTime: 0, endTime: 1 },
  });
  const versions = (): readonly number[] => fold.view.runs[0]!.items.map(({ version }) => version);
  const grown = (before: readonly number[]): readonly boolean[] =>
    versions().map((version, index) => version > (before[index] ?? 0));
  add({ type: "run-start", task: [], model: "m", maxSteps: 9, systemPrompt: "" });
  add(plan(1));
  add({ type: "step-start", stepNumber: 1 });
  let before = versions();
  add(plan(2));
  expect(grown(before)).toEqual([true, false, true]);
  add({ type: "step-start", stepNumber: 2 });
  for (const event of [{ type: "run-suspend" }, { type: "run-resume" }, { type: "run-end", status: "interrupted" }]) {
    before = versions();
    add(event);
    expect(grown(before)).toEqual([false, false, true, true]);
  }
  before = versions();
  add({ type: "step-edit", stepNumber: 1, change: { plan: "1. Look twice" } });
  expect(grown(before)).toEqual([true, false, false, false]);
});

test("a plan is its numbered steps, compared with the previous plan: some are new and some dropped", () => {
  const before = "## Facts\nTwo summits.\n## Plan\n1. Ask\n2. Look it up twice\n3. Answer";
  const after = "## Facts\nTwo summits.\n## Plan\n1. Ask\n2. Say which summit\n3. **Answer**";
  expect(planParts(before, null)).toMatchObject({
    facts: "Two summits.",
    items: [{ text: "Ask", change: "same" }, {}, {}],
  });
  expect(planParts(after, before).items).toEqual([
    { text: "Ask", change: "same" },
    { text: "Look it up twice", change: "dropped" },
    { text: "Say which summit", change: "new" },
    { text: "Answer", change: "same" },
  ]);
  expect(planParts("Just do it.", null).items).toEqual([]);
});

test("the time of a run is divided without gaps or overlaps, whatever happened at the same time", async () => {
  for (const run of [
    receiptsAgent().run("Which client got the most expensive receipt?"),
    teamAgent().run("How high is Elbrus?"),
  ]) {
    const [view] = foldSession(await eventsOf(run)).runs;
    const parts = timeParts(view!);
    let time = view!.startTime;
    for (const part of parts) {
      expect(part.startTime).toBe(time);
      time = part.endTime;
    }
    expect(time).toBe(view!.endTime);
  }
});

test("the thought is the model's text before its code, without the tag", () => {
  expect(thoughtBefore("I look.\n<code>\nprint(1)\n</code>", "print(1)")).toBe("I look.");
  expect(thoughtBefore("I look.\n```js\nprint(1)\n```", "print(1)")).toBe("I look.");
  expect(thoughtBefore("No code at all.", null)).toBe("No code at all.");
  expect(gistOf("Thought: **I** look at `rows`\nfirst.")).toBe("I look at rows first.");
  expect(gistOf("**Thought:** `max_steps` is 2 * 3 * 4, so *all* of my_tool and __this__ fit.")).toBe(
    "max_steps is 2 * 3 * 4, so all of my_tool and this fit.",
  );
  expect(gistOf("- **first**, then\n- -1")).toBe("first, then - -1");
  expect(splitThought("## The **plan**\n## Next\nI go.")).toEqual({ head: "The plan", rest: "## Next\nI go." });
  expect(splitThought("First.\n\n- a\n- b")).toEqual({ head: "First.", rest: "- a\n- b" });
});

test("the work per step does not depend on the length of the run: ten times the events need about ten times the updates", () => {
  const log = (steps: number): RunEvent[] =>
    Array.from({ length: steps }, (_, index) => ({
      type: "step-start" as const,
      stepNumber: index + 1,
      runId: "r",
      path: ["agent"],
      seq: index + 2,
      time: index,
    }));
  const start = {
    type: "run-start",
    task: [],
    model: "m",
    maxSteps: 1,
    systemPrompt: "",
    runId: "r",
    path: ["agent"],
    seq: 1,
    time: 0,
  } as unknown as RunEvent;
  const view = foldSession([start, ...log(50_000)]);
  expect(view.runs[0]?.items.length).toBe(50_000);
});
