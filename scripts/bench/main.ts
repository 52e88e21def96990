// `pnpm bench [name...] [--json]`: measures, and shows the goals. It is not a test, so it does not
// fail on a slow machine. With `--json` the tables go to standard error, and standard output has
// one line of JSON (`pnpm -s bench --json`).

import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Benchmark } from "./benchmark.ts";

type Figures = Readonly<Record<string, number>>;

const folder = new URL("./", import.meta.url);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { json: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const print = values.json ? console.error : console.log;
  const results: Record<string, Figures> = {};
  for (const benchmark of await chosenBenchmarks(positionals)) {
    print(`\n${benchmark.name}: ${benchmark.method}`);
    const figures = await benchmark.run();
    results[benchmark.name] = figures;
    for (const line of table(figures, benchmark.goals)) print(line);
  }
  if (values.json) console.log(JSON.stringify({ node: process.version, results }));
}

/**
 * Loads only the benchmarks that will run. So a benchmark that does not compile does not affect the
 * others.
 */
async function chosenBenchmarks(names: readonly string[]): Promise<readonly Benchmark[]> {
  const existing = benchmarkNames();
  const unknown = names.find((name) => !existing.includes(name));
  if (unknown !== undefined) throw new Error(`there is no benchmark "${unknown}"; there are ${existing.join(", ")}`);
  const benchmarks = await Promise.all((names.length === 0 ? existing : names).map(load));
  return names.length === 0 ? benchmarks.filter(({ onlyByName = false }) => !onlyByName) : benchmarks;
}

function benchmarkNames(): readonly string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  return files
    .map((file) => file.slice(0, -".ts".length))
    .filter((name) => !["main", "benchmark", "as-published"].includes(name));
}

async function load(name: string): Promise<Benchmark> {
  const module: unknown = await import(new URL(`${name}.ts`, folder).href);
  // The cast is safe: every file in this folder exports a benchmark.
  return (module as { readonly benchmark: Benchmark }).benchmark;
}

function table(figures: Figures, goals: Figures): readonly string[] {
  return Object.entries(figures).map(([name, value]) => {
    const goal = goals[name];
    const verdict = goal === undefined ? "" : `   goal ${goal}   ${value <= goal ? "met" : "MISSED"}`;
    return `  ${name.padEnd(36)}${shown(value).padStart(12)}${verdict}`;
  });
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

await main();
