import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { runCommand } from "../run-command.ts";

/**
 * Runs a program of `programs/` as if our packages were published: bundled, and in plain Node. The
 * program prints its figures as JSON. Each of `entries` is bundled into the same folder, as
 * `<name>.mjs`.
 *
 * The loader that runs these scripts wraps every new function to keep its name. That cost would be
 * measured, too, so the program runs without the loader.
 */
export async function measureAsPublished(
  program: string,
  entries: Readonly<Record<string, URL>> = {},
): Promise<Readonly<Record<string, number>>> {
  const folder = mkdtempSync(join(tmpdir(), "smolts-bench-"));
  try {
    await build({
      entryPoints: Object.fromEntries(
        Object.entries({ ...entries, [program]: new URL(`programs/${program}.ts`, import.meta.url) }).map(
          ([name, file]) => [name, fileURLToPath(file)],
        ),
      ),
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
    const { ok, stdout, output } = await runCommand(["node", "--expose-gc", join(folder, `${program}.mjs`)], {
      cwd: folder,
    });
    if (!ok) throw new Error(output);
    return JSON.parse(stdout) as Readonly<Record<string, number>>; // our own program printed this
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
