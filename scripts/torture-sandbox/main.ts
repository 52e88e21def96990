// pnpm torture:sandbox [--json] [--short] [--share 3/8] [--every 7] [--offset 3] [--lanes 2]
//   [--modes process,worker,child] [--programs file.jsonl] [--filter pattern]
//   [--nodes path,path] [--costs]
//
// Runs hostile programs, each in a watched process: known kinds of programs (known-programs.ts),
// and every built-in of a realm with every hostile value (hostile-calls.ts). Prints how many
// programs exceeded their time or memory, and how many processes died. It also prints how many
// programs had another result, or another number of operations, in another mode or on another Node.
// The time of a program is CPU time. On the main thread it is only the time of that thread, because
// that is how long the host waits.
// A busy machine may make any program slow once. So a program that is too slow or too large is run
// again in a separate process, and that result counts. Such programs are printed with both results
// and counted as `retried`.
//
//   --short     what CI runs: few programs, on the main thread
//   --every     runs only every n-th call of a built-in, starting at the number `--offset`; there are some 55,000 in each mode
//   --share     runs only one of n shares of the calls of built-ins: 0/n, 1/n and so on. Unlike with `--every`, calls that
//               share a session stay together, so that no hostile value is made twice
//   --lanes     how many watched processes run at a time. By default one with `--short`, otherwise two
//   --filter    only programs whose names match this regular expression; those of built-ins end in "once" or "loop"
//   --programs  these programs and no others: a line of JSON each, { id, code, options? }, where code may be a list of blocks
//   --costs     looks only for built-ins that are charged too little for the time that they take (charged-calls.ts)
//   --nodes     other Nodes, whose results and numbers of operations must be the same

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { chargedCalls } from "./charged-calls.ts";
import { builtInPaths, callPrograms } from "./hostile-calls.ts";
import { knownPrograms } from "./known-programs.ts";
import type { BlockReport, Mode, Observation, Program } from "./program.ts";
import { unusualPrograms } from "./unusual-programs.ts";
import { WatchedProcess } from "./watched-process.ts";

const hangMs = 60_000;
const defaultMemoryMb = 256;
const slackMb = 150;
const slackMs: { readonly [Of in Mode]: number } = { process: 250, worker: 1_000, child: 1_000 };
// In a thread or a child process, nothing else waits for a block, so each block has more time.
const defaultGuestTimeMs: { readonly [Of in Mode]: number } = { process: 2_000, worker: 30_000, child: 30_000 };
// How many blocks a process runs before it is replaced, because it keeps some memory for each
// block.
const blocksPerProcess = 160;
const shortCalls = 40;
const msBetweenProgress = 10_000;
// How often a program runs alone. The best result counts, because a busy machine may make any
// program slow for a moment.
const triesAlone = 4;

/** The results of one run of all programs. */
interface Findings {
  programs: number;
  overTime: number;
  worstMs: number;
  deaths: number;
  overMemory: number;
  countDiffers: number;
  /**
   * Runs that exceeded a limit in a process that also ran other programs. Each of these programs
   * was run again alone. If it exceeded the limit again, it is also included in the counts above.
   */
  retried: number;
  /** Calls of built-ins that were made without a hostile value, because it could not be created. */
  unprepared: number;
  /** Calls of built-ins that were charged too few operations, with `--costs`. */
  undercharged: number;
}

