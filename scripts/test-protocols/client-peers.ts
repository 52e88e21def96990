// Tests our client with servers of others: the reference servers from npm, and FastMCP from PyPI.
// The client lists the tools of each server, and calls some of them.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type McpServer, type McpTools, mcpTools } from "@smolts/mcp";
import type { ToolContext } from "@smolts/protocol";
import type { ProtocolPart } from "./part.ts";

interface Peer {
  readonly name: string;
  /** Packages that must be installed. */
  readonly needs: string;
  readonly server: McpServer;
  drive(call: (name: string, input?: object) => Promise<unknown>, mcp: McpTools): Promise<string>;
}

const fastMcp = `
from fastmcp import FastMCP, Context
from pydantic import BaseModel

mcp = FastMCP("kitchen")

class Weight(BaseModel):
    grams: float

@mcp.tool
def weigh(thing: str) -> Weight:
    """Weighs a thing."""
    return Weight(grams=len(thing) * 10.0)

@mcp.tool
async def stir(times: int, ctx: Context) -> str:
    """Stirs."""
    for n in range(times):
        await ctx.report_progress(n + 1, times)
    return "stirred"

mcp.run()
`;

function peersIn(folder: string): readonly Peer[] {
  const bin = (name: string): string => join(folder, "node_modules", ".bin", name);
  const work = join(folder, "work");
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, "fact.txt"), "water is wet");
  writeFileSync(join(work, "kitchen.py"), fastMcp);
  const python = join(folder, "fastmcp", "bin", "python");
  return [
    {
      name: "server-everything",
      needs: bin("mcp-server-everything"),
      server: { command: bin("mcp-server-everything"), trust: true },
      drive: async (call) => {
        must(String(await call("echo", { message: "hi" })).includes("hi"), "echo");
        must(
          JSON.stringify(await call("get-structured-content", { location: "New York" })).includes("temperature"),
          "structured",
        );
        must(JSON.stringify(await call("get-tiny-image")).includes("image/png"), "image");
        must(String(await call("trigger-long-running-operation", { duration: 1, steps: 3 })).includes("3"), "progress");
        return "echo, structured content, an image, progress";
      },
    },
    {
      name: "server-filesystem",
      needs: bin("mcp-server-filesystem"),
      server: { command: bin("mcp-server-filesystem"), args: [work], trust: true },
      drive: async (call) => {
        must(
          JSON.stringify(await call("read_text_file", { path: join(work, "fact.txt") })).includes("water is wet"),
          "read",
        );
        const refused = await call("read_text_file", { path: "/etc/hostname" }).catch((error: Error) => error.message);
        must(/denied|outside/i.test(String(refused)), "outside");
        return "a file read, a file outside refused";
      },
    },
    {
      name: "server-memory",
      needs: bin("mcp-server-memory"),
      server: { command: bin("mcp-server-memory"), env: { MEMORY_FILE_PATH: join(work, "memory.json") }, trust: true },
      drive: async (call) => {
        await call("create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["counts"] }] });
        must(JSON.stringify(await call("search_nodes", { query: "Ada" })).includes("counts"), "search");
        return "an entity written and found";
      },
    },
    {
      name: "fastmcp",
      needs: python,
      server: { command: python, args: [join(work, "kitchen.py")], trust: true },
      drive: async (call) => {
        must(JSON.stringify(await call("weigh", { thing: "egg" })) === '{"grams":30}', "structured");
        must(String(await call("stir", { times: 3 })) !== "", "progress");
        return "structured content, progress";
      },
    },
  ];
}

/** Tests our client with the servers of others. The figure is the number of servers that work. */
export const clientPeers: ProtocolPart = {
  name: "clientPeers",
  install: (folder) => [
    [
      "npm",
      "install",
      "--no-audit",
      "--no-fund",
      "--prefix",
      folder,
      ...["everything", "filesystem", "memory"].map((name) => `@modelcontextprotocol/server-${name}`),
    ],
    ["python3", "-m", "venv", join(folder, "fastmcp")],
    [join(folder, "fastmcp", "bin", "python"), "-m", "pip", "install", "--quiet", "fastmcp"],
  ],
  run: async (folder) => {
    const all = existsSync(folder) ? peersIn(folder) : [];
    const there = all.filter(({ needs }) => existsSync(needs));
    if (there.length === 0) return { type: "absent", reason: "none of the servers is installed" };
    const lines: string[] = all
      .filter((peer) => !there.includes(peer))
      .map(({ name }) => `skipped ${name}: it is not installed`);
    let driven = 0;
    for (const peer of there) {
      try {
        lines.push(`driven ${peer.name}: ${await drive(peer)}`);
        driven++;
      } catch (error) {
        lines.push(`FAILED ${peer.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return { type: "done", figure: driven, isGood: driven === there.length, lines };
  },
};

async function drive({ server, drive }: Peer): Promise<string> {
  await using mcp = await mcpTools(server);
  const context = { signal: new AbortController().signal, runId: "peers", emit: () => {} } as unknown as ToolContext;
  const tools = new Map(
    mcp.tools.map((tool) => [
      (tool.reference?.options as { definition?: { serverTool?: string } })?.definition?.serverTool ?? tool.name,
      tool,
    ]),
  );
  const call = async (name: string, input: object = {}): Promise<unknown> => {
    const tool = tools.get(name) ?? mcp.tools.find((one) => one.name === name);
    if (!tool) throw new Error(`there is no tool "${name}": ${[...tools.keys()].join(", ")}`);
    return await tool.execute(await tool.parseInput(input), context);
  };
  return await drive(call, mcp);
}

function must(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`${what} went wrong`);
}
