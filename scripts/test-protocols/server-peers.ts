// Tests `serveMcp` and `smolts mcp` with clients that people use: those of smolagents and FastMCP
// from PyPI, and the command of the MCP inspector.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { newerNode, outputOf, type ProtocolPart, sourceFlags, startServer } from "./part.ts";

const program = fileURLToPath(new URL("server-peers.py", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));

interface Client {
  readonly name: string;
  /** Says whether the client is installed in the folder. */
  isThere(folder: string): boolean;
  run(folder: string, url: string): Promise<{ readonly exitCode: number | null; readonly output: string }>;
}

const python = (name: string): Client => {
  const executable = (folder: string): string => join(folder, name, "bin", "python");
  return {
    name,
    isThere: (folder) => existsSync(executable(folder)),
    run: (folder, url) => outputOf(executable(folder), [program, name, url]),
  };
};

const inspectorCommand = (folder: string): string => join(folder, "inspector", "node_modules", ".bin", "mcp-inspector");

/** The MCP inspector. It starts `smolts mcp` as a process, and calls a tool. */
const inspector: Client = {
  name: "inspector",
  isThere: (folder) => existsSync(inspectorCommand(folder)) && newerNode(folder) !== null,
  run: async (folder) => {
    const smolts = [process.execPath, ...sourceFlags, join(root, "packages/cli/src/main.ts"), "mcp"];
    const server = [...smolts, "--tools", "./packages/cli/test/fixtures/mcp-tools.ts", "--code"];
    const call = [
      "--method",
      "tools/call",
      "--tool-name",
      "run_code",
      "--tool-arg",
      "code=(await double({ number: 21 }))",
    ];
    const path = dirname(newerNode(folder) ?? process.execPath);
    const { output } = await outputOf(inspectorCommand(folder), ["--cli", ...server, ...call], { cwd: root, path });
    return { exitCode: output.includes('"text": "42"') ? 0 : 1, output };
  },
};

const clients: readonly Client[] = [python("smolagents"), python("fastmcp"), inspector];

/** Tests the clients. The figure is the share of clients that can use our server, in percent. */
export const serverPeers: ProtocolPart = {
  name: "serverPeers",
  install: (folder) => [
    ["python3", "-m", "venv", join(folder, "smolagents")],
    // The client of smolagents does not support version 2 of MCP's SDK yet.
    [join(folder, "smolagents", "bin", "pip"), "install", "-q", "smolagents[mcp]==1.26.0", "mcp<2"],
    ["python3", "-m", "venv", join(folder, "fastmcp")],
    [join(folder, "fastmcp", "bin", "pip"), "install", "-q", "fastmcp==4.1.2"],
    [
      "npm",
      "install",
      "--prefix",
      join(folder, "inspector"),
      "--no-save",
      "--ignore-scripts",
      "--loglevel=error",
      "@modelcontextprotocol/inspector@2",
    ],
  ],
  run: async (folder) => {
    const there = clients.filter((client) => client.isThere(folder));
    const missing = clients.filter((client) => !there.includes(client)).map(({ name }) => `skipped ${name}: not there`);
    if (there.length === 0) return { type: "absent", reason: "none of the clients is installed" };
    await using server = await startServer(new URL("conformance-tools.ts", import.meta.url));
    const results: { readonly name: string; readonly isGood: boolean; readonly output: string }[] = [];
    for (const { name, run } of there) {
      const { exitCode, output } = await run(folder, server.url);
      results.push({ name, isGood: exitCode === 0, output });
    }
    const good = results.filter(({ isGood }) => isGood);
    const lines = results.map(
      ({ name, isGood, output }) => `${isGood ? "driven " : "FAILED "} ${name}${isGood ? "" : `\n${output}`}`,
    );
    return {
      type: "done",
      figure: (100 * good.length) / results.length,
      isGood: good.length === results.length,
      lines: [...lines, ...missing],
    };
  },
};
