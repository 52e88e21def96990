import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";

// V8 ends the whole process when it runs out of stack while it compiles a regular expression.
test("built-ins that are called at the end of the host's stack end the program and not the process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "smolts-stack-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "call-at-stack-end.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("call-at-stack-end.ts", import.meta.url))],
    bundle: true,
    conditions: ["@smolts/source"],
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "silent",
  });
  const flags = ["--no-opt", "--no-sparkplug"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, outfile], { timeout: 100_000 });
  expect(stdout).toMatch(/import\(.*\n$/);
}, 120_000);
