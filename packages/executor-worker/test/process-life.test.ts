import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { bundledGuest } from "./bundled-guest.ts";

const program = `
  import { worker } from "@smolts/executor-worker";

  const signal = new AbortController().signal;
  const executor = await worker({ entry: new URL(process.argv[2]) }).open({ signal });
  await executor.start({ tools: [] });
  await executor.execute("const kept = 41", { signal, time: 0, seed: "", onCall: () => {}, onConsole: () => {} });
  const variables = await executor.variables();
  console.log(variables.map(({ name }) => name).join());
`;

test("a process stays alive only while the thread has something to answer", async () => {
  const folder = mkdtempSync(join(tmpdir(), "smolts-process-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "program.mjs");
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    conditions: ["@smolts/source"],
    format: "esm",
    platform: "node",
    outfile,
    logLevel: "silent",
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile, (await bundledGuest("guest.node")).href], {
    timeout: 250_000,
  });
  expect(stdout).toBe("kept\n");
});
