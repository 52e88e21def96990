import type { DurableEvent } from "@smolts/protocol";
import { exportHtml } from "@smolts/ui";
import { expect, test } from "vitest";
import { foldSession, stepsOf } from "../../client/fold/session-view.ts";
import { fieldsOf, formInput, formProblem, unseenFields } from "../../client/parts/schema-form.tsx";
import { withDeltas } from "../../client/replay.ts";
import { readRunFile } from "../../client/run-file.ts";
import { receiptsAgent } from "../browser/example-agents.ts";

async function logOf(): Promise<DurableEvent[]> {
  const session = receiptsAgent().session();
  await session.run("Which client got the most expensive receipt?");
  const events: DurableEvent[] = [];
  for await (const event of session.log.read()) events.push(event);
  await session[Symbol.asyncDispose]();
  return events;
}

const linesOf = (events: readonly unknown[]): string => events.map((event) => JSON.stringify(event)).join("\n");

test("a run file is read line by line; damaged and newer events are counted, not guessed", async () => {
  const events = await logOf();
  expect(readRunFile(linesOf(events)).events).toEqual(events);
  const odd = [
    events[0],
    { ...events[1], type: "time-travel" },
    "not json",
    { type: "step-start" },
    ...events.slice(2),
  ];
  const read = readRunFile(`${linesOf(odd)}\n{"type":`);
  expect(read.events.length).toBe(events.length - 1);
  expect(read.problems.map(({ type }) => type)).toEqual(["newer", "unreadable"]);
});

test.each([
  ["", "empty"],
  ["hello", "not-a-run"],
  ["<!doctype html><p>nothing</p>", "not-a-run"],
  [`${"[".repeat(200_000)}`, "not-a-run"],
  ['{"type":"run-start"}', "not-a-run"],
])("a text that is not a run file is refused: %#", (text, type) => {
  expect(() => readRunFile(text)).toThrow(expect.objectContaining({ type }));
});

test("a line with invalid fields counts as unreadable and does not break the page", async () => {
  const [start, ...rest] = await logOf();
  for (const broken of [
    { ...rest[1], message: 5 },
    { ...rest[1], timing: null },
    { ...rest[0], time: "now" },
    { ...rest[0], path: "agent" },
  ])
    expect(readRunFile(linesOf([start, broken])).problems).toEqual([{ type: "unreadable", count: 1 }]);
});

test("events that only change the model's prompt or request are known, too", async () => {
  const [start, ...rest] = await logOf();
  const stamp = { runId: start!.runId, path: start!.path, time: start!.time };
  const compaction = { reason: "share", through: null, shortened: [], summary: null, keptCalls: [] };
  const timing = { startTime: 1, endTime: 2 };
  const others = [
    { ...stamp, type: "compaction", seq: 1_001, stepNumber: 1, timing, ...compaction },
    { ...stamp, type: "approval-policy", seq: 1_002, callId: "c", input: {}, definitionDigest: "d" },
  ];
  expect(readRunFile(linesOf([start, ...rest, ...others])).problems).toEqual([]);
});

test("an exported page can be opened like the run file that it contains", async () => {
  const events = await logOf();
  expect(readRunFile(await exportHtml(events)).events).toEqual(events);
});

test("a replay writes an answer between its start and its end, and ends in the same view", async () => {
  const events = (await logOf()).map((event) =>
    event.type === "model-response"
      ? { ...event, time: event.time + 2_000, timing: { ...event.timing, endTime: event.timing.startTime + 2_000 } }
      : event,
  );
  const played = withDeltas(events);
  expect(played.filter(({ type }) => type === "code-delta").length).toBeGreaterThan(10);
  const shown = (all: Iterable<(typeof played)[number]>): unknown =>
    stepsOf(foldSession(all).runs[0]!).map(({ thought, code }) => [thought, code]);
  expect(shown(played)).toEqual(shown(events));
});

test("a form has the fields of the schema and of the value, and changes only the edited fields", () => {
  const schema = {
    type: "object",
    required: ["to"],
    properties: {
      to: { type: "string" },
      copies: { type: "integer" },
      urgent: { type: "boolean" },
      kind: { enum: ["a", "b"] },
      options: { type: "object", properties: { deep: { type: "number" } } },
    },
  };
  const input = { to: "ana", copies: 2, options: { deep: 1.5 }, extra: [1] };
  const fields = fieldsOf(input, schema);
  expect(fields.map(({ path, kind }) => [path, kind])).toEqual([
    ["to", "text"],
    ["copies", "integer"],
    ["urgent", "boolean"],
    ["kind", "choice"],
    ["options.deep", "number"],
    ["extra", "json"],
  ]);
  expect(formInput(fields, {})).toEqual(input);
  expect(formInput(fields, { "options.deep": { text: "2" }, urgent: { text: "true" } })).toEqual({
    ...input,
    options: { deep: 2 },
    urgent: true,
  });
  const t = (key: string): string => key;
  expect(formProblem(fields, { copies: { text: "1.5" } }, t)).toBe("fieldInteger");
  expect(formProblem(fields, { extra: { text: "[1," } }, t)).toBe("fieldJson");
});

test("a long value is folded at first", () => {
  const fields = fieldsOf({ body: "x".repeat(20_000), to: "ana" }, null);
  expect(unseenFields(fields, {})).toBe(1);
  expect(unseenFields(fields, { body: { isUnfolded: true } })).toBe(0);
});
