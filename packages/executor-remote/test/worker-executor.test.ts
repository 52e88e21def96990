// Tests the host's side of a worker that runs a language. Each test simulates the worker.

import { workerFactory } from "@smolts/executor-remote/worker";
import type { ConsoleLine, ExecuteOptions, ExecutionResult, Executor } from "@smolts/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const signal = new AbortController().signal;

interface ToWorker {
  readonly type: string;
  readonly execution?: number;
}

/**
 * A worker that the test simulates: the messages that it received, and functions to send messages
 * from it.
 */
interface ScriptedWorker {
  readonly received: ToWorker[];
  isTerminated: boolean;
  say(message: object): void;
  end(message: string): void;
}

let workers: ScriptedWorker[] = [];
/** Returns the CPU time of this process. */
let usedMs: () => number;

/** Returns the newest worker. */
const newest = (): ScriptedWorker => workers.at(-1) as ScriptedWorker;

const factory = () =>
  workerFactory({
    language: "javascript",
    engine: "the test's engine",
    create: ({ onMessage, onEnd }) => {
      const worker: ScriptedWorker = {
        received: [],
        isTerminated: false,
        say: (message) => onMessage(JSON.stringify(message)),
        end: onEnd,
      };
      workers.push(worker);
      return {
        post: (message) => void worker.received.push(typeof message === "string" ? JSON.parse(message) : message),
        terminate: () => {
          worker.isTerminated = true;
        },
        keepAlive: () => {},
        usedMs: () => usedMs(),
      };
    },
    shares: { mailbox: false, interrupt: true },
    limits: {},
    defaultLimits: { guestTimeMs: 30_000, memoryBytes: 0, outputCharacters: 0, pendingCalls: 0 },
    pool: 0,
    failureHint: "see the test",
    startLimitMs: 60_000,
    setup: async () => ({}),
  });

const run = (executor: Executor, own: Partial<ExecuteOptions> = {}): Promise<ExecutionResult> =>
  executor.execute("code", { signal, time: 0, seed: "", onCall: () => {}, onConsole: () => {}, ...own });

/** Advances the fake clock, and runs pending promise callbacks. */
const pass = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

async function starts(): Promise<void> {
  await pass();
  newest().say({ type: "ready", canWait: false });
  await pass();
  newest().say({ type: "started" });
  await pass();
}

async function opened(): Promise<Executor> {
  const executor = await factory().open({ signal });
  const started = executor.start({ tools: ["look"] });
  await starts();
  await started;
  return executor;
}

const finalAnswer = { type: "final-answer", args: [1], unawaited: [] };
const value = { type: "value", output: null, unawaited: [] };

beforeEach(() => {
  workers = [];
  vi.useFakeTimers();
  usedMs = () => performance.now();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a worker that ends by itself after an answer does not disturb the next one", async () => {
  await using executor = await opened();
  const first = run(executor);
  await pass();
  newest().say({ type: "result", execution: 1, result: finalAnswer });
  expect(await first).toMatchObject(finalAnswer);
  newest().end("it broke while it unwound");

  const second = run(executor);
  await pass(20_000); // the second worker is slow to start
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  await starts();
  newest().say({ type: "result", execution: 2, result: value });
  newest().say({ type: "unwound", execution: 2 });
  expect(await second).toMatchObject(value);
});

test("a block that has ended is no longer interrupted", async () => {
  await using executor = await opened();
  const first = run(executor);
  await pass();
  newest().say({ type: "result", execution: 1, result: finalAnswer });
  newest().say({ type: "unwound", execution: 1 });
  await first;
  await pass(20_000);
  expect(newest()).toMatchObject({ isTerminated: false });
  expect(newest().received.filter(({ type }) => type === "stop")).toHaveLength(1);
});

test.each([
  ["an answer", finalAnswer],
  ["a value", value],
])("a worker whose code continues after %s is replaced", async (_title, result) => {
  await using executor = await opened();
  const first = run(executor);
  await pass();
  newest().say({ type: "result", execution: 1, result });
  await first;
  const second = run(executor);
  await pass(60_000);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  await starts();
  newest().say({ type: "result", execution: 2, result: value });
  expect(await second).toMatchObject(value);
});

