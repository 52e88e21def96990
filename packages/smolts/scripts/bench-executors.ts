// `pnpm bench:executors [--json]`: measures how long every executor takes to start code and to call
// tools. It is not a test, and does not fail on a slow machine.
//
// Run `pnpm build` first, because this script measures the built packages. It measures Docker if
// SMOLTS_TEST_NODE_IMAGE names an image with Node, for example with `scripts/test-docker.sh pnpm -s
// bench:executors --json`. For E2B, the real SDK connects to a server on loopback, so the figures
// do not include the latency of the cloud.

import { setTimeout as sleep } from "node:timers/promises";
import { docker } from "@smolts/executor-docker";
import { e2b } from "@smolts/executor-e2b";
import { pyodide } from "@smolts/executor-pyodide";
import { quickjs } from "@smolts/executor-quickjs";
import { worker } from "@smolts/executor-worker";
import { process as childProcess } from "@smolts/executor-worker/process";
import { interpreter } from "@smolts/interpreter";
import type { ExecutionResult, Executor, ExecutorFactory } from "@smolts/protocol";
import { startE2bServer } from "@smolts/testing/e2b";

interface Candidate {
  readonly name: string;
  /** Creates an executor. `pool` is the number of sandboxes that are started in advance. */
  create(pool: number): ExecutorFactory & Partial<AsyncDisposable & Disposable>;
}

/** The goals: the highest times that we accept for some of the measurements, in ms. */
const goals: { readonly [figure: string]: number } = {
  "docker startMs": 450,
  "docker pooledMs": 60,
  "docker callMs": 1,
  "docker blockMs": 5,
  "docker megabyteMs": 40,
  "pyodide startMs": 2_500,
  "pyodide pooledMs": 50,
  "pyodide blockMs": 5,
  "pyodide megabyteMs": 40,
  "e2b blockMs": 5,
  "e2b megabyteMs": 40,
};

const rounds = 5;
const calls = 200;
const blocks = 40;
const containersAtOnce = 32;

async function main(): Promise<void> {
  const isJson = process.argv.includes("--json");
  const print = isJson ? console.error : console.log;
  const image = process.env["SMOLTS_TEST_NODE_IMAGE"];
  const pythonImage = process.env["SMOLTS_TEST_PYTHON_IMAGE"];
  await using server = await startE2bServer();
  const cloud = { apiKey: server.apiKey, apiUrl: server.url, sandboxUrl: server.url };
  const candidates: Candidate[] = [
    { name: "interpreter", create: () => interpreter() },
    { name: "worker", create: () => worker() },
    { name: "process", create: () => childProcess() },
    { name: "quickjs", create: (pool) => quickjs({ pool }) },
    { name: "pyodide", create: (pool) => pyodide({ pool }) },
    { name: "e2b", create: (pool) => e2b({ ...cloud, pool }) },
    { name: "e2b-python", create: (pool) => e2b({ ...cloud, pool, language: "python" }) },
  ];
  if (image) candidates.push({ name: "docker", create: (pool) => docker({ image, pool }) });
  else print("skipped: docker, because SMOLTS_TEST_NODE_IMAGE names no image; see scripts/test-docker.sh");
  if (image && pythonImage) {
    candidates.push({
      name: "docker-python",
      create: (pool) => docker({ image: pythonImage, pool, language: "python" }),
    });
  }
  const figures: { [figure: string]: number } = {};
  print(
    `node ${process.version}, ${import.meta.resolve("@smolts/interpreter").endsWith(".ts") ? "sources" : "built packages"}`,
  );
  for (const candidate of candidates) {
    for (const [name, value] of Object.entries(await measure(candidate))) {
      const figure = `${candidate.name} ${name}`;
      figures[figure] = value;
      const goal = goals[figure];
      const verdict = goal === undefined ? "" : `   goal ${goal}   ${value <= goal ? "met" : "MISSED"}`;
      print(`  ${figure.padEnd(28)}${value.toFixed(2).padStart(12)}${verdict}`);
    }
  }
  if (isJson) console.log(JSON.stringify({ node: process.version, figures, goals }));
}

