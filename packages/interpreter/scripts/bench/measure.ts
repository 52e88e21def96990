// The process that times one program in one engine: node measure.ts warm|cold <engine> <workload>.
// Prints one line of JSON.
//
// Cold is the cost of a program that runs once: the CPU time of all threads while the program is
// loaded and called for the first time, in a new process. Opening the sandbox does not count,
// because then our engine loads its modules, and QuickJS compiles its WebAssembly.
//
// Warm is the ratio to native V8, which runs the same code in the same process. Calls alternate
// between V8 and the engine, so that anything that slows the machine slows both.

import { runInThisContext } from "node:vm";
import { type Engine, hostAsync } from "./engine.ts";
import { median } from "./median.ts";
import { peers } from "./peers.ts";
import { smoltsEngine } from "./smolts-engine.ts";
import { lists } from "./workloads.ts";

/** The result of a process that calls a program many times. */
export interface WarmTiming {
  readonly nativeMs: number;
  readonly warmMs: number;
  /** Whether the engine returns the same value as native V8. */
  readonly isRight: boolean;
}

const maxRuns = 9;
const enoughMs = 4_000;

/** The result of a process that calls a program once. */
export interface ColdTiming {
  readonly coldMs: number;
}

async function measureCold(engine: Engine, code: string): Promise<ColdTiming> {
  const sandbox = await engine.open();
  const before = process.cpuUsage();
  const program = await sandbox.load(code);
  await program.call();
  const { user, system } = process.cpuUsage(before);
  return { coldMs: (user + system) / 1_000 };
}

async function measureWarm(engine: Engine, code: string): Promise<WarmTiming> {
  const native = loadNatively(code);
  const expected = await native();
  const program = await (await engine.open()).load(code);
  const value = await program.call();
  const nativeMs: number[] = [];
  const warmMs: number[] = [];
  const startedAt = performance.now();
  do {
    nativeMs.push(await timed(native));
    warmMs.push(await timed(() => program.call()));
  } while (warmMs.length < maxRuns && performance.now() - startedAt < enoughMs);
  return { nativeMs: median(nativeMs), warmMs: median(warmMs), isRight: Object.is(value, expected) };
}

/** Returns the time of one call, in ms. */
async function timed(call: () => unknown): Promise<number> {
  const startedAt = performance.now();
  const value = call();
  if (value instanceof Promise) await value;
  return performance.now() - startedAt;
}

function loadNatively(code: string): () => unknown {
  const load = runInThisContext(`(hostAsync) => { "use strict"; ${code}\nreturn main; }`) as (
    host: unknown,
  ) => () => unknown; // the type of the function in the line above
  return load(hostAsync);
}

async function main(kind: string | undefined, engineName: string | undefined, name: string | undefined): Promise<void> {
  const engine = [smoltsEngine, ...peers].find((each) => each.name === engineName);
  const workload = Object.values(lists)
    .flat()
    .find((each) => each.name === name);
  const code = workload && engine?.codeOf(workload);
  if (!engine || !code) throw new Error(`"${engineName}" is not an engine, or it has no workload "${name}"`);
  console.log(JSON.stringify(await (kind === "cold" ? measureCold : measureWarm)(engine, code)));
  process.exit();
}

await main(...(process.argv.slice(2) as [string?, string?, string?]));
