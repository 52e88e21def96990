// Runs the same programs and agents in other runtimes, and compares the results with those in Node:
// pnpm test:runtimes [--folder where] [--install] [--programs N] [name...]. The runtimes are kept
// outside the repository (default: .cache/smolts-runtimes in the home folder). Runtimes that are
// not installed are skipped, with the reason.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { shortAttacks } from "../../packages/interpreter/test/attacks/attacks.ts";
import { functionOf } from "../../packages/interpreter/test/differential/compare.ts";
import { samplePrograms } from "../../packages/interpreter/test/differential/program.ts";
import { chromium } from "./chromium.ts";
import { bun, deno, node, nodeWithoutEval } from "./command-runtimes.ts";
import type { ProbeLine, ProbeProgram } from "./probe.ts";
import type { Runtime } from "./runtime.ts";
import { workerd } from "./workerd.ts";

const others: readonly Runtime[] = [nodeWithoutEval, bun, deno, workerd, chromium];

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      folder: { type: "string", default: join(homedir(), ".cache", "smolts-runtimes") },
      install: { type: "boolean", default: false },
      programs: { type: "string", default: "1000" },
    },
    allowPositionals: true,
  });
  const chosen = others.filter(
    ({ name }) => positionals.length === 0 || positionals.some((word) => name.toLowerCase().includes(word)),
  );
  if (values.install) install(chosen, values.folder);
  const work = mkdtempSync(join(tmpdir(), "smolts-runtimes-"));
  try {
    const programs = programsFor(Number(values.programs));
    const counts = { same: 0, different: 0, absent: 0, failed: 0 };
    const expected = await linesOf(node, programs, work, values.folder);
    if (expected === null) throw new Error("Node is not installed");
    for (const runtime of chosen) counts[await compare(runtime, programs, expected, work, values.folder)]++;
    console.log(`${counts.same} the same, ${counts.absent} absent, ${counts.different + counts.failed} failed`);
    process.exitCode = counts.different + counts.failed === 0 ? 0 : 1;
  } finally {
    rmSync(work, { recursive: true });
  }
}

function install(runtimes: readonly Runtime[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  const packages = runtimes.flatMap((runtime) => runtime.packages);
  if (packages.length === 0) return;
  const { status } = spawnSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...packages], {
    stdio: "inherit",
  });
  if (status !== 0) console.log(`npm ended with ${status}`);
}

function programsFor(count: number): readonly ProbeProgram[] {
  return [
    ...samplePrograms(count, 7).map((code, index) => ({ id: `program ${index}`, code: `await ${functionOf(code)}` })),
    ...shortAttacks.map(({ id, code }) => ({ id, code: `const attack = function () { ${code}\n };\nawait attack();` })),
  ];
}

async function compare(
  runtime: Runtime,
  programs: readonly ProbeProgram[],
  expected: readonly ProbeLine[],
  work: string,
  folder: string,
): Promise<"same" | "different" | "absent" | "failed"> {
  try {
    const lines = await linesOf(runtime, programs, work, folder);
    if (lines === null) return "absent";
    const differences = differencesOf(expected, lines);
    for (const difference of differences.slice(0, 10)) console.log(difference);
    if (differences.length > 0) console.log(`DIFFERS  ${runtime.name}: ${differences.length} of ${expected.length}`);
    return differences.length === 0 ? "same" : "different";
  } catch (error) {
    console.log(`FAILED   ${runtime.name}:`, error);
    return "failed";
  }
}

/** Returns the report of a runtime as lines, or null if the runtime is not installed. */
async function linesOf(
  runtime: Runtime,
  programs: readonly ProbeProgram[],
  work: string,
  folder: string,
): Promise<readonly ProbeLine[] | null> {
  const report = await runtime.run(await bundle(runtime, programs, work), folder);
  if (report.type === "absent") {
    console.log(`skipped  ${runtime.name}: ${report.reason}`);
    return null;
  }
  const lines = JSON.parse(report.output) as readonly ProbeLine[]; // the probe returns this
  console.log(`ran      ${runtime.name}, ${report.version}: ${lines.length} programs and agents`);
  return lines;
}

async function bundle(runtime: Runtime, programs: readonly ProbeProgram[], work: string): Promise<string> {
  const data = join(work, "programs.json");
  const program = join(work, `${runtime.name.replaceAll(/\W+/g, "-")}.mjs`);
  writeFileSync(data, JSON.stringify(programs));
  await build({
    stdin: {
      contents: `import { probe } from "./probe.ts"; import programs from ${JSON.stringify(data)};\n${runtime.entry}`,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    conditions: ["@smolts/source"],
    external: ["node:*"],
    outfile: program,
    logLevel: "error",
  });
  return program;
}

function differencesOf(expected: readonly ProbeLine[], lines: readonly ProbeLine[]): string[] {
  return expected.flatMap((line, index) => {
    const [ours, theirs] = [comparable(line), comparable(lines[index] ?? null)];
    return ours === theirs ? [] : [`${line.id}\n  Node: ${ours.slice(0, 600)}\n  here: ${theirs.slice(0, 600)}`];
  });
}

/**
 * Formats a line as text. Leaves out the number of operations of a program that was stopped because
 * of its memory: hosts that report their heap may stop the program earlier or later than Node.
 */
function comparable(line: ProbeLine | null): string {
  const text = JSON.stringify(line);
  return text.includes('"type":"stopped","reason":"memory"') ? text.replace(/"operations":\d+,/, "") : text;
}

await main();
