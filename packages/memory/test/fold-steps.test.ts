import { createStepFold, foldSteps } from "@smolts/memory";
import type { ActionStep, DurableBody, DurableEvent } from "@smolts/protocol";
import { expect, test } from "vitest";
import { at, ends, logOf, says, start, text, usage } from "./a-run.ts";

const codeStep: readonly DurableBody[] = [
  { type: "step-start", stepNumber: 1 },
  says(1, text("<code>\nprint(1); 2n\n</code>")),
  { type: "code-start", stepNumber: 1, code: "print(1); 2n" },
  { type: "tool-call", stepNumber: 1, callId: "c1", callIndex: 1, name: "search", args: [{ q: "x" }] },
  {
    type: "tool-start",
    callId: "c1",
    attempt: 1,
    generation: 1,
    input: { q: "x" },
    effects: "once",
    idempotencyKey: "k",
  },
  { type: "tool-result", callId: "c1", outcome: { type: "ok", value: ["found"] } },
  { type: "console", stepNumber: 1, level: "log", text: "1" },
  { type: "console", stepNumber: 1, level: "warn", text: "two" },
  {
    type: "code-end",
    stepNumber: 1,
    result: {
      type: "value",
      output: { text: "2n", value: { $: "bigint", value: "2" } },
      operations: 5,
      unawaited: [],
    },
  },
  ends(1, { observation: [text("1\ntwo\n2n")], answer: { value: 3 } }),
];

const actionsOf = (events: readonly DurableEvent[]): ActionStep[] =>
  foldSteps(events).filter((step) => step.type === "action");

test("the steps of a run with one code step are complete", () => {
  const log = logOf(start("Add."), ...codeStep, { type: "run-end", status: "success", answer: 3 });
  expect(foldSteps(log.events)).toEqual([
    { type: "system-prompt", text: "You are an agent." },
    { type: "task", runId: "run-1", content: [text("Add.")] },
    {
      type: "action",
      runId: "run-1",
      stepNumber: 1,
      modelOutput: { role: "assistant", content: [text("<code>\nprint(1); 2n\n</code>")] },
      code: "print(1); 2n",
      toolCalls: [{ callId: "c1", name: "search", args: [{ q: "x" }], outcome: { type: "ok", value: ["found"] } }],
      logs: "1\ntwo",
      output: { $: "bigint", value: "2" },
      observation: [text("1\ntwo\n2n")],
      error: null,
      answer: { value: 3 },
      usage,
      timing: { startTime: 2, endTime: 11 },
    },
    { type: "final-answer", runId: "run-1", answer: 3 },
  ]);
});

test("steps survive JSON unchanged", () => {
  const log = logOf(start("Add."), ...codeStep, { type: "note", name: "acme/x", data: [1] });
  const steps = foldSteps(log.events);
  expect(JSON.parse(JSON.stringify(steps))).toStrictEqual(steps);
  expect(JSON.parse(JSON.stringify(foldSteps(JSON.parse(JSON.stringify(log.events)))))).toStrictEqual(steps);
});

test("adding events one by one has the same result as folding all of them, after each event", () => {
  const { events } = logOf(start("Add."), ...codeStep, { type: "run-end", status: "success", answer: 3 });
  const fold = createStepFold();
  events.forEach((event, index) => {
    fold.add(event);
    expect(fold.steps).toEqual(foldSteps(events.slice(0, index + 1)));
  });
});

test("an ended step stays the same object, and the current one has the data so far", () => {
  const { events } = logOf(start("Add."), ...codeStep, { type: "step-start", stepNumber: 2 }, says(2, text("hm")));
  const fold = createStepFold();
  for (const event of events.slice(0, -2)) fold.add(event);
  const before = fold.steps;
  expect(fold.steps).toBe(before);
  for (const event of events.slice(-2)) fold.add(event);
  expect(fold.steps.slice(0, 3).every((step, index) => step === before[index])).toBe(true);
  expect(fold.steps[3]).toMatchObject({ stepNumber: 2, modelOutput: { content: [text("hm")] }, error: null });
});

test("a running call has no outcome yet", () => {
  const { events } = logOf(start("Add."), ...codeStep.slice(0, 4));
  expect(actionsOf(events)[0]?.toolCalls).toEqual([
    { callId: "c1", name: "search", args: [{ q: "x" }], outcome: null },
  ]);
});

