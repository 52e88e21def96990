// `pnpm bench:interpreter [--json]`: compares the interpreter with other engines, and measures the
// other costs of a session.
//
//   --engines a,b      only these; `smolts` alone needs no download
//   --lists ours       only this list of programs: `ours` or `others`
//   --workloads a,b    only these programs
//   --no-session-figures   programs only, without the other results of a session
//   --json             only one line of JSON on standard output (with `pnpm -s`), such as `lists.others.smolts.geoMean`
//
// Each pair of a program and an engine runs in new processes (bundle.ts). All engines run a program
// one after the other, so that other work on the machine affects all of them. A warm result is the
// ratio to native V8, which runs in the same processes. A cold result is the CPU time of a process
// that runs nothing else (measure.ts). The means leave out runs that take longer than the time
// limit, and runs that return a different value than native V8.

import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { type Bundle, bundle } from "./bundle.ts";
import type { Engine } from "./engine.ts";
import { figureNames } from "./figure-names.ts";
import { importTimes } from "./import-time.ts";
import type { ColdTiming, WarmTiming } from "./measure.ts";
import { geometricMean, median } from "./median.ts";
import { installPeers, peers } from "./peers.ts";
import { smoltsEngine } from "./smolts-engine.ts";
import { type ListName, lists, type Workload } from "./workloads.ts";

/** The result of one workload in one engine. */
type Outcome = Timing | Failure;

type Timing = Measured & { readonly ratio: number };

/** The report of the processes of one workload in one engine. */
type Measured = { readonly type: "timed" } & WarmTiming & ColdTiming;

interface Failure {
  readonly type: "wrong" | "unfinished" | "not-its-language";
}

/** The results of one list of programs in one engine. */
interface Summary {
  readonly geoMean: number | null;
  readonly coldSumMs: number;
  readonly finished: number;
  readonly wrong: readonly string[];
  readonly [figure: string]: unknown;
}

const runLimitMs = 45_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    allowNegative: true,
    options: {
      "session-figures": { type: "boolean", default: true },
      json: { type: "boolean", default: false },
      engines: { type: "string" },
      lists: { type: "string" },
      workloads: { type: "string" },
    },
  });
  const engines = chosen([smoltsEngine, ...peers], values.engines);
  const print = values.json ? console.error : console.log;
  if (engines.some((engine) => engine !== smoltsEngine)) installPeers();
  using scripts = await bundle("measure.ts", "session-figures.ts");
  const summaries: { [List in ListName]?: Record<string, Summary> } = {};
  for (const list of ["ours", "others"] as const) {
    if ((values.lists ?? list) !== list) continue;
    const names = values.workloads?.split(",");
    const programs = lists[list].filter(({ name }) => names?.includes(name) ?? true);
    summaries[list] = runList(scripts, engines, programs, print);
    for (const [name, summary] of Object.entries(summaries[list])) print(`${list}, ${name}: ${lineOf(summary)}`);
  }
  const session = values["session-figures"] ? await sessionFigures(scripts) : {};
  print(lineOf(session));
  if (values.json) console.log(JSON.stringify({ node: process.version, lists: summaries, session }));
}

function runList(
  scripts: Bundle,
  engines: readonly Engine[],
  programs: readonly Workload[],
  print: (line: string) => void,
): Record<string, Summary> {
  const outcomes = new Map(engines.map(({ name }) => [name, new Map<string, Outcome>()]));
  print(`${"".padEnd(16)}${engines.map(({ name }) => name.padStart(22)).join("")}`);
  for (const workload of programs) {
    const measured = engines.map((engine) => outcomeOf(scripts, engine, workload));
    for (const [index, outcome] of withSharedNative(measured).entries())
      outcomes.get(engines[index]?.name ?? "")?.set(workload.name, outcome);
    const cells = engines.map(({ name }) => shown(outcomes.get(name)?.get(workload.name)).padStart(22));
    print(`${workload.name.padEnd(16)}${cells.join("")}`);
  }
  return Object.fromEntries([...outcomes].map(([name, results]) => [name, summaryOf(results)]));
}

