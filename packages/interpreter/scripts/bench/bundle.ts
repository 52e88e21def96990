// Bundles the package as for production: one file for each script, which Node runs without a
// loader. The loader that usually runs the sources wraps every new function to keep its name, and
// so makes some workloads three times as slow.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Compiled scripts in a separate folder. Disposing deletes the folder. */
export interface Bundle extends Disposable {
  /** Returns the path of the compiled script for a source file, such as "measure.ts". */
  fileOf(source: string): string;
}

/** Compiles scripts. Paths are relative to this folder. The caller must dispose of the result. */
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
    // The scripts find other files relative to their own location. The bundle is in another folder,
    // so keep the original location.
    define: { "import.meta.url": JSON.stringify(import.meta.url) },
    logLevel: "error",
  });
  return {
    fileOf: (source) => join(folder, `${basename(source, ".ts")}.mjs`),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