test("the unfinished step of a failed model call is kept, with the run's error", () => {
  const error = { code: "generation", message: "no answer" } as const;
  const { events } = logOf(
    start("Add."),
    { type: "step-start", stepNumber: 1 },
    { type: "run-end", status: "failed", error },
  );
  const steps = foldSteps(events);
  expect(steps.map((step) => step.type)).toEqual(["system-prompt", "task", "action"]);
  expect(actionsOf(events)[0]).toMatchObject({ modelOutput: null, error, timing: { startTime: 2, endTime: 3 } });
});

test("an error of the run does not change a step that has ended", () => {
  const error = { code: "generation", message: "no answer" } as const;
  const { events } = logOf(start("Add."), ...codeStep, { type: "run-end", status: "failed", error });
  expect(actionsOf(events).map((step) => step.error)).toEqual([null]);
});

test("a resume does not change the steps", () => {
  const cut = codeStep.slice(0, 4);
  const resume: DurableBody = { type: "run-resume", attempt: 2, definitionDigest: "d" };
  const resumed = actionsOf(logOf(start("Add."), ...cut, resume, ...codeStep.slice(4)).events);
  const straight = actionsOf(logOf(start("Add."), ...codeStep).events);
  expect(resumed.map(({ timing, ...rest }) => rest)).toEqual(straight.map(({ timing, ...rest }) => rest));
});

test("a session's second run adds its task, and a system prompt only if it differs", () => {
  const again = foldSteps(logOf(start("One."), ...codeStep, start("Two.")).events);
  expect(again.map((step) => step.type)).toEqual(["system-prompt", "task", "action", "task"]);
  const changed = foldSteps(logOf(start("One."), start("Two.", "You are another.")).events);
  expect(changed.map((step) => step.type)).toEqual(["system-prompt", "task", "system-prompt", "task"]);
});

test("a step that a killed process left open is closed by the next run", () => {
  const steps = foldSteps(logOf(start("One."), ...codeStep.slice(0, 3), start("Two.")).events);
  expect(steps.map((step) => step.type)).toEqual(["system-prompt", "task", "action", "task"]);
  expect(steps[2]).toMatchObject({ code: "print(1); 2n", error: null });
});

test("a result that arrives after the end of its step has no effect", () => {
  const { events } = logOf(
    start("Add."),
    ...codeStep.slice(0, 4),
    ends(1),
    { type: "step-start", stepNumber: 2 },
    { type: "tool-result", callId: "c1", outcome: { type: "ok", value: 1 } },
  );
  expect(actionsOf(events).map((step) => step.toolCalls.map((call) => call.outcome))).toEqual([[null], []]);
});

test("only the events of one path are folded", () => {
  const log = logOf(start("Manage."), { type: "step-start", stepNumber: 1 });
  const child = { runId: "run-1", path: ["agent", "search#1.1"] };
  log.append(start("Search.", "You search."), child);
  log.append({ type: "step-start", stepNumber: 1 }, child);
  log.append({ type: "console", stepNumber: 1, level: "log", text: "inner" }, child);
  log.append(ends(1), at);
  expect(foldSteps(log.events).map((step) => step.type)).toEqual(["system-prompt", "task", "action"]);
  expect(foldSteps(log.events)[2]).toMatchObject({ logs: "" });
  expect(foldSteps(log.events, { path: child.path })[2]).toMatchObject({ logs: "inner" });
});

test("without a path, there are no steps before the first run", () => {
  expect(foldSteps(logOf({ type: "step-start", stepNumber: 1 }).events)).toEqual([]);
});

test("a note is a custom step", () => {
  const { events } = logOf(start("Add."), { type: "note", name: "acme/mark", data: { n: 1 } });
  expect(foldSteps(events)[2]).toEqual({ type: "custom", name: "acme/mark", data: { n: 1 } });
});

test("an output that is not plain data is left out", () => {
  const result = { type: "value", output: { text: "[Function: f]" }, operations: 1, unawaited: [] } as const;
  const { events } = logOf(
    start("Add."),
    { type: "step-start", stepNumber: 1 },
    { type: "code-end", stepNumber: 1, result },
  );
  expect(actionsOf(events)[0]?.output).toBeNull();
});
