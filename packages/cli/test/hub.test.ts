import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CodeAgent } from "@smolts/core";
import { push } from "@smolts/hub";
import { resolveModel } from "@smolts/models";
import { startModelServer } from "@smolts/testing/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rollDice } from "../../hub/test/fixtures/dice.ts";
import { type HubServer, startHub, token } from "../../hub/test/hub-server.ts";
import { command, fixtures, spawnCommand } from "./smolts-command.ts";

let hub: HubServer;
let folder = "";

beforeEach(async () => {
  hub = await startHub();
  // The folder is inside the package, so that the command and the tool find what they import.
  folder = await mkdtemp(join(fixtures, ".hub-"));
  const directory = fileURLToPath(new URL("../../hub/test/fixtures/", import.meta.url));
  const options = { hubUrl: hub.url, token, files: ["dice.ts", "sides.ts"], directory };
  await push(rollDice, "ada/dice", options);
  const gambler = new CodeAgent({ model: resolveModel("ollama:qwen3"), tools: [rollDice], name: "gambler" });
  await push(gambler, "ada/gambler", options);
});

afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const run = (...flags: string[]) => roll("--tools", "ada/dice", ...flags);

async function roll(...flags: string[]) {
  const server = await startModelServer(["<code>finalAnswer(await rollDice({ count: 7 }))</code>"]);
  const model = ["--model", "openai:scripted", "--base-url", server.url, "--api-key", "none"];
  try {
    const options = { directory: folder, environment: { HF_ENDPOINT: hub.url } };
    return await command(["run", "Roll.", "--verbosity", "off", ...model, ...flags], options);
  } finally {
    await server.close();
  }
}

test("a tool of the Hub is loaded when its code is trusted, and its commit is locked", async () => {
  const { output, exitCode } = await run("--trust-code");
  expect({ output, exitCode }).toEqual({ output: "42\n", exitCode: 0 });
  const lock = JSON.parse(await readFile(join(folder, "smolts-hub.lock.json"), "utf8"));
  expect(Object.keys(lock.repos["ada/dice@main"].files)).toContain("sides.ts");
  hub.put("spaces/ada/dice", { "sides.ts": "export const sides = 1;" });
  const changed = await run("--trust-code");
  expect(changed.errorOutput).toContain("the lock file says");
  expect(changed.exitCode).toBe(2);
});

test("without --trust-code the command shows the files, and runs nothing", async () => {
  const { errorOutput, exitCode } = await run();
  expect(errorOutput).toMatch(/not run unless you trust it.*--trust-code.*dice\.ts {2}not downloaded/s);
  expect(exitCode).toBe(2);
});

test("an agent of the Hub runs when its code is trusted, and its commit is locked", async () => {
  const { output, errorOutput, exitCode } = await roll("--agent", "ada/gambler", "--trust-code");
  expect({ output, errorOutput, exitCode }).toEqual({ output: "42\n", errorOutput: "", exitCode: 0 });
  hub.put("spaces/ada/gambler", { "sides.ts": "export const sides = 1;" });
  const changed = await roll("--agent", "ada/gambler", "--trust-code");
  expect(changed.errorOutput).toMatch(/--agent: .*the lock file says/s);
  expect(changed.exitCode).toBe(2);
});

test("an agent of the Hub whose code is not trusted is shown and not run", async () => {
  const { output, errorOutput, exitCode } = await roll("--agent", "ada/gambler");
  expect(errorOutput).toMatch(
    /--agent: ada\/gambler: the tool "rollDice" is code.*--trust-code.*agent\.json {2}\d+ bytes/s,
  );
  expect({ output, exitCode }).toEqual({ output: "", exitCode: 2 });
  expect(hub.requests.filter(({ path }) => path.endsWith("dice.ts"))).toEqual([]);
});

test("what could not be converted from a foreign agent is listed on standard error", async () => {
  const server = { type: "stdio", command: "never-started" };
  const definition = { model: "Qwen/Qwen3-32B", servers: [server] };
  hub.put("spaces/ada/tiny", { "agent.json": JSON.stringify(definition) });
  const { output, errorOutput, exitCode } = await roll("--agent", "ada/tiny");
  expect(errorOutput).toBe('smolts: ada/tiny left out: the server "never-started": it needs --trust-code\n');
  expect({ isAnswered: output !== "", exitCode }).toEqual({ isAnswered: true, exitCode: 0 });
});

test("a missing repository is an error, and so is a path without the leading dot", async () => {
  const missing = await roll("--agent", "ada/nothing");
  expect(missing.errorOutput).toContain("--agent: ");
  expect(missing.errorOutput).not.toContain("--trust-code");
  expect(missing.exitCode).toBe(2);
  const path = await roll("--agent", "src/agent.ts");
  expect(path.errorOutput).toContain('write "./src/agent.ts" for a file');
  expect(path.exitCode).toBe(2);
});

test("without the package the command says how to install it", async () => {
  const empty = await mkdtemp(join(tmpdir(), "smolts-no-hub-"));
  const { exitCode, errorOutput } = await spawnCommand(["run", "Roll.", "--agent", "ada/gambler"], empty).finished;
  await rm(empty, { recursive: true });
  expect(errorOutput).toContain("npm install @smolts/hub");
  expect(exitCode).toBe(2);
});
