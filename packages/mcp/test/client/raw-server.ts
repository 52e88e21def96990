import { fileURLToPath } from "node:url";
import type { McpStdioServer } from "@smolts/mcp";

const path = (name: string) => fileURLToPath(new URL(`../servers/${name}`, import.meta.url));

/** Returns the server in `test/servers/raw.mjs`. A module in that folder defines its tools. */
export const rawServer = (module: string): McpStdioServer => ({
  name: module,
  command: process.execPath,
  args: [path("raw.mjs"), path(`${module}.mjs`)],
});

/** Returns the server in `test/servers/raw.mjs`, with a module that has this source code. */
export const inlineServer = (source: string, name = "raw"): McpStdioServer => ({
  name,
  command: process.execPath,
  args: [path("raw.mjs"), `data:text/javascript,${encodeURIComponent(source)}`],
});

/** Returns a server made with the official SDK. */
export const sdkServer = (module: string): McpStdioServer => ({
  name: module,
  command: process.execPath,
  args: [path(`${module}.mjs`)],
});
