import { wait } from "@smolts/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("waiting is over when the time is", async () => {
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

test("an abort ends the waiting with its reason, and leaves no timer behind", async () => {
  const controller = new AbortController();
  const waiting = wait(100, controller.signal);
  controller.abort("enough");
  await expect(waiting).rejects.toBe("enough");
  expect(vi.getTimerCount()).toBe(0);
});

test("an aborted signal is heard even when there is nothing to wait for", async () => {
  await expect(wait(0, AbortSignal.abort("enough"))).rejects.toBe("enough");
});
