import { type ProcessOptions, process } from "@smolts/executor-worker/process";
import { type ExecuteOptions, type ExecutionResult, type Executor, encodeValue } from "@smolts/protocol";
import { executorContract } from "@smolts/testing";
import { afterAll, describe, expect, test } from "vitest";
import { bundledGuest } from "./bundled-guest.ts";

const entry = await bundledGuest("guest-process.node");
const children = process({ pool: 2, entry });
const opened: Disposable[] = [children];
afterAll(() => {
  for (const factory of opened) factory[Symbol.dispose]();
});

const off = { guestTimeMs: 0, operations: 0, memoryBytes: 0, microtasks: 0 };

async function open(options: ProcessOptions): Promise<Executor> {
  const factory = process({ entry, pool: 0, ...options });
  opened.push(factory);
  const executor = await factory.open({ signal: new AbortController().signal });
  await executor.start({ tools: ["echo", "finalAnswer"] });
  return executor;
}

/** Runs a block. The tool `echo` returns its input. */
async function run(executor: Executor, code: string, options: Partial<ExecuteOptions> = {}): Promise<ExecutionResult> {
  return await executor.execute(code, {
    signal: new AbortController().signal,
    time: 1_000,
    seed: "seed",
    onConsole: () => {},
    onCall: ({ callIndex, args }) =>
      void executor.deliver(callIndex, { type: "ok", value: args[0] ?? null }, 2_000 + callIndex),
    ...options,
  });
}

const valueIn = (result: ExecutionResult): unknown => (result.type === "value" ? result.output?.value : result);

describe("the interpreter in a child process fulfils the contract of an executor", () => {
  for (const { title, run } of executorContract(children)) test(title, run);
});

describe("a block that fills the memory of its child ends with the reason memory, and its session continues", () => {
  const fillers = {
    objects: "const all = {}; for (let i = 0; ; i++) all[i] = { i };",
    "one text that doubles": "let all = 'x'.repeat(1e6); for (;;) { all += all; all.charCodeAt(all.length - 1); }",
  };
  for (const [title, code] of Object.entries(fillers)) {
    test(title, async () => {
      await using executor = await open({ heapMb: 32, limits: off });
      await run(executor, "let kept = await echo(41)");
      expect(await run(executor, code)).toMatchObject({ type: "stopped", reason: "memory" });
      expect(valueIn(await run(executor, "kept + 1"))).toBe(42);
    });
  }
});

test("memory outside the heap is limited too", async () => {
  await using executor = await open({ heapMb: 32, limits: off });
  const result = await run(executor, "const all = []; for (;;) all.push(new Uint8Array(4e6).fill(1));");
  // Normally the allocation fails, as it would in Node. If the child itself needs memory at that
  // moment, it dies instead.
  if (result.type === "error") expect(result.error.message).toMatch(/allocat/);
  else expect(result).toMatchObject({ type: "stopped", reason: "memory" });
  expect(valueIn(await run(executor, "6 * 7"))).toBe(42);
});

test("if the system kills a child, its block ends with the reason memory", async () => {
  await using executor = await open({ entry: new URL("dying-guest.mjs", import.meta.url) });
  expect(await run(executor, "0")).toMatchObject({ type: "stopped", reason: "memory", operations: 0 });
  expect(await run(executor, "0")).toMatchObject({ type: "stopped", reason: "memory" });
});

test("a child that does not react is killed a second after the time limit", async () => {
  await using executor = await open({ entry: new URL("deaf-child.mjs", import.meta.url), limits: { guestTimeMs: 50 } });
  expect(await run(executor, "0")).toMatchObject({ type: "stopped", reason: "guest-time", operations: 0 });
});

test("a child that cannot start is an error that says why", async () => {
  await using executor = await open({ entry: new URL("no-such-guest.mjs", import.meta.url) });
  await expect(run(executor, "0")).rejects.toMatchObject({
    code: "executor",
    message: expect.stringContaining("no-such-guest"),
  });
});

test("an abort stops a loop, and the operations of the block are known", async () => {
  await using executor = await open({ limits: off });
  await run(executor, "let kept = 41");
  const result = await run(executor, "for (;;);", { signal: AbortSignal.timeout(50) });
  expect(result).toMatchObject({ type: "stopped", reason: "aborted" });
  expect(valueIn(await run(executor, "kept + 1"))).toBe(42);
});

test("code in a child has no environment variables, and megabytes are passed unchanged", async () => {
  await using executor = await open({});
  expect(valueIn(await run(executor, "[typeof process, typeof require, typeof postMessage]"))).toEqual(
    Array(3).fill("undefined"),
  );
  const given = `${"a\u2028😀".repeat(300_000)}`;
  const result = await run(executor, "(await echo(given)) === given", { variables: { given: encodeValue(given) } });
  expect(valueIn(result)).toBe(true);
});

test("counts and ends like the interpreter in this process", async () => {
  await using executor = await open({ limits: { operations: 100_000 } });
  expect(await run(executor, "for (;;);")).toMatchObject({ reason: "operations", operations: 100_000 });
});

test("refuses heaps and pools that are not whole numbers", () => {
  expect(() => process({ heapMb: 1 })).toThrow("heapMb is 1");
  expect(() => process({ pool: 0.5 })).toThrow("pool is 0.5");
});

test("refuses a heap that is too small for the memory limit", () => {
  expect(() => process({ heapMb: 64, limits: { memoryBytes: 64 * 2 ** 20 } })).toThrow("expected at most 34603008");
});
