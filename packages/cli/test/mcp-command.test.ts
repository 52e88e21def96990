import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mcpTools } from "@smolts/mcp";
import type { Tool, ToolContext } from "@smolts/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { command, fixtures } from "./smolts-command.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const notes = fileURLToPath(new URL("../../mcp/test/servers/notes.mjs", import.meta.url));
const context = { signal: new AbortController().signal } as ToolContext;

/** Returns the settings that a client uses to start the command as a server. */
const serverOf = (...args: string[]) => ({
  command: process.execPath,
  args: ["--conditions=@smolts/source", "--import", import.meta.resolve("tsx"), main, "mcp", ...args],
  cwd: fixtures,
  trust: true,
});

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-mcp-"));
  const server = { command: process.execPath, args: [notes] };
  await writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { notes: server } }));
  const dead = { command: join(folder, "no-such-program") };
  await writeFile(join(folder, "dead.json"), JSON.stringify({ mcpServers: { notes: server, dead } }));
});

afterAll(() => rm(folder, { recursive: true }));

const named = (tools: Iterable<Tool>, name: string): Tool => {
  const found = [...tools].find((tool) => tool.name === name);
  if (!found) throw new Error(`there is no tool ${name}`);
  return found;
};

test("the agent in a file is served over standard output, whatever the file prints", async () => {
  await using mcp = await mcpTools(serverOf("./mcp-agent.ts"));
  const [adder] = mcp.tools;
  expect(adder?.description).toContain("Adds.");
  expect(await adder?.execute({ task: "1 + 2?" }, context)).toBe("3");
});

test("code mode serves the tools of the servers in a file", async () => {
  await using mcp = await mcpTools(serverOf("--servers", join(folder, "mcp.json"), "--trust", "notes"));
  const code = 'await addNote({ title: "milk", text: "two" }); (await countNotes()).count';
  expect(await named(mcp.tools, "run_code").execute({ code }, context)).toBe("1");
});

test("tools of the servers need approval unless --trust names their server", async () => {
  await using mcp = await mcpTools(serverOf("--servers", join(folder, "mcp.json")));
  const run = named(mcp.tools, "run_code").execute({ code: "await countNotes()" }, context);
  // There are two possible errors, because the protocol depends on how fast the server starts. If
  // it starts slowly, the client uses the older protocol. In that protocol the server asks the
  // client for approval, and this client declines.
  await expect(run).rejects.toThrow(/needs a person's approval|the person did not agree/);
});

test("a server that cannot be started is only a warning, and the tools of the others get their server's name as a prefix", async () => {
  await using mcp = await mcpTools(serverOf("--servers", join(folder, "dead.json"), "--trust"));
  const found = await named(mcp.tools, "search_tools").execute({ query: "count notes" }, context);
  expect(found).toContain("declare function notesCountNotes");
});

const mistakes: [argv: string[], message: string][] = [
  [["mcp"], "there is nothing to serve"],
  [["mcp", "./mcp-agent.ts", "--tools", "webSearch"], "an agent file cannot be combined with --servers or --tools"],
  [["mcp", "--servers", "no-such.json", "--http"], '"no-such.json" cannot be read'],
  [["mcp", "./mcp-agent.ts", "--http", "x"], '--http is "x"'],
  [["mcp", "./mcp-agent.ts", "--executor", "docker"], "--executor is for code mode"],
  [["mcp", "./mcp-agent.ts"], "standard output cannot be used"],
];

test.each(mistakes)("wrong usage is reported and exits with 2: %j", async (argv, message) => {
  const { exitCode, output, errorOutput } = await command(argv);
  expect(errorOutput).toContain(message);
  expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
});

test("--trust with a server that is in no file is refused", async () => {
  const { exitCode, errorOutput } = await command(["mcp", "-s", join(folder, "mcp.json"), "--trust", "nots", "--http"]);
  expect(errorOutput).toContain('did you mean "notes"?');
  expect(exitCode).toBe(2);
});
