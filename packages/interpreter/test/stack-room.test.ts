import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { requireStack } from "../src/stack-room.ts";

// If V8 runs out of stack while it compiles a regular expression, it ends the whole process. No
// program may cause this.
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
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, outfile], { timeout: 250_000 });
  expect(stdout).toMatch(/import\(.*\n$/);
});

test("the stack is still checked after the host has optimised the check", () => {
  for (let round = 0; round < 100_000; round++) requireStack();
  // This call also makes the host compile `callsThatFit`. In the next call, the compiler then needs
  // no stack.
  expect(callsThatFit()).toBeGreaterThan(1_000);
  expect(callsThatFitWhereRefused()).toBeGreaterThan(50);
});

function callsThatFitWhereRefused(): number {
  try {
    requireStack();
  } catch {
    return callsThatFit();
  }
  return callsThatFitWhereRefused();
}

function callsThatFit(): number {
  let count = 0;
  const callAgain = (): void => {
    count++;
    callAgain();
  };
  try {
    callAgain();
  } catch {
    return count;
  }
  return 0;
}