test("a stop is sent again, for a program that lost it and waits for a message", async () => {
  await using executor = await opened();
  const controller = new AbortController();
  const first = run(executor, { signal: controller.signal });
  await pass();
  controller.abort();
  await pass(200);
  expect(newest().received.filter(({ type }) => type === "stop").length).toBeGreaterThan(1);
  newest().say({ type: "unwound", execution: 1 });
  expect(await first).toMatchObject({ type: "stopped", reason: "aborted" });
  expect(newest().isTerminated).toBe(false);
});

/**
 * Starts a block and aborts it. Returns the block's promise in an object, so that `await` on this
 * function does not wait for the block.
 */
async function startAndAbort(executor: Executor): Promise<{ readonly first: Promise<ExecutionResult> }> {
  const controller = new AbortController();
  const first = run(executor, { signal: controller.signal });
  await pass();
  controller.abort();
  return { first };
}

test("a stop interrupts until the worker is killed, within a second", async () => {
  await using executor = await opened();
  const { first } = await startAndAbort(executor);
  await pass(1_000);
  expect(await first).toMatchObject({ type: "stopped", reason: "aborted" });
  expect(newest().isTerminated).toBe(true);
});

test("a worker that gets no CPU time is not killed, and keeps its variables", async () => {
  await using executor = await opened();
  usedMs = () => 0;
  const { first } = await startAndAbort(executor);
  await pass(10_000);
  newest().say({ type: "unwound", execution: 1 });
  const result = await first;
  expect(result).toMatchObject({ type: "stopped", reason: "aborted" });
  expect(result).not.toHaveProperty("error.hint");
  expect(newest().isTerminated).toBe(false);
});

test("a worker that never gets CPU time is killed in the end", async () => {
  await using executor = await opened();
  usedMs = () => 0;
  const { first } = await startAndAbort(executor);
  await pass(60_000);
  expect(await first).toMatchObject({ type: "stopped", error: { hint: expect.stringContaining("are gone") } });
  expect(newest().isTerminated).toBe(true);
});

test.each([
  ["is killed", finalAnswer, () => pass(60_000)],
  ["ends by itself", value, async () => newest().end("it broke while it unwound")],
])(
  "the block after one whose worker %s after its result says that the variables are gone",
  async (_title, result, act) => {
    await using executor = await opened();
    const first = run(executor);
    await pass();
    newest().say({ type: "result", execution: 1, result });
    await first;
    await act();
    for (const lines of [1, 0]) {
      const printed: ConsoleLine[] = [];
      const block = run(executor, { onConsole: (line) => void printed.push(line) });
      await pass();
      if (lines > 0) await starts();
      const execution = newest().received.at(-1)?.execution;
      newest().say({ type: "result", execution, result: value });
      newest().say({ type: "unwound", execution });
      await block;
      expect(printed.map(({ level }) => level)).toEqual(Array.from({ length: lines }, () => "warn"));
      expect(printed.every(({ text }) => text.includes("the variables of earlier steps are gone"))).toBe(true);
    }
  },
);

test("an outcome that arrives after a stop does not let the program continue forever", async () => {
  await using executor = await opened();
  const controller = new AbortController();
  const first = run(executor, { signal: controller.signal });
  await pass();
  newest().say({ type: "call", execution: 1, call: 1, name: "look", args: [] });
  controller.abort();
  const delivered = executor.deliver(1, { type: "ok", value: null }, 0, 1);
  await pass(1_000);
  await delivered;
  expect(await first).toMatchObject({ type: "stopped", reason: "aborted" });
  expect(newest().isTerminated).toBe(true);
});

test("starting a sandbox that is disposed meanwhile is an error that says so", async () => {
  const executor = await factory().open({ signal });
  await pass();
  newest().say({ type: "ready", canWait: false });
  const started = executor.start({ tools: [] }).catch((error: unknown) => error);
  await executor[Symbol.asyncDispose]();
  await pass();
  expect(await started).toMatchObject({ code: "executor", message: "the sandbox was disposed" });
});

test.each([
  ["ends", () => newest().end("it broke"), "the test's engine failed: it broke"],
  ["is disposed", (executor: Executor) => void executor[Symbol.asyncDispose](), "the sandbox was disposed"],
])(
  "a worker that %s between two blocks, before its guest has started, fails the block",
  async (_title, act, message) => {
    await using executor = await opened();
    newest().end("it broke before");
    const block = run(executor).catch((error: unknown) => error);
    await pass();
    newest().say({ type: "ready", canWait: false });
    await pass();
    act(executor);
    await pass();
    expect(await block).toMatchObject({ code: "executor", message });
  },
);