/** A version of Node and a mode. */
interface Host {
  readonly node: string;
  readonly mode: Mode;
}

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    every: { type: "string", default: "1" },
    offset: { type: "string", default: "0" },
    share: { type: "string", default: "0/1" },
    lanes: { type: "string" },
    modes: { type: "string" },
    programs: { type: "string" },
    filter: { type: "string", default: "" },
    costs: { type: "boolean", default: false },
    nodes: { type: "string", default: "" },
  },
});
const filter = new RegExp(values.filter);
const [share = 0, shares = 1] = values.share.split("/").map(Number);
const lanes = Number(values.lanes ?? (values.short ? 1 : 2));
const folder = mkdtempSync(join(tmpdir(), "smolts-torture-"));
const findings: Findings = {
  programs: 0,
  overTime: 0,
  worstMs: 0,
  deaths: 0,
  overMemory: 0,
  countDiffers: 0,
  retried: 0,
  unprepared: 0,
  undercharged: 0,
};
async function run(): Promise<void> {
  const programs = await chosenPrograms();
  findings.programs = programs.reduce((count, program) => count + ownBlocks(program).length, 0);
  const modes = (values.modes ?? (values.short ? "process" : "process,worker,child")).split(",") as Mode[];
  const hosts: Host[] = modes.map((mode) => ({ node: process.execPath, mode }));
  for (const node of values.nodes.split(",")) if (node !== "") hosts.push({ node, mode: "process" });
  const seen = new Map<string, Seen>();
  for (const host of hosts) {
    const progress = new Progress(host.mode, programs.length);
    await observe(host, programs, progress, async ({ program, observation }) => {
      if (worstMsOf(observation) > findings.worstMs) {
        findings.worstMs = worstMsOf(observation);
        console.error(`slowest so far${lineOf(host, program, observation)}`);
      }
      countUnprepared(observation);
      await compareCounts(seen, host, program, observation);
    });
  }
}

/**
 * Counts blocks whose setup failed. Does not count a setup that was stopped because of its time,
 * memory or call depth, because these limits depend on the host.
 */
function countUnprepared({ id, blocks }: Observation): void {
  const failed = blocks.filter(({ setupEnded }) => setupEnded !== undefined && !dependsOnHost.has(setupEnded));
  findings.unprepared += failed.length;
  if (failed.length > 0) console.error(`unprepared  ${id}: ${failed.length} blocks, ${failed[0]?.setupEnded}`);
}

/** Prints from time to time how many programs have run on a host. */
class Progress {
  readonly #mode: Mode;
  readonly #total: number;
  #count = 0;
  #printedAt = performance.now();

  constructor(mode: Mode, total: number) {
    this.#mode = mode;
    this.#total = total;
  }

  add(): void {
    this.#count++;
    if (performance.now() - this.#printedAt < msBetweenProgress) return;
    this.#printedAt = performance.now();
    console.error(`${this.#mode}: ${this.#count} of ${this.#total} sessions, ${summaryOf(findings)}`);
  }
}

async function chosenPrograms(): Promise<readonly Program[]> {
  const all =
    values.programs === undefined
      ? [...knownPrograms, ...unusualPrograms, ...sampleOf(shareOf(callPrograms(await builtInPaths())))]
      : readPrograms(values.programs);
  return all.map(withFilter).filter(({ blocks }) => blocks.length > 0);
}

const shareOf = (programs: readonly Program[]): readonly Program[] =>
  programs.filter((_program, index) => index % shares === share);

/** Returns a sample of all blocks, as `--every` or `--short` specifies. */
function sampleOf(programs: readonly Program[]): readonly Program[] {
  const total = programs.reduce((count, { blocks }) => count + blocks.length, 0);
  const every = values.short ? Math.floor(total / shortCalls) : Number(values.every);
  let index = 0;
  return programs.map((program) => ({
    ...program,
    blocks: program.blocks.filter(() => index++ % every === Number(values.offset) % every),
  }));
}

function withFilter(program: Program): Program {
  return { ...program, blocks: program.blocks.filter(({ id = program.id }) => filter.test(id)) };
}

function readPrograms(file: string): readonly Program[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => {
    const { id, code, options = {} } = JSON.parse(line) as { id: string; code: string | string[]; options?: object };
    return { id, blocks: [code].flat().map((text) => ({ code: text })), ...options };
  });
}

/** A program that was run on a host, and what was observed. */
interface Run {
  readonly program: Program;
  readonly observation: Observation;
}

type TakeRun = (run: Run) => Promise<void>;

/**
 * Runs the programs on a host, and checks the results. Uses as many watched processes at a time as
 * `--lanes` says.
 */
async function observe(host: Host, programs: readonly Program[], progress: Progress, take: TakeRun): Promise<void> {
  const queue = programs.values(); // the lanes take the programs from the same queue
  await Promise.all(Array.from({ length: lanes }, () => runLane(host, queue, progress, take)));
}