async function measure({ name, create }: Candidate): Promise<{ readonly [figure: string]: number }> {
  const factory = create(0);
  const starts: number[] = [];
  for (let round = 0; round < rounds; round++) starts.push(await timed(() => inSandbox(factory, firstResult)));
  const { callMs, blockMs, megabyteMs } = await inSandbox(factory, steady);
  const startMs = median(starts);
  const pooledMs = await pooled(create(1), startMs);
  const many = name === "docker" ? { atOnceMs: await atOnce(factory) } : {};
  await dispose(factory);
  return { startMs, pooledMs, callMs, blockMs, megabyteMs, ...many };
}

async function pooled(factory: ReturnType<Candidate["create"]>, startMs: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    factory.warm?.();
    await sleep(startMs * 1.5 + 300);
    let began = 0;
    let ended = 0;
    await inSandbox(
      factory,
      async (sandbox) => {
        await firstResult(sandbox);
        ended = performance.now();
      },
      () => {
        began = performance.now();
      },
    );
    times.push(ended - began);
  }
  await dispose(factory);
  return median(times);
}

async function atOnce(factory: ExecutorFactory): Promise<number> {
  return await timed(async () => {
    await Promise.all(Array.from({ length: containersAtOnce }, () => inSandbox(factory, firstResult)));
  });
}

const firstResult = async (sandbox: Executor): Promise<void> => void (await run(sandbox, "1 + 1"));

async function steady(sandbox: Executor): Promise<{ callMs: number; blockMs: number; megabyteMs: number }> {
  await run(sandbox, "1");
  const isPython = sandbox === pythonSandbox;
  const loop = isPython
    ? `for n in range(${calls}):\n    echo(n)`
    : `for (let n = 0; n < ${calls}; n++) await echo(n);`;
  await run(sandbox, loop);
  const callMs = (await timed(() => run(sandbox, loop))) / calls;
  const blockMs =
    (await timed(async () => {
      for (let n = 0; n < blocks; n++) await run(sandbox, "1");
    })) / blocks;
  const big = isPython ? 'len(echo("x" * 1_000_000))' : '(await echo("x".repeat(1_000_000))).length';
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timed(() => run(sandbox, big)));
  return { callMs, blockMs, megabyteMs: median(times) };
}

let pythonSandbox: Executor | null = null;

async function inSandbox<Result>(
  factory: ExecutorFactory,
  act: (sandbox: Executor) => Promise<Result>,
  onBegin: () => void = () => {},
): Promise<Result> {
  onBegin();
  const sandbox = await factory.open({ signal: new AbortController().signal });
  pythonSandbox = factory.language === "python" ? sandbox : null;
  try {
    await sandbox.start({ tools: ["echo", factory.language === "python" ? "final_answer" : "finalAnswer"] });
    return await act(sandbox);
  } finally {
    await sandbox[Symbol.asyncDispose]();
  }
}

async function run(sandbox: Executor, code: string): Promise<ExecutionResult> {
  let deliveries: Promise<void> = Promise.resolve();
  const result = await sandbox.execute(code, {
    signal: new AbortController().signal,
    time: 0,
    seed: "seed",
    onConsole: () => {},
    onCall: ({ callIndex, args }) => {
      const outcome = { type: "ok", value: args[0] ?? null } as const;
      deliveries = deliveries.then(() => sandbox.deliver(callIndex, outcome, 0));
    },
  });
  await deliveries;
  if (result.type !== "value") throw new Error(`${code}: ${JSON.stringify(result).slice(0, 500)}`);
  return result;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function dispose(factory: ReturnType<Candidate["create"]>): Promise<void> {
  await factory[Symbol.asyncDispose]?.();
  factory[Symbol.dispose]?.();
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[Math.floor((numbers.length - 1) / 2)] ?? 0;
}

await main();
