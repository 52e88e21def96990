import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openDemoModel } from "../src/demo-model.ts";

test("a demo started as a program names its model, prints its steps, pipes its answer, and exits with 0", async () => {
  const { exitCode, stdout, stderr } = await start("text-to-sql");
  const [first, ...rest] = stderr.split("\n");
  expect(first).toMatch(/^No model is configured: a scripted one answers at http:\/\/127\.0\.0\.1:\d+\/v1\./);
  expect(rest.join("\n")).toMatch(/Step 1\n.*no such column: total.*Step 3\n.*Answer\nWoodrow Wilson\n/s);
  expect(stdout).toBe("Woodrow Wilson\n");
  expect(exitCode).toBe(0);
});

test.each([
  ["an unknown preset", ["--model", "nowhere:x"], /"nowhere:x".*\n.*known presets/],
  ["an unknown preset after a double dash", ["--", "--model", "nowhere:x"], /"nowhere:x"/],
  ["an unknown flag", ["--modle", "x"], /--modle/],
])("with %s, a demo exits with 1 and says why", async (_what, args, says) => {
  const { exitCode, stderr } = await start("fibonacci", args);
  expect(stderr).toMatch(says);
  expect(exitCode).toBe(1);
});

test("the variable SMOLTS_MODEL names the model", async () => {
  const { exitCode, stderr } = await start("fibonacci", [], { SMOLTS_MODEL: "nowhere:y" });
  expect(stderr).toContain('"nowhere:y"');
  expect(exitCode).toBe(1);
});

test("a real model is selected by preset and id", async () => {
  const opened = await openDemoModel([], "ollama:qwen3:8b");
  expect(opened.introduction).toContain("ollama:qwen3:8b");
  expect(opened.model.id).toBe("ollama/qwen3:8b");
});

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(demo: string, args: readonly string[] = [], variables: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const file = fileURLToPath(new URL(`../src/${demo}.ts`, import.meta.url));
  const environment = { ...process.env, SMOLTS_MODEL: "", FORCE_COLOR: "0", ...variables };
  return new Promise((resolve) => {
    const flags = ["--import", "tsx", "--conditions=@smolts/source"];
    const child = execFile(process.execPath, [...flags, file, ...args], { env: environment }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, stdout, stderr }),
    );
  });
}
