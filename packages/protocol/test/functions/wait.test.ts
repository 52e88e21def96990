import { wait } from "@smolts/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the wait ends after its time", async () => {
  let isOver = false;
  const waiting = wait(100, new AbortController().signal).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(99);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(isOver).toBe(true);
});

test("an abort ends the wait with its reason, and clears the timer", async () => {
  const controller = new AbortController();
  const waiting = wait(100, controller.signal);
  controller.abort("enough");
  await expect(waiting).rejects.toBe("enough");
  expect(vi.getTimerCount()).toBe(0);
});

test("an aborted signal rejects even a wait of 0 ms", async () => {
  await expect(wait(0, AbortSignal.abort("enough"))).rejects.toBe("enough");
});
