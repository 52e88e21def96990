import { retrying } from "@smolts/models";
import { AgentError, type JsonValue, type ModelEvent } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";
import { eventsOf, retriesIn } from "./events-of.ts";

const failing = (details?: JsonValue) => ({ error: new AgentError("generation", "busy", { details }) });
const quick = { attempts: 3, initialDelayMs: 1, maxDelayMs: 2 };

const passing: JsonValue[] = [
  { reason: "status", status: 429 },
  { reason: "status", status: 529, retryAfterMs: 1 },
  { reason: "timeout" },
  { reason: "unreachable" },
];
test.each(passing)("retries after %j", async (details) => {
  const model = scriptedModel([failing(details), failing(details), "42"]);
  const { text, events } = await eventsOf(retrying(model, quick));
  expect([text, retriesIn(events), model.requests.length]).toEqual(["42", [1, 2], 3]);
});

const lasting: (JsonValue | undefined)[] = [{ reason: "status", status: 401 }, { reason: "no-answer" }, undefined];
test.each(lasting)("does not retry after %j", async (details) => {
  const model = scriptedModel([failing(details), "42"]);
  expect((await eventsOf(retrying(model, quick))).error).toMatchObject({ message: "busy" });
  expect(model.requests.length).toBe(1);
});

test("stops after the last attempt", async () => {
  const model = scriptedModel(() => failing({ reason: "timeout" }));
  expect((await eventsOf(retrying(model, { ...quick, attempts: 4 }))).error).toMatchObject({ message: "busy" });
  expect(model.requests.length).toBe(4);
});

test("does not retry after a part of the answer was shown", async () => {
  const shown: ModelEvent[] = [{ type: "text-delta", text: "4" }];
  const error = new AgentError("generation", "busy", { details: { reason: "broke-off" } });
  const model = scriptedModel([{ text: "4", error }, "42"]);
  const { events } = await eventsOf(retrying(model, quick));
  expect([events.filter(({ type }) => type === "text-delta"), model.requests.length]).toEqual([shown, 1]);
});

test("requires a whole number of attempts", () => {
  expect(() => retrying(scriptedModel([]), { attempts: 0 })).toThrow(/whole number/);
});
