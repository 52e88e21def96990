// pnpm torture:sandbox [--json] [--short] [--every 7] [--offset 3] [--modes process,worker,child] [--programs file.jsonl] [--filter word] [--nodes path,path] [--costs]
//
// Hostile programs, each in a watched process: those of known kinds (known-programs.ts), and every built-in of a realm with every hostile value
// (hostile-calls.ts). Prints how many ran past their time or their memory, how many processes died, and how many programs did or counted something else
// in another mode or on another Node. Runs a program that is too slow or too large again in a process of its own, which decides, because a busy machine
// may make any program slow once. Such programs are printed with both results and counted as `retried`.
//
//   --short     what CI runs: few programs, on the main thread
//   --every     of the calls of built-ins only every so many, from the one with the number `--offset` on
//   --programs  these programs and no others: a line of JSON each, { id, code, options? }, where code may be a list of blocks
//   --costs     looks only for built-ins that are charged too little for the time that they take (charged-calls.ts)
//   --nodes     other Nodes to compare the counts with

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { chargedCalls } from "./charged-calls.ts";
import { builtInPaths, programsFor } from "./hostile-calls.ts";
import { knownPrograms } from "./known-programs.ts";
import type { BlockReport, Mode, Observation, Program } from "./program.ts";
import { unusualPrograms } from "./unusual-programs.ts";
import { WatchedProcess } from "./watched-process.ts";

const hangMs = 60_000;
const defaultMemoryMb = 256;
const slackMb = 150;
const slackMs: { readonly [Of in Mode]: number } = { process: 250, worker: 1_000, child: 1_000 };
const defaultGuestTimeMs = 2_000;
// A process grows by what it keeps of each program; after so many it is replaced.
const programsPerProcess = 40;
const shortCalls = 40;
// A busy machine may make any program slow once.
const triesAlone = 2;

/** The findings of one run of all programs. */
interface Findings {
  programs: number;
  overTime: number;
  worstMs: number;
  deaths: number;
  overMemory: number;
  countDiffers: number;
  /** Runs that were past a bound among others. Those that are past it alone, too, are in the counts above. */
  retried: number;
  /** Calls of built-ins that were charged too little, with `--costs`. */
  undercharged: number;
}

/** A Node and a mode. */
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
    modes: { type: "string" },
    programs: { type: "string" },
    filter: { type: "string", default: "" },
    costs: { type: "boolean", default: false },
    nodes: { type: "string", default: "" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "smolts-torture-"));
const findings: Findings = {
  programs: 0,
  overTime: 0,
  worstMs: 0,
  deaths: 0,
  overMemory: 0,
  countDiffers: 0,
  retried: 0,
  undercharged: 0,
};
async function run(): Promise<void> {
  const programs = (await chosenPrograms()).filter(({ id }) => id.includes(values.filter));
  findings.programs = programs.length;
  const modes = (values.modes ?? (values.short ? "process" : "process,worker,child")).split(",") as Mode[];
  const hosts: Host[] = modes.map((mode) => ({ node: process.execPath, mode }));
  for (const node of values.nodes.split(",")) if (node !== "") hosts.push({ node, mode: "process" });
  const seen = new Map<string, string>();
  for (const host of hosts) {
    for await (const observation of observe(host, programs)) compareCounts(seen, host, observation);
  }
}

async function chosenPrograms(): Promise<readonly Program[]> {
  if (values.programs !== undefined) return readPrograms(values.programs);
  const paths = await builtInPaths();
  const calls = paths.flatMap(programsFor);
  const every = values.short ? Math.floor(calls.length / shortCalls) : Number(values.every);
  return [
    ...knownPrograms,
    ...unusualPrograms,
    ...calls.filter((_program, index) => index % every === Number(values.offset) % every),
  ];
}

function readPrograms(file: string): readonly Program[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => {
    const { id, code, options = {} } = JSON.parse(line) as { id: string; code: string | string[]; options?: object };
    return { id, blocks: typeof code === "string" ? [code] : code, ...options };
  });
}

