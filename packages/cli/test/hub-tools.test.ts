import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { push } from "@smolts/hub";
import { startModelServer } from "@smolts/testing/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rollDice } from "../../hub/test/fixtures/dice.ts";
import { type HubServer, startHub, token } from "../../hub/test/hub-server.ts";
import { command, fixtures } from "./smolts-command.ts";

let hub: HubServer;
let folder = "";

beforeEach(async () => {
  hub = await startHub();
  // Among the packages, where the command and the tool find what they import.
  folder = await mkdtemp(join(fixtures, ".hub-"));
  const directory = fileURLToPath(new URL("../../hub/test/fixtures/", import.meta.url));
  await push(rollDice, "ada/dice", { hubUrl: hub.url, token, files: ["dice.ts", "sides.ts"], directory });
});

afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function run(...flags: string[]) {
  const server = await startModelServer(["<code>finalAnswer(await rollDice({ count: 7 }))</code>"]);
  const model = ["--model", "openai:scripted", "--base-url", server.url, "--api-key", "none"];
  try {
    const options = { directory: folder, environment: { HF_ENDPOINT: hub.url } };
    return await command(["run", "Roll.", "--tools", "ada/dice", "--verbosity", "off", ...model, ...flags], options);
  } finally {
    await server.close();
  }
}

test("a tool of the Hub is loaded when its code is trusted, and locked from then on", async () => {
  const { output, exitCode } = await run("--trust-code");
  expect({ output, exitCode }).toEqual({ output: "42\n", exitCode: 0 });
  const lock = JSON.parse(await readFile(join(folder, "smolts-hub.lock.json"), "utf8"));
  expect(Object.keys(lock.repos["ada/dice@main"].files)).toContain("sides.ts");
  hub.put("spaces/ada/dice", { "sides.ts": "export const sides = 1;" });
  const changed = await run("--trust-code");
  expect(changed.errorOutput).toContain("the lock file says");
  expect(changed.exitCode).toBe(2);
});

test("without --trust-code the command shows what there is, and runs nothing", async () => {
  const { errorOutput, exitCode } = await run();
  expect(errorOutput).toMatch(/not run unless you trust it.*--trust-code.*dice\.ts {2}not downloaded/s);
  expect(exitCode).toBe(2);
});
