// pnpm bench:mcp [--json]: what MCP costs. Twenty servers are started and listed; a call is held against the SDK's own over the same server, in turns; and
// the prompt of a thousand tools against that of a hundred.

import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { CodeAgent } from "@smolts/core";
import { mcpTools } from "@smolts/mcp";
import type { ToolContext } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { countTokens } from "gpt-tokenizer";

const raw = fileURLToPath(new URL("../test/servers/raw.mjs", import.meta.url));

/** A server with so many tools. */
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

async function timeToList(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const servers = Array.from({ length: 20 }, (_, index) => ({ ...serverOf(5, `s${index}`), prefix: `s${index}` }));
    const start = performance.now();
    const mcp = await mcpTools(servers);
    times.push(performance.now() - start);
    if (mcp.tools.length !== 100) throw new Error(`${mcp.tools.length} tools were listed`);
    await mcp[Symbol.asyncDispose]();
  }
  return median(times);
}

/** How much longer a call takes than the SDK's own, in ms. */
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

const listMs = await timeToList();
const { ownMs, sdkMs } = await addedToCall();
const [hundred, thousand] = [await promptTokens(100), await promptTokens(1_000)];
const report = {
  twentyServersListedMs: round(listMs, 0),
  callMs: round(ownMs),
  sdkCallMs: round(sdkMs),
  addedMs: round(ownMs - sdkMs),
  promptOf100: hundred,
  promptOf1000: thousand,
  promptRatio: round(thousand / hundred),
};
console.log(process.argv.includes("--json") ? JSON.stringify(report) : report);
process.exitCode = listMs <= 1_500 && ownMs - sdkMs <= 1 && thousand / hundred <= 1.2 ? 0 : 1;
