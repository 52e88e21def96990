// The command uses the tools of MCP servers. A server is given as a command line, or by its name in
// a configuration file of Claude, Cursor or VS Code.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModelServer } from "@smolts/testing/server";
import { expect, onTestFinished, test } from "vitest";
import { command } from "./smolts-command.ts";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const server = fileURLToPath(new URL("../../mcp/test/servers/notes.mjs", import.meta.url));
const code = '<code>await addNote({ title: "milk", text: "two" }); finalAnswer((await countNotes({})).count)</code>';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "smolts-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function run(mcp: string) {
  await using model = await startModelServer([code]);
  const prompts: string[] = [];
  const flags = ["--model", "openai:any", "--base-url", model.url, "--mcp", mcp, "--verbosity", "off"];
  const finished = await command(["run", "Count.", ...flags], {
    directory: packageFolder,
    readLine: async (prompt) => {
      prompts.push(prompt);
      return "y";
    },
  });
  return { ...finished, prompts };
}

test("a server's command line adds its tools, and each call needs approval", async () => {
  const { exitCode, output, errorOutput, prompts } = await run(`"${process.execPath}" '${server}'`);
  expect({ exitCode, output, errorOutput }).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/\n1\n$/),
    errorOutput: "",
  });
  expect(prompts).toHaveLength(2);
});

test("servers can be named in a file", async () => {
  const mcpServers = { notes: { command: process.execPath, args: [server] } };
  const folder = folderWith({ "mcp.json": JSON.stringify({ mcpServers }) });
  const { exitCode, output } = await run(join(folder, "mcp.json"));
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringMatching(/\n1\n$/) });
});

test("a missing file and a server that does not start are reported", async () => {
  const missing = await run("nothing.json");
  expect(missing).toMatchObject({
    exitCode: 2,
    errorOutput: expect.stringContaining('there is no file "nothing.json"'),
  });
  const dead = await run("smolts-no-such-command --stdio");
  expect(dead.exitCode).toBe(1);
  expect(dead.errorOutput).toMatch(/is "smolts-no-such-command" installed, and is there a folder ".+"\?/);
});

test("without the package the command prints how to install it", () => {
  // Use another process without NODE_PATH. In the process of the tests, NODE_PATH may find every
  // package of the workspace.
  const { NODE_PATH: _, ...env } = process.env;
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const load = ["--import", import.meta.resolve("tsx"), "--conditions=@smolts/source", "--import", noPackage];
  const argv = ["run", "Go.", "--model", "ollama:none", "--mcp", "server"];
  const { status, stderr } = spawnSync(process.execPath, [...load, main, ...argv], {
    cwd: folderWith({}),
    env,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("npm install @smolts/mcp") });
});

/** A module that hides `@smolts/mcp`, as if the package were not installed. */
const noPackage = `data:text/javascript,${encodeURIComponent(`
import Module from "node:module";
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => {
  if (name === "@smolts/mcp") throw new Error("not found");
  return resolve(name, ...rest);
};`)}`;
