// pnpm torture:sandbox [--json] [--short] [--programs file] [--modes process,worker] [--filter word]: hostile programs, each in a watched process.
// Prints how many ran over their time or memory, how many processes died, and how many programs counted differently on different hosts.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import type { Mode, Observation, Program } from "./program.ts";
import { WatchedProcess } from "./watched-process.ts";

const hangMs = 60_000;
const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    programs: { type: "string" },
    modes: { type: "string", default: "process,worker" },
    filter: { type: "string", default: "" },
    node: { type: "string", default: process.execPath },
  },
});
const limits = { guestTimeMs: 2_000 };
const memoryMb = 256;

const folder = mkdtempSync(join(tmpdir(), "smolts-torture-"));
await bundle();
const programs = readPrograms(values.programs ?? "").filter(({ id }) => id.includes(values.filter));
for (const mode of values.modes.split(",") as Mode[]) for (const program of programs) await show(mode, program);
rmSync(folder, { recursive: true });

async function show(mode: Mode, program: Program): Promise<void> {
  const watched = new WatchedProcess(values.node, join(folder, "run-programs.mjs"), mode, hangMs);
  await watched.start();
  const seen: Observation = await watched.run({ ...program, limits: { ...limits, ...program.limits } });
  watched.end();
  const most = Math.max(0, ...seen.blocks.map(({ cpuMs }) => cpuMs));
  const slack = mode === "process" ? 250 : 1000;
  const flags = [
    seen.death && `DEATH ${seen.death}`,
    most > limits.guestTimeMs + slack && "TIME",
    seen.highestMb > memoryMb + 150 && "MEMORY",
    seen.failed && "FAILED",
  ]
    .filter(Boolean)
    .join(" ");
  console.log(
    `${flags || "ok"}\t${mode}\t${program.id}\t${seen.highestMb} MB\t${seen.blocks.map((b) => `${b.ended}/${b.operations}/${b.cpuMs}ms/${b.digest.slice(0, 4)}`).join(" ")}\t${seen.failed ?? ""}`,
  );
}

function readPrograms(file: string): Program[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const { id, code, options = {} } = JSON.parse(line);
      return { id, blocks: Array.isArray(code) ? code : [code], ...options };
    });
}

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
