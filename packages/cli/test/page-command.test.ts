import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { command, commandUntil, fixtures, spawnCommand } from "./smolts-command.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-page-"));
  vi.stubEnv("XDG_STATE_HOME", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const runFile = `${JSON.stringify({ type: "run-start", runId: "r", path: ["agent"], seq: 1, time: 0, task: [] })}\n`;

test("without @smolts/ui the command prints how to install it, and exits with 2", async () => {
  const { exitCode, errorOutput } = await spawnCommand(["view", "run.jsonl"], folder).finished;
  expect(exitCode).toBe(2);
  expect(errorOutput).toContain("hint: install it: npm install @smolts/ui");
});

describe("smolts export", () => {
  test("writes one page, to the named file or to standard output", async () => {
    const path = join(folder, "run.jsonl");
    await writeFile(path, runFile);
    const { exitCode, output } = await command(["export", path]);
    expect([exitCode, output]).toEqual([0, `The page is in ${join(folder, "run.html")}\n`]);
    const html = await readFile(join(folder, "run.html"), "utf8");
    expect(html).toContain(Buffer.from(runFile).toString("base64"));
    expect((await command(["export", path, "-o", "-"])).output).toBe(html);
    const again = await command(["export", path]);
    expect(again.exitCode).toBe(2);
    expect(again.errorOutput).toContain("(EEXIST)");
  });

  test("says what is wrong with a file", async () => {
    const path = join(folder, "run.jsonl");
    await writeFile(path, "hello");
    expect((await command(["export", path])).errorOutput).toContain("the file is not a run file");
    expect((await command(["export", join(folder, "none.jsonl")])).errorOutput).toContain("(ENOENT)");
  });
});

test("smolts view shows a run file until it is interrupted", async () => {
  const path = join(folder, "run.jsonl");
  await writeFile(path, runFile);
  let status = 0;
  const { exitCode } = await commandUntil(
    ["view", path, "--port", "0"],
    /The run is at (\S+)/,
    async ([, url = ""]) => {
      status = (await fetch(url)).status;
      expect((await fetch(new URL("/", url))).status).toBe(404);
    },
  );
  expect([status, exitCode]).toEqual([200, 0]);
});

describe("smolts ui", () => {
  test("serves the agent of a file until it is interrupted", async () => {
    let page = "";
    const { exitCode } = await commandUntil(
      ["ui", "./agent.ts", "--port", "0"],
      /The page is at (\S+)/,
      async ([, url = ""]) => {
        page = await (await fetch(url)).text();
      },
    );
    expect(exitCode).toBe(0);
    expect(page).toContain("<agent-ui");
  });

  test("says what a file exports when none of it is an agent", async () => {
    const { exitCode, errorOutput } = await command(["ui", "./no-agent.ts"], { directory: fixtures });
    expect(exitCode).toBe(2);
    expect(errorOutput).toContain('no export of "./no-agent.ts" is an agent');
    expect(errorOutput).toContain("export default new CodeAgent(");
  });

  test("refuses an invalid port", async () => {
    expect((await command(["ui", "--port", "70000"])).errorOutput).toContain('--port is "70000"');
  });
});
