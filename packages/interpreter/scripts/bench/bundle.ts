// Bundles the package as a built program would have it: one module a chunk, for a bare Node, so
// that the bench times that. The loader that runs these scripts wraps each function that is made,
// to keep its name, and so would be timed with the interpreter: it makes some workloads three times
// as slow.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Compiled scripts in a folder of their own. */
export interface Bundle extends Disposable {
  /** Where the script of this source file is, e.g. of "measure.ts". */
  fileOf(source: string): string;
}

/** Compiles scripts; paths are relative to this folder. To be disposed of. */
export async function bundle(...sources: readonly string[]): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), "smolts-bench-"));
  await build({
    entryPoints: sources.map((source) => fileURLToPath(new URL(source, import.meta.url))),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    conditions: ["@smolts/source"],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    // Scripts of this folder find others by their own place, which the bundle must not change.
    define: { "import.meta.url": JSON.stringify(import.meta.url) },
    logLevel: "error",
  });
  return {
    fileOf: (source) => join(folder, `${basename(source, ".ts")}.mjs`),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
