// The process that times one program in one engine: node measure.ts <engine> <workload>. Prints one line of JSON.
//
// Native V8 runs the same text in the same process, call by call in turn with the engine, so that whatever slows the machine slows both.

import { runInThisContext } from "node:vm";
import { type Engine, hostAsync } from "./engine.ts";
import { median } from "./median.ts";
import { peers } from "./peers.ts";
import { smoltsEngine } from "./smolts-engine.ts";
import { type Workload, workloads } from "./workloads.ts";

/** What one process found out. */
export interface Timing {
  /** Loading and the first call. */
  readonly coldMs: number;
  readonly nativeMs: number;
  readonly warmMs: number;
  /** Whether the engine's result is native's. */
  readonly isRight: boolean;
}

const mostRuns = 9;
const enoughMs = 6_000;

/** Times a program in an engine. */
export async function measure(engine: Engine, workload: Workload): Promise<Timing> {
  const code = engine.codeOf(workload);
  if (code === null) throw new Error(`"${engine.name}" cannot say "${workload.name}"`);
  const native = loadNatively(code);
  const expected = await native();
  const sandbox = await engine.open();
  const coldAt = performance.now();
  const program = await sandbox.load(code);
  const value = await program.call();
  const coldMs = performance.now() - coldAt;
  const nativeMs: number[] = [];
  const warmMs: number[] = [];
  const startedAt = performance.now();
  do {
    nativeMs.push(await timed(native));
    warmMs.push(await timed(() => program.call()));
  } while (warmMs.length < mostRuns && performance.now() - startedAt < enoughMs);
  return { coldMs, nativeMs: median(nativeMs), warmMs: median(warmMs), isRight: Object.is(value, expected) };
}

/** Milliseconds of one call. */
async function timed(call: () => unknown): Promise<number> {
  const startedAt = performance.now();
  const value = call();
  if (value instanceof Promise) await value;
  return performance.now() - startedAt;
}

function loadNatively(code: string): () => unknown {
  const load = runInThisContext(`(hostAsync) => { ${code}\nreturn main; }`) as (host: unknown) => () => unknown; // as it is written here
  return load(hostAsync);
}

async function main(engineName: string | undefined, workloadName: string | undefined): Promise<void> {
  const engine = [smoltsEngine, ...peers].find(({ name }) => name === engineName);
  const workload = workloads.find(({ name }) => name === workloadName);
  if (!engine || !workload) throw new Error(`there is no engine "${engineName}" or no workload "${workloadName}"`);
  console.log(JSON.stringify(await measure(engine, workload)));
  process.exit();
}

await main(process.argv[2], process.argv[3]);
