import type { RunEvent } from "@smolts/protocol";
import { expect, test } from "vitest";
import { foldSession } from "../../client/fold/session-view.ts";
import { barParts, type TimePart, timeByKind, timeParts } from "../../client/fold/time-parts.ts";
import { type Lane, lanesOf, summary } from "../../client/inspector/timeline-panel.tsx";
import { englishLanguage, translator } from "../../client/languages/strings.ts";
import { figuresFor } from "../../client/text/figures.ts";
import { receiptsAgent } from "../browser/example-agents.ts";

const app = { t: translator(englishLanguage), figures: figuresFor("en", "now") };

/** Returns the events of a run of three steps, at round times. The second step fails. */
async function eventsAtKnownTimes(): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of receiptsAgent().run("Which client got the most expensive receipt?").events())
    if (!event.type.endsWith("-delta")) events.push(event);
  const afterMs: Partial<Record<RunEvent["type"], number>> = {
    "step-start": 5,
    "model-response": 3_000,
    "code-start": 10,
    "tool-call": 90,
    "tool-result": 1,
    "code-end": 40,
    "step-end": 2,
  };
  let time = 1_000;
  return events.map((event) => {
    const before = time;
    time += afterMs[event.type] ?? 0;
    const timing = { startTime: before, endTime: time };
    return event.type === "model-response" ? { ...event, time, timing } : { ...event, time };
  });
}

const sumOf = (lanes: readonly Lane[], kind: Lane["kind"]): number =>
  lanes.filter((lane) => lane.kind === kind).reduce((sum, { durationMs }) => sum + durationMs, 0);

test("the lanes of the model and of code add up to their sums, and all sums add up to the whole time", async () => {
  const [run] = foldSession(await eventsAtKnownTimes()).runs;
  const sums = timeByKind(timeParts(run!));
  const lanes = lanesOf(run!, app);
  expect(sumOf(lanes, "model")).toBe(sums.model);
  expect(lanes.filter(({ kind }) => kind === "program").length).toBe(3);
  expect(sumOf(lanes, "program")).toBe(sums.tool + sums.code + sums.fault);
  expect(Object.values(sums).reduce((sum, part) => sum + part)).toBe(run!.endTime - run!.startTime);
});

test("in a failed step, the time of the model is not red, but the code and the failed call are", async () => {
  const [run] = foldSession(await eventsAtKnownTimes()).runs;
  const lanes = lanesOf(run!, app);
  const red = lanes.flatMap(({ label, bars }) =>
    bars.filter(({ kind }) => kind === "fault").map(({ startTime, endTime }) => [label, endTime - startTime]),
  );
  const code = lanes.find(({ kind, isFailed }) => kind === "program" && isFailed);
  expect(red).toEqual([
    ["Step 2", code?.durationMs],
    ["Code", code?.durationMs],
    ["sqlEngine", 1],
  ]);
  expect(code?.durationMs).toBeLessThan(200);
  expect(timeByKind(timeParts(run!)).fault).toBe(code?.durationMs);
});

test("the sentence above the timeline names what took most of the time, even if that was no work", () => {
  const none = { model: 0, tool: 0, person: 0, fault: 0, code: 0, rest: 0 };
  const said = (sums: Partial<typeof none>): string => summary({ ...none, ...sums }, 100, app.t);
  expect(said({ tool: 15, code: 7, model: 8, rest: 70 })).toBe(
    "Two thirds of the time neither the model nor tools were at work",
  );
  expect(said({ tool: 30, code: 30, model: 40 })).toBe("More than half of the time tools and code were at work");
  expect(said({ person: 99, rest: 1 })).toBe("Nearly all of the time it waited for you");
});

test("a bar of a few parts shows each of them; a bar of very many shows the sum of each kind", () => {
  const parts = (count: number): TimePart[] =>
    Array.from({ length: count }, (_, index) => ({
      kind: index % 2 === 0 ? "model" : "rest",
      startTime: index * 10,
      endTime: index * 10 + 10,
    }));
  expect(barParts(parts(4)).map(({ kind, length }) => [kind, length])).toEqual([
    ["model", 10],
    ["rest", 10],
    ["model", 10],
    ["rest", 10],
  ]);
  expect(barParts(parts(1_000))).toEqual([
    { kind: "model", length: 5_000 },
    { kind: "rest", length: 5_000 },
  ]);
});
