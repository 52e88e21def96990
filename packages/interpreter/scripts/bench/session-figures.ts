// The process that measures everything except the workloads: node session-figures.ts <figure>.
// Prints one number.

import { decodeValue, encodeValue } from "@smolts/protocol";
import { type FigureName, figureNames } from "./figure-names.ts";
import { median } from "./median.ts";
import { openExecutor, runBlock, smoltsEngine } from "./smolts-engine.ts";
import { lists } from "./workloads.ts";

const figures: { readonly [Name in FigureName]: () => Promise<number> } = {
  newSessionMs,
  awaitHostUs,
  dataInRatio,
  dataOutRatio,
  longLivedRatio,
};

/** Measures the time to open a session and run `1+1` in it, after a warm-up. */
async function newSessionMs(): Promise<number> {
  return await medianOf(200, async () => {
    const executor = await openExecutor();
    await runBlock(executor, "1+1");
  });
}

/**
 * Measures one `await` of a host function with a small argument and a small result. The time
 * includes copying both of them.
 */
async function awaitHostUs(): Promise<number> {
  const executor = await openExecutor();
  const rounds = 2_000;
  const code = `let s = 0; for (let i = 0; i < ${rounds}; i++) { s += await hostAsync(i); } s`;
  return ((await medianOf(30, () => runBlock(executor, code))) * 1_000) / rounds;
}

/**
 * Measures passing a megabyte to a block as a variable, from the encoded value to the guest value.
 * The unit is the time of `structuredClone`.
 */
async function dataInRatio(): Promise<number> {
  const executor = await openExecutor();
  const rows = encodeValue(megabyte());
  const { signal } = new AbortController();
  const options = { signal, time: 0, seed: "seed", onCall() {}, onConsole() {} };
  const ours = await medianOf(15, () => executor.execute("0", { ...options, variables: { rows } }));
  return ours / (await cloneMs());
}

/**
 * Measures returning a value of one megabyte as the last value of a block, from the guest value to
 * the host value. The unit is the time of `structuredClone`.
 */
async function dataOutRatio(): Promise<number> {
  const executor = await openExecutor();
  await runBlock(executor, `const rows = ${JSON.stringify(megabyte())}; 0`);
  const { signal } = new AbortController();
  const args: unknown[] = [];
  const ours = await medianOf(15, async () => {
    await executor.execute("hostAsync(rows); 0", {
      signal,
      time: 0,
      seed: "seed",
      onCall(call) {
        args.push(decodeValue(call.args[0] ?? null));
        void Promise.resolve().then(() => executor.deliver(call.callIndex, { type: "ok", value: 0 }, 0));
      },
      onConsole() {},
    });
  });
  return ours / (await cloneMs());
}

/**
 * Measures how much slower loops, calls, classes and sorting are after all other workloads have run
 * in the process. Returns the geometric mean.
 */
async function longLivedRatio(): Promise<number> {
  const names = ["fib25", "loop3e6", "classes", "sort1e5"];
  const programs = new Map<string, () => unknown>();
  for (const { name, code } of lists.ours) {
    const program = await (await smoltsEngine.open()).load(code);
    programs.set(name, () => program.call());
  }
  const before: number[] = [];
  for (const name of names) before.push(await medianOf(7, async () => await programs.get(name)?.()));
  for (let round = 0; round < 3; round++) for (const call of programs.values()) await call();
  let product = 1;
  for (const [index, name] of names.entries()) {
    const code = lists.ours.find((workload) => workload.name === name)?.code ?? "";
    const fresh = await (await smoltsEngine.open()).load(code);
    product *= (await medianOf(7, async () => await fresh.call())) / (before[index] ?? 1);
  }
  return product ** (1 / names.length);
}

async function cloneMs(): Promise<number> {
  const rows = megabyte();
  return await medianOf(15, async () => structuredClone(rows));
}

/** Returns 8,000 nested rows, which are 0.92 MB as JSON. */
function megabyte(): readonly unknown[] {
  return Array.from({ length: 8_000 }, (_row, i) => ({
    id: i,
    name: `item number ${i}`,
    tags: ["a", "b", `c${i % 10}`],
    price: i * 1.25,
    nested: { x: i, y: [i, i + 1, i + 2] },
  }));
}

async function medianOf(rounds: number, act: () => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await act();
    samples.push(performance.now() - startedAt);
  }
  return median(samples);
}

async function main(asked: string | undefined): Promise<void> {
  const name = figureNames.find((figure) => figure === asked);
  if (!name) throw new Error(`"${asked}" is not a figure`);
  console.log(JSON.stringify(await figures[name]()));
  process.exit();
}

await main(process.argv[2]);