/** Runs the programs on a host, and judges them. */
async function* observe(host: Host, programs: readonly Program[]): AsyncGenerator<Observation> {
  let watched: WatchedProcess | null = null;
  let count = 0;
  for (const program of programs) {
    if (!watched?.isAlive || count++ % programsPerProcess === 0) {
      watched?.end();
      watched = await startProcess(host);
    }
    let seen = await watched.run(program);
    if (problemsOf(host, program, seen).length > 0) findings.retried++;
    for (let again = 0; again < triesAlone && problemsOf(host, program, seen).length > 0; again++) {
      console.error(`again  ${lineOf(host, program, seen)}`);
      watched.end();
      watched = await startProcess(host);
      seen = await watched.run(program);
      watched.end();
    }
    judge(host, program, seen);
    yield seen;
  }
  watched?.end();
}

async function startProcess({ node, mode }: Host): Promise<WatchedProcess> {
  const watched = new WatchedProcess(node, join(folder, "run-programs.mjs"), mode, hangMs);
  await watched.start();
  return watched;
}

type Problem = "deaths" | "overTime" | "overMemory";

function problemsOf({ mode }: Host, { limits = {} }: Program, seen: Observation): readonly Problem[] {
  const mostMs = (limits.guestTimeMs ?? defaultGuestTimeMs) + slackMs[mode];
  const mostMb = (limits.memoryBytes ?? defaultMemoryMb * 2 ** 20) / 2 ** 20 + slackMb;
  const problems: Problem[] = [];
  if (seen.death !== undefined || seen.failed !== undefined) problems.push("deaths");
  if (seen.blocks.some(({ cpuMs }) => cpuMs > mostMs)) problems.push("overTime");
  if (seen.highestMb > mostMb) problems.push("overMemory");
  return problems;
}

function judge(host: Host, program: Program, seen: Observation): void {
  findings.worstMs = Math.max(findings.worstMs, worstMsOf(seen));
  const problems = problemsOf(host, program, seen);
  for (const problem of problems) findings[problem]++;
  if (problems.length > 0) console.error(lineOf(host, program, seen));
}

function lineOf(host: Host, program: Program, seen: Observation): string {
  const how = seen.death ?? seen.failed ?? seen.blocks.map(({ ended }) => ended).join();
  const problems = problemsOf(host, program, seen).join();
  return `${problems}  ${host.mode}  ${program.id}: ${how}, ${worstMsOf(seen)} ms, ${seen.highestMb} MB`;
}

const worstMsOf = ({ blocks }: Observation): number => Math.max(0, ...blocks.map(({ cpuMs }) => cpuMs));

/** The same program must do and count the same everywhere, up to a stop that depends on the host's clock, heap or stack. */
function compareCounts(seen: Map<string, string>, host: Host, { id, blocks }: Observation): void {
  const end = blocks.findIndex(({ ended }) => dependsOnHost.has(ended));
  const own = textOfBlocks(end === -1 ? blocks : blocks.slice(0, end));
  const known = seen.get(id);
  if (known === undefined) seen.set(id, own);
  else if (!known.startsWith(own) && !own.startsWith(known)) {
    findings.countDiffers++;
    console.error(`countDiffers  ${host.mode} ${host.node}  ${id}: ${own} here, ${known} elsewhere`);
  }
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
  undercharged,
}: Findings): string =>
  `${programs} programs: ${overTime} over their time (at most ${worstMs} ms), ${overMemory} over their memory, ${deaths} deaths, ${countDiffers} counted differently, ${retried} run again alone, ${undercharged} charged too little`;

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
  const paths = (await builtInPaths()).filter((path) => path.includes(values.filter));
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
  findings.overTime + findings.deaths + findings.overMemory + findings.undercharged + findings.countDiffers === 0
    ? 0
    : 1;
