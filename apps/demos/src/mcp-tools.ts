// Works with an MCP server. The demo starts the server as a process, and the model's code calls the
// server's tools. By default a person approves each call. The server is part of the demo, so the
// demo runs offline. `smolts run --mcp "npx -y some-server"` does the same with any other server.
//
//   pnpm --filter @smolts/demos mcp-tools

import { fileURLToPath } from "node:url";
import { mcpTools } from "@smolts/mcp";
import { CodeAgent, type Model } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Options of the demo. */
export interface McpToolsDemoOptions {
  readonly model: Model;
  readonly level?: PrintLevel;
  /** Called with the name of each tool call that needs approval. */
  readonly onAsked?: (name: string) => void;
}

const server = {
  name: "notes",
  command: process.execPath,
  args: [fileURLToPath(new URL("../../../packages/mcp/test/servers/notes.mjs", import.meta.url))],
  // This program declares that `count-notes` changes nothing. All other tools need approval.
  effects: { "count-notes": "none" },
} as const;

/** Writes two notes and counts them. */
export async function mcpToolsDemo({
  model,
  level = "info",
  onAsked = () => {},
}: McpToolsDemoOptions): Promise<unknown> {
  await using mcp = await mcpTools(server);
  const agent = new CodeAgent({ model, tools: [...mcp] });
  const approve = ({ name }: { readonly name: string }): boolean => {
    onAsked(name);
    return true;
  };
  return await printRun(agent.run("Note that milk and bread are needed. How many notes are there?", { approve }), {
    level,
  });
}

/** The replies of the scripted model. The number in its answer comes from the server. */
export const script: readonly string[] = [
  `I write both notes and count them.
<code>
for (const title of ["milk", "bread"]) await addNote({ title, text: "needed" });
const { count } = await countNotes({});
finalAnswer(count + " notes");
</code>`,
];

await runDemo(import.meta.url, script, (model) => mcpToolsDemo({ model }));