function chosen<Named extends { readonly name: string }>(
  all: readonly Named[],
  names: string | undefined,
): readonly Named[] {
  if (names === undefined) return all;
  return names.split(",").map((name) => {
    const found = all.find((each) => each.name === name);
    if (!found) throw new Error(`there is no "${name}"; there are ${all.map((each) => each.name).join(", ")}`);
    return found;
  });
}

function outcomeOf(scripts: Bundle, engine: Engine, workload: Workload): Measured | Failure {
  if (engine.codeOf(workload) === null) return { type: "not-its-language" };
  // The JSON that measure.ts prints.
  const measured = (kind: string): unknown =>
    JSON.parse(runScript(scripts.fileOf("measure.ts"), kind, engine.name, workload.name));
  try {
    const timing = { ...(measured("cold") as ColdTiming), ...(measured("warm") as WarmTiming) };
    return timing.isRight ? { type: "timed", ...timing } : { type: "wrong" };
  } catch {
    return { type: "unfinished" };
  }
}

/**
 * Compares all engines with the same time of native V8, which is the mean over the processes of all
 * engines.
 *
 * For a short program, the native time differs by a factor of two to four between processes: while
 * native V8 runs, the compiler and the garbage collector of the host are still working for the
 * engine. If each engine were compared with the native time of its own processes, these differences
 * would decide which engine is faster.
 */
function withSharedNative(outcomes: readonly (Measured | Failure)[]): readonly Outcome[] {
  const natives = outcomes.flatMap((outcome) => (outcome.type === "timed" ? [outcome.nativeMs] : []));
  return outcomes.map((outcome) =>
    outcome.type === "timed" ? { ...outcome, ratio: outcome.warmMs / geometricMean(natives) } : outcome,
  );
}

/** Runs a compiled script in a fresh process and returns its output. */
function runScript(file: string, ...parameters: readonly string[]): string {
  return execFileSync(process.execPath, [file, ...parameters], {
    timeout: runLimitMs,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
  });
}

function summaryOf(results: ReadonlyMap<string, Outcome>): Summary {
  const timed = [...results].flatMap(([name, outcome]) => (outcome.type === "timed" ? [{ name, ...outcome }] : []));
  const entry = (pick: (timing: Timing) => number): Record<string, number> =>
    Object.fromEntries(timed.map((timing) => [timing.name, rounded(pick(timing))]));
  return {
    geoMean: timed.length === 0 ? null : rounded(geometricMean(timed.map(({ ratio }) => ratio))),
    coldSumMs: rounded(timed.reduce((sum, { coldMs }) => sum + coldMs, 0)),
    finished: timed.length,
    wrong: [...results].filter(([, { type }]) => type === "wrong").map(([name]) => name),
    ratios: entry(({ ratio }) => ratio),
    warmMs: entry(({ warmMs }) => warmMs),
    coldMs: entry(({ coldMs }) => coldMs),
  };
}

/**
 * Measures everything except the workloads. Each result is the median of three processes; null if
 * none finished.
 */
async function sessionFigures(scripts: Bundle): Promise<Record<string, number | null>> {
  const numbers = figureNames.map((name) => {
    const samples = [1, 2, 3].flatMap(() => sampleOf(scripts, name));
    return [name, samples.length === 0 ? null : rounded(median(samples))] as const;
  });
  const { importMs, firstSandboxMs } = await importTimes();
  return { ...Object.fromEntries(numbers), importMs: rounded(importMs), firstSandboxMs: rounded(firstSandboxMs) };
}

function sampleOf(scripts: Bundle, name: string): readonly number[] {
  try {
    return [Number(runScript(scripts.fileOf("session-figures.ts"), name))];
  } catch {
    // The process took longer than the time limit.
    return [];
  }
}

function shown(outcome: Outcome | undefined): string {
  if (!outcome) return "";
  if (outcome.type !== "timed") return outcome.type;
  return `x${outcome.ratio.toFixed(1)} cold ${outcome.coldMs.toFixed(0)} ms`;
}

function lineOf(figures: Record<string, unknown>): string {
  return Object.entries(figures)
    .filter(([, value]) => typeof value === "number")
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

function rounded(number: number): number {
  return Number(number.toPrecision(3));
}

await main();