async function runLane(host: Host, queue: Iterable<Program>, progress: Progress, take: TakeRun): Promise<void> {
  let watched: WatchedProcess | null = null;
  let count = 0;
  for (const program of queue) {
    if (!watched?.isAlive || count > blocksPerProcess) {
      watched?.end();
      watched = await startProcess(host);
      count = 0;
    }
    count += program.blocks.length;
    const observation = await watched.run(program);
    progress.add();
    if (problemsOf(host, program, observation).length === 0) {
      await take({ program, observation });
      continue;
    }
    watched.end();
    findings.retried++;
    for await (const run of runAlone(host, program, observation)) await take(run);
  }
  watched?.end();
}

/**
 * Runs a program again in a separate process, because it exceeded a limit. If its blocks can run
 * separately, runs each half of them in its own process, and divides the half again if it still
 * exceeds a limit. If the program cannot be divided, repeats it a few times until it stays within
 * the limits.
 */
async function* runAlone(host: Host, program: Program, first: Observation): AsyncGenerator<Run> {
  const parts = ownBlocks(program);
  if (parts.length > 1) {
    const half = Math.ceil(parts.length / 2);
    for (const part of [parts.slice(0, half), parts.slice(half)]) {
      const program = joined(part);
      const observation = await runInNewProcess(host, program);
      if (problemsOf(host, program, observation).length === 0) yield { program, observation };
      else yield* runAlone(host, program, observation);
    }
    return;
  }
  let observation = first;
  for (let again = 0; again < triesAlone && problemsOf(host, program, observation).length > 0; again++) {
    console.error(`again  ${lineOf(host, program, observation)}`);
    observation = await runInNewProcess(host, program);
  }
  const problems = problemsOf(host, program, observation);
  for (const problem of problems) findings[problem]++;
  if (problems.length > 0) console.error(lineOf(host, program, observation));
  yield { program, observation };
}

/**
 * Returns the programs into which a program can be divided: one for each of its blocks, if they
 * have names. Otherwise returns the program itself.
 */
function ownBlocks(program: Program): readonly Program[] {
  if (!program.blocks.every(({ id }) => id !== undefined)) return [program];
  return program.blocks.map((block) => ({ ...program, id: block.id ?? program.id, blocks: [block] }));
}

const joined = (parts: readonly Program[]): Program => {
  const [first] = parts as [Program, ...Program[]]; // a part of a program is never empty
  return { ...first, blocks: parts.flatMap(({ blocks }) => blocks) };
};

async function runInNewProcess(host: Host, program: Program): Promise<Observation> {
  const watched = await startProcess(host);
  const observation = await watched.run(program);
  watched.end();
  return observation;
}

async function startProcess({ node, mode }: Host): Promise<WatchedProcess> {
  const watched = new WatchedProcess(node, join(folder, "run-programs.mjs"), mode, hangMs);
  await watched.start();
  return watched;
}

type Problem = "deaths" | "overTime" | "overMemory";

function problemsOf({ mode }: Host, { limits = {} }: Program, seen: Observation): readonly Problem[] {
  const maxMs = (limits.guestTimeMs ?? defaultGuestTimeMs[mode]) + slackMs[mode];
  const maxMb = (limits.memoryBytes ?? defaultMemoryMb * 2 ** 20) / 2 ** 20 + slackMb;
  const problems: Problem[] = [];
  if (seen.death !== undefined || seen.failed !== undefined) problems.push("deaths");
  if (seen.blocks.some(({ cpuMs }) => cpuMs > maxMs)) problems.push("overTime");
  if (seen.highestMb > maxMb) problems.push("overMemory");
  return problems;
}

function lineOf(host: Host, program: Program, seen: Observation): string {
  const slowest = seen.blocks.findIndex(({ cpuMs }) => cpuMs === worstMsOf(seen));
  const id = program.blocks[slowest]?.id ?? program.id;
  const how = seen.death ?? seen.failed ?? seen.blocks[slowest]?.ended ?? "nothing ran";
  const problems = problemsOf(host, program, seen).join();
  return `${problems}  ${host.mode}  ${id}: ${how}, ${worstMsOf(seen)} ms, ${seen.highestMb} MB`;
}

