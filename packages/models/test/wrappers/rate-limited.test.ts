import { rateLimited } from "@smolts/models";
import { scriptedModel } from "@smolts/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventsOf, request } from "./events-of.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("starts calls in order, with the limit's time between them", async () => {
  const starts: number[] = [];
  const begin = performance.now();
  const model = rateLimited(
    scriptedModel(() => {
      starts.push(Math.round(performance.now() - begin));
      return "ok";
    }),
    { requestsPerMinute: 30 },
  );
  const calls = [1, 2, 3].map(() => eventsOf(model));
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(calls);
  expect(starts).toEqual([0, 2_000, 4_000]);
  await eventsOf(model);
  expect(starts.at(-1)).toBe(10_000);
});

test("an abort ends the wait with its reason, without a call", async () => {
  const inner = scriptedModel(() => "ok");
  const model = rateLimited(inner, { requestsPerMinute: 1 });
  await eventsOf(model);
  const controller = new AbortController();
  const waiting = eventsOf(model, request, controller.signal);
  await vi.advanceTimersByTimeAsync(10);
  controller.abort(new Error("enough"));
  expect(String((await waiting).error)).toBe("Error: enough");
  expect(inner.requests.length).toBe(1);
});

test.each([0, -1, Number.NaN])("refuses a limit of %d", (requestsPerMinute) => {
  expect(() => rateLimited(scriptedModel([]), { requestsPerMinute })).toThrow(/expected a number/);
});
