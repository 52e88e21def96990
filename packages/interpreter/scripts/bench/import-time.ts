// How long a program waits for the package: the import, and the first sandbox, which loads the engine and the parser. The package is bundled
// as it would be published, one module a chunk, and imported by a bare Node.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { median } from "./median.ts";

const processes = 9;

/** Medians over fresh processes. */
export async function importTimes(): Promise<{ readonly importMs: number; readonly firstSandboxMs: number }> {
  const folder = mkdtempSync(join(tmpdir(), "smolts-bench-"));
  try {
    await build({
      entryPoints: [fileURLToPath(new URL("../../src/index.ts", import.meta.url))],
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      conditions: ["@smolts/source"],
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      logLevel: "error",
    });
    const samples = Array.from({ length: processes }, () => importOnce(join(folder, "index.mjs")));
    return {
      importMs: median(samples.map(([imported]) => imported)),
      firstSandboxMs: median(samples.map(([, opened]) => opened)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function importOnce(file: string): readonly [importMs: number, firstSandboxMs: number] {
  const program = `
    const began = performance.now();
    const { interpreter } = await import(${JSON.stringify(file)});
    const imported = performance.now();
    await interpreter().open({ signal: new AbortController().signal });
    console.log(JSON.stringify([imported - began, performance.now() - imported]));`;
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  return JSON.parse(text) as [number, number]; // as the program above prints it
}
