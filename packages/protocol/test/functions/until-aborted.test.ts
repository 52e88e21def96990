import { onAbort, untilAborted } from "@smolts/protocol";
import { expect, test } from "vitest";

const never = (): Promise<never> => new Promise(() => {});

test("the result or the error of the task is passed on", async () => {
  const { signal } = new AbortController();
  await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
  await expect(untilAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
});

test("a task that ignores its signal no longer blocks its caller after an abort", async () => {
  const controller = new AbortController();
  const waiting = untilAborted(never(), controller.signal);
  controller.abort("enough");
  await expect(waiting).rejects.toBe("enough");
  await expect(untilAborted(never(), controller.signal)).rejects.toBe("enough");
});

test("many waits for one signal add one listener", () => {
  const { signal } = new AbortController();
  let added = 0;
  signal.addEventListener = () => void added++;
  for (let count = 0; count < 20; count++) void untilAborted(never(), signal);
  expect(added).toBe(1);
});

test("a removed listener is not called", () => {
  const controller = new AbortController();
  const called: string[] = [];
  onAbort(controller.signal, () => called.push("kept"));
  onAbort(controller.signal, () => called.push("removed"))();
  controller.abort();
  expect(called).toEqual(["kept"]);
});
