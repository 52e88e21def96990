// Measures the time that an evaluation adds to each case: alternately runs the same cases with and
// without an evaluation. Also measures rows that are stored in files.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { evaluate, exact } from "@smolts/eval";
import { fileStore } from "@smolts/memory/files";
import { scriptedModel } from "@smolts/testing";

const count = 500;
const rounds = 7;
const concurrency = 4;
const cases = Array.from({ length: count }, (_, index) => ({ input: `Case ${index}`, expected: 42 }));
const agent = new CodeAgent({ model: scriptedModel(() => "<code>finalAnswer(6 * 7)</code>") });

/**
 * Measures the time that an evaluation adds to a case, in ms. For rows in memory this is the CPU
 * time of this process, because other programs disturb it least. For stored rows it is the time
 * until a row is stored on the disk.
 */
export async function benchEval(): Promise<Readonly<Record<string, number>>> {
  const [bare, evaluated, kept]: [number[], number[], number[]] = [[], [], []];
  const folder = await mkdtemp(join(tmpdir(), "bench-eval-"));
  for (let round = 0; round < rounds; round++) {
    bare.push(await cpuTimeOf(runBare));
    evaluated.push(await cpuTimeOf(() => evaluate({ cases, agent, scorers: [exact()], concurrency })));
    const store = fileStore(join(folder, String(round)));
    // The agent is a plain function, so that only the rows are written, and no runs.
    kept.push(await timed(() => evaluate({ cases, agent: () => 42, scorers: [exact()], concurrency, store })));
  }
  await rm(folder, { recursive: true });
  const differences = evaluated.map((time, index) => time - (bare[index] ?? 0));
  return {
    evalOverheadMsPerCase: median(differences) / count,
    evalBareCpuMsPerCase: median(bare) / count,
    // The fastest round counts, because every round waits for the disk, which other programs also
    // use.
    evalKeptRowMsPerCase: Math.min(...kept) / count,
  };
}

async function runBare(): Promise<void> {
  const queue = cases[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const { input } of { [Symbol.iterator]: () => queue }) await agent.run(input).result;
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

async function cpuTimeOf(act: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
