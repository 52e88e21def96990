import { memoryLog } from "@smolts/memory";
import { AgentError, type DurableEvent } from "@smolts/protocol";
import { expect, test } from "vitest";
import { at, logOf, start } from "./a-run.ts";

const eventsFrom = async (events: AsyncIterable<DurableEvent>): Promise<DurableEvent[]> => {
  const read: DurableEvent[] = [];
  for await (const event of events) read.push(event);
  return read;
};

test("append returns the event with its number and time", () => {
  const log = memoryLog({ now: () => 7 });
  expect(log.append({ type: "step-start", stepNumber: 1 }, at)).toEqual({
    type: "step-start",
    stepNumber: 1,
    runId: "run-1",
    path: ["agent"],
    seq: 1,
    time: 7,
  });
  expect(log.append({ type: "step-start", stepNumber: 2 }, at).seq).toBe(2);
  expect(log.events).toHaveLength(2);
});

test("read starts at the given number, and ends", async () => {
  const log = logOf(start("a"), { type: "step-start", stepNumber: 1 }, { type: "step-start", stepNumber: 2 });
  expect((await eventsFrom(log.read())).map((event) => event.seq)).toEqual([1, 2, 3]);
  expect((await eventsFrom(log.read(3))).map((event) => event.seq)).toEqual([3]);
  expect(await eventsFrom(log.read(4))).toEqual([]);
});

test("a log can continue an earlier one without changing it", () => {
  const earlier = logOf(start("a"));
  const log = memoryLog({ events: earlier.events });
  expect(log.append({ type: "step-start", stepNumber: 1 }, at).seq).toBe(2);
  expect(earlier.events).toHaveLength(1);
});

test("events that do not start at the beginning are refused", () => {
  const [, second] = logOf(start("a"), { type: "step-start", stepNumber: 1 }).events;
  expect(() => memoryLog({ events: [second as DurableEvent] })).toThrow(/event 1 of the log has seq "2"; expected 1/);
});

test("equal bytes are stored once", async () => {
  const log = memoryLog();
  const bytes = new TextEncoder().encode("abc");
  const first = await log.putBlob(bytes, "text/plain");
  bytes[0] = 0;
  const second = await log.putBlob(new TextEncoder().encode("abc"), "text/plain");
  expect(first).toEqual({
    digest: "sha256-ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0",
    mediaType: "text/plain",
    size: 3,
  });
  expect(second).toEqual(first);
  expect(new TextDecoder().decode(await log.readBlob(first.digest))).toBe("abc");
});

test("the error about missing bytes names them", async () => {
  const failure = await memoryLog()
    .readBlob("sha256-x")
    .catch((error: unknown) => error);
  expect(AgentError.is(failure) && failure.code).toBe("log");
});

test("each log has its own id", () => {
  expect(memoryLog().id).not.toBe(memoryLog().id);
});
