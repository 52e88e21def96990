// Bundles the thread's side as one JavaScript file, once for each test file. Loading it from
// TypeScript sources would take a second for each thread.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "smolts-guest-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Bundles an entry of this package and returns the URL of the file. */
export async function bundledGuest(name: "guest.node" | "guest.web" | "guest-process.node"): Promise<URL> {
  const file = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))],
    bundle: true,
    conditions: ["@smolts/source"],
    format: "esm",
    platform: name === "guest.web" ? "browser" : "node",
    target: "es2023",
    outfile: file,
    logLevel: "silent",
  });
  return pathToFileURL(file);
}