const worstMsOf = ({ blocks }: Observation): number => Math.max(0, ...blocks.map(({ cpuMs }) => cpuMs));

/** The result of a program on the first host. */
interface Seen {
  readonly host: Host;
  readonly text: string;
}

/**
 * Compares the results and the numbers of operations of a program on two hosts. They must be the
 * same until a stop that depends on the host's clock, heap or stack. A difference may also come
 * from a stop in an earlier block, which changed the state for this program. So a program with a
 * difference is run again alone on both hosts, and the new result counts.
 */
async function compareCounts(
  seen: Map<string, Seen>,
  host: Host,
  program: Program,
  { blocks }: Observation,
): Promise<void> {
  const parts = ownBlocks(program);
  for (const [index, part] of parts.entries()) {
    const text = comparable(parts.length === 1 ? blocks : blocks.slice(index, index + 1));
    const known = seen.get(part.id);
    if (known === undefined) seen.set(part.id, { host, text });
    else if (
      !agree(known.text, text) &&
      (part.blocks.every(({ id }) => id === undefined) || (await differAlone(known.host, host, part)))
    ) {
      findings.countDiffers++;
      console.error(`countDiffers  ${host.mode} ${host.node}  ${part.id}: ${text} here, ${known.text} elsewhere`);
    }
  }
}

async function differAlone(one: Host, other: Host, program: Program): Promise<boolean> {
  const texts: string[] = [];
  for (const host of [one, other]) texts.push(comparable((await runInNewProcess(host, program)).blocks));
  return !agree(texts[0] ?? "", texts[1] ?? "");
}

const agree = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);

/**
 * Returns the part of a report that must be the same on all hosts: everything before a stop that
 * depends on the host.
 */
function comparable(blocks: readonly BlockReport[]): string {
  const end = blocks.findIndex(
    ({ ended, setupEnded = ended }) => dependsOnHost.has(ended) || dependsOnHost.has(setupEnded),
  );
  return textOfBlocks(end === -1 ? blocks : blocks.slice(0, end));
}

const dependsOnHost: ReadonlySet<string> = new Set(["guest-time", "memory", "call-depth"]);

const textOfBlocks = (blocks: readonly BlockReport[]): string =>
  blocks.map(({ ended, operations, digest }) => `${ended} ${operations} ${digest}; `).join("");

const summaryOf = ({
  programs,
  overTime,
  worstMs,
  deaths,
  overMemory,
  countDiffers,
  retried,
  unprepared,
  undercharged,
}: Findings): string =>
  `${programs} programs: ${overTime} over their time (at most ${worstMs} ms), ${overMemory} over their memory, ${deaths} deaths, ${countDiffers} counted differently, ${retried} run again alone, ${unprepared} without their value, ${undercharged} charged too little`;

async function bundle(): Promise<void> {
  const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  await build({
    entryPoints: {
      "run-programs": file("run-programs.ts"),
      guest: file("../../packages/executor-worker/src/guest.node.ts"),
      "guest-process": file("../../packages/executor-worker/src/guest-process.node.ts"),
    },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@smolts/source"],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
  });
}

async function lookAtCosts(): Promise<void> {
  const paths = (await builtInPaths()).filter((path) => filter.test(path));
  const calls = chargedCalls(paths, Number(values.every), Number(values.offset));
  for await (const { path, value, operationsPerMs, isTooLittle } of calls) {
    findings.programs++;
    if (!isTooLittle) continue;
    findings.undercharged++;
    console.error(`undercharged  ${path} ${value}: ${operationsPerMs} operations a millisecond`);
  }
}

try {
  await bundle();
  await (values.costs ? lookAtCosts() : run());
} finally {
  rmSync(folder, { recursive: true });
}
console.log(values.json ? JSON.stringify(findings) : summaryOf(findings));
process.exitCode =
  findings.overTime +
    findings.deaths +
    findings.overMemory +
    findings.unprepared +
    findings.undercharged +
    findings.countDiffers ===
  0
    ? 0
    : 1;
