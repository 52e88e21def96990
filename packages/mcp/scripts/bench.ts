// Measures the costs of MCP: pnpm bench:mcp [--folder where] [--json]
//
// The script compares:
// - the time to start twenty servers and list their tools, with this package and with the SDK alone
// - the time of one call, with this package and with the SDK alone
// - the size of the prompt for a thousand tools and for a hundred
// - the tokens of one task, without and with code mode
//
// `pnpm test:protocols --install` puts the servers of that task into the folder (default:
// .cache/smolts-protocols in the home folder). Without these servers, the figures of the task are
// null.

import { existsSync } from "node:fs";
import { homedir, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { CodeAgent } from "@smolts/core";
import { mcpTools } from "@smolts/mcp";
import type { ToolContext } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { countTokens } from "gpt-tokenizer";
import { measureCodeMode } from "./bench-code-mode.ts";

const raw = fileURLToPath(new URL("../test/servers/raw.mjs", import.meta.url));

/** Returns a server with this number of tools. */
function serverOf(count: number, name: string) {
  const source = `export const tools = Array.from({ length: ${count} }, (_, i) => ({ name: "tool" + i, description: "Does the thing number " + i + " with a text.",
    inputSchema: { type: "object", properties: { text: { type: "string" }, size: { type: "integer" } }, required: ["text"] } }));
    export const call = (name, { text }) => ({ content: [{ type: "text", text }] });`;
  return {
    name,
    command: process.execPath,
    args: [raw, `data:text/javascript,${encodeURIComponent(source)}`],
    trust: true,
  };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Returns how long twenty servers take to start and to list their tools, with this package and with
 * the SDK alone, in ms.
 */
async function timesToList(): Promise<{ readonly ownMs: number; readonly sdkMs: number }> {
  const [own, sdk]: [number[], number[]] = [[], []];
  for (let round = 0; round < 7; round++) {
    own.push(await timeToList());
    sdk.push(await timeToListBySdk());
  }
  return { ownMs: median(own), sdkMs: median(sdk) };
}

const twenty = Array.from({ length: 20 }, (_, index) => ({ ...serverOf(5, `s${index}`), prefix: `s${index}` }));

async function timeToList(): Promise<number> {
  const start = performance.now();
  const mcp = await mcpTools(twenty);
  const timeMs = performance.now() - start;
  if (mcp.tools.length !== 100) throw new Error(`${mcp.tools.length} tools were listed`);
  await mcp[Symbol.asyncDispose]();
  return timeMs;
}

async function timeToListBySdk(): Promise<number> {
  const start = performance.now();
  const clients = await Promise.all(
    twenty.map(async ({ command, args }) => {
      // By default, the SDK does not ask the server for a newer protocol version, which saves a
      // request. So this comparison uses the shortest time that the SDK can reach.
      const client = new Client({ name: "bench", version: "1" });
      await client.connect(new StdioClientTransport({ command, args }));
      const { tools } = await client.listTools();
      if (tools.length !== 5) throw new Error(`${tools.length} tools were listed`);
      return client;
    }),
  );
  const timeMs = performance.now() - start;
  await Promise.all(clients.map((client) => client.close()));
  return timeMs;
}

/** Returns how much longer a call takes with this package than with the SDK alone, in ms. */
async function addedToCall(): Promise<{ readonly ownMs: number; readonly sdkMs: number }> {
  const server = serverOf(1, "one");
  await using mcp = await mcpTools(server);
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport({ command: server.command, args: server.args }));
  const context = { signal: new AbortController().signal, runId: "r", emit: () => {} } as unknown as ToolContext;
  const ours = async () => mcp.tools[0]?.execute(await mcp.tools[0].parseInput({ text: "hi" }), context);
  const theirs = () => client.callTool({ name: "tool0", arguments: { text: "hi" } });
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await act();
    return performance.now() - start;
  };
  const [own, sdk]: [number[], number[]] = [[], []];
  for (let round = 0; round < 1_200; round++) {
    own.push(await timed(ours));
    sdk.push(await timed(theirs));
  }
  await client.close();
  return { ownMs: median(own.slice(200)), sdkMs: median(sdk.slice(200)) };
}

async function promptTokens(count: number): Promise<number> {
  await using mcp = await mcpTools(serverOf(count, "many"));
  const model = scriptedModel(["<code>finalAnswer(1)</code>"]);
  await new CodeAgent({ model, tools: [...mcp] }).run("Go");
  return countTokens(JSON.stringify(model.requests[0]?.messages));
}

const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: join(homedir(), ".cache", "smolts-protocols") },
    json: { type: "boolean", default: false },
  },
});
const load = loadavg()[0] ?? 0;
const list = await timesToList();
const { ownMs, sdkMs } = await addedToCall();
const [hundred, thousand] = [await promptTokens(100), await promptTokens(1_000)];
const hasServers = existsSync(join(values.folder, "node_modules", "@modelcontextprotocol", "server-everything"));
if (!hasServers) process.stderr.write(`skipped: the task with code mode: its servers are not in ${values.folder}\n`);
const task = hasServers ? await measureCodeMode(values.folder) : null;
const report = {
  loadBefore: round(load),
  twentyServersListedMs: round(list.ownMs, 0),
  twentyServersBySdkMs: round(list.sdkMs, 0),
  listedRatio: round(list.ownMs / list.sdkMs),
  callMs: round(ownMs),
  sdkCallMs: round(sdkMs),
  addedMs: round(ownMs - sdkMs),
  promptOf100: hundred,
  promptOf1000: thousand,
  promptRatio: round(thousand / hundred),
  taskByTools: task?.tools ?? null,
  taskByCodeMode: task?.codeMode ?? null,
};
console.log(values.json ? JSON.stringify(report) : report);
const isGood =
  list.ownMs <= 1_500 &&
  ownMs - sdkMs <= 1 &&
  thousand / hundred <= 1.2 &&
  (task === null || task.codeMode.definitions <= 600);
process.exitCode = isGood ? 0 : 1;
