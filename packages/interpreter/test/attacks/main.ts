// `pnpm attack:interpreter`: runs each attack in a separate process, with the default limits and a
// heap of 400 MB. Prints the attacks that got through or took more than 3 s or 512 MB, and the
// number of attacks that ran.
//
//   --kinds dos-cpu,dos-mem    only attacks of these kinds
//   --families bulk,native     only attacks whose name begins with one of these
//   --every 8 --offset 3       only every 8th attack, beginning with the 3rd: a sample of a run that takes an hour

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { attacks } from "./attacks.ts";
import type { AttackReport } from "./one-attack.ts";

const maxCpuMs = 3_000;
const maxMb = 512;
// The maximum wall time of an attack. It is long, so that no attack is ended only because the
// machine is busy.
const hangMs = 300_000;

const { values } = parseArgs({
  options: {
    kinds: { type: "string" },
    families: { type: "string" },
    every: { type: "string", default: "1" },
    offset: { type: "string", default: "0" },
  },
});
const kinds = values.kinds?.split(",");
const families = values.families?.split(",");
const [every, offset] = [Number(values.every), Number(values.offset)];
const chosen = attacks
  .filter(
    ({ id, kind }) =>
      (!kinds || kinds.includes(kind)) && (!families || families.some((family) => id.startsWith(`${family}-`))),
  )
  .filter((_attack, index) => index % every === offset % every);
const folder = mkdtempSync(join(tmpdir(), "smolts-attacks-"));
const script = await bundleScript();
const highest = { cpuMs: 0, mb: 0 };
let past = 0;
for (const { id } of chosen) {
  const report = reportOf(id);
  highest.cpuMs = Math.max(highest.cpuMs, report?.cpuMs ?? 0);
  highest.mb = Math.max(highest.mb, report?.highestMb ?? 0);
  if (report && report.cpuMs <= maxCpuMs && report.highestMb <= maxMb && report.breaches.length === 0) continue;
  past++;
  console.log(JSON.stringify({ id, ...(report ?? { ended: `crashed, or not ended after ${hangMs} ms` }) }));
}
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ attacks: chosen.length, past, highestCpuMs: highest.cpuMs, highestMb: highest.mb }));
process.exitCode = past === 0 ? 0 : 1;

async function bundleScript(): Promise<string> {
  const outfile = join(folder, "one-attack.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("one-attack.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@smolts/source"],
    // The bundled code looks for a file of attacks next to this file, so it needs the URL of this
    // file.
    define: { "import.meta.url": JSON.stringify(import.meta.url) },
    outfile,
    logLevel: "error",
  });
  return outfile;
}

function reportOf(id: string): AttackReport | null {
  try {
    const printed = execFileSync(process.execPath, ["--max-old-space-size=400", script, id], {
      timeout: hangMs,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    });
    return JSON.parse(printed) as AttackReport; // one-attack.ts prints a report
  } catch {
    return null;
  }
}
