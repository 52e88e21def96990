import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Bundles a package to one file and loads the file. Node cannot import the AI SDK directly in our
 * tests: with the import conditions that find our sources, one of its dependencies uses paths that
 * only bundlers resolve.
 */
export async function bundled<Module>(name: string): Promise<Module> {
  const { outputFiles } = await build({
    stdin: {
      contents: `module.exports = require(${JSON.stringify(name)});`,
      resolveDir: dirname(fileURLToPath(import.meta.url)),
    },
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
    logLevel: "error",
  });
  const folder = mkdtempSync(join(tmpdir(), "smolts-bundled-"));
  try {
    const path = join(folder, "bundle.cjs");
    writeFileSync(path, outputFiles[0]?.text ?? "");
    // The cast is safe: the caller knows what the package exports.
    return createRequire(import.meta.url)(path) as Module;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
