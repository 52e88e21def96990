// Prints how long other programs wait while one runs an infinite loop, for each executor.

import { interpreter } from "@smolts/interpreter";
import type { ExecutionResult, Executor, ExecutorFactory } from "@smolts/protocol";
import { worker } from "../../../packages/executor-worker/src/index.ts";
import { process as childProcess } from "../../../packages/executor-worker/src/process.node.ts";
import { median } from "../benchmark.ts";

const rounds = 9;
// Long enough for a pool to start a replacement for a sandbox that was taken.
const pauseMs = 1_000;
const timerMs = 5;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function open(factory: ExecutorFactory, signal: AbortSignal): Promise<Executor> {
  const executor = await factory.open({ signal });
  await executor.start({ tools: [] });
  return executor;
}

const run = (executor: Executor, code: string, signal: AbortSignal): Promise<ExecutionResult> =>
  executor.execute(code, { signal, time: 0, seed: "seed", onCall() {}, onConsole() {} });

/** Returns the time from the request for a sandbox to the result of its first block, in ms. */
async function waitMs(factory: ExecutorFactory): Promise<number> {
  const before = performance.now();
  const { signal } = new AbortController();
  await using executor = await open(factory, signal);
  const result = await run(executor, "1 + 1", signal);
  if (result.type !== "value") throw new Error(JSON.stringify(result));
  return performance.now() - before;
}

/**
 * Measures an executor on this thread while code in another executor on this thread runs an endless
 * loop. The loop is stopped at its time limit, so each round starts a new one.
 */
async function besideLoopsHere(factory: ExecutorFactory): Promise<number> {
  const waits: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { signal } = new AbortController();
    await using looping = await open(factory, signal);
    const before = performance.now();
    const loop = run(looping, "for (;;);", signal);
    await waitMs(factory);
    waits.push(performance.now() - before);
    await loop;
  }
  return median(waits);
}

/** Measures an executor in another thread or process, where one loop runs during all rounds. */
async function besideLoopElsewhere(factory: ExecutorFactory): Promise<{ otherMs: number; hostMs: number }> {
  const controller = new AbortController();
  await using looping = await open(factory, controller.signal);
  const loop = run(looping, "for (;;);", controller.signal);
  const [others, delays]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await pause(pauseMs);
    others.push(await waitMs(factory));
    const before = performance.now();
    await pause(timerMs);
    delays.push(performance.now() - before - timerMs);
  }
  controller.abort();
  await loop;
  return { otherMs: median(others), hostMs: Math.max(0, median(delays)) };
}

const limits = { guestTimeMs: 60_000, operations: 0 };
const entry = (name: string): URL => new URL(`./${name}.mjs`, import.meta.url);
using threads = worker({ limits, entry: entry("guest") });
using children = childProcess({ limits, entry: entry("guest-process") });
const beside = { worker: await besideLoopElsewhere(threads), child: await besideLoopElsewhere(children) };
console.log(
  JSON.stringify({
    processMs: await besideLoopsHere(interpreter({ limits: { operations: 0 } })),
    workerMs: beside.worker.otherMs,
    childMs: beside.child.otherMs,
    hostBesideWorkerMs: beside.worker.hostMs,
    hostBesideChildMs: beside.child.hostMs,
  }),
);
