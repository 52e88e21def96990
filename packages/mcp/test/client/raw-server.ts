import { fileURLToPath } from "node:url";
import type { McpStdioServer } from "@smolts/mcp";

const path = (name: string) => fileURLToPath(new URL(`../servers/${name}`, import.meta.url));

/** The server of `test/servers/raw.mjs` with what a module of that folder does. */
export const rawServer = (module: string): McpStdioServer => ({
  name: module,
  command: process.execPath,
  args: [path("raw.mjs"), path(`${module}.mjs`)],
});

/** The same, with a module of this source. */
export const inlineServer = (source: string, name = "raw"): McpStdioServer => ({
  name,
  command: process.execPath,
  args: [path("raw.mjs"), `data:text/javascript,${encodeURIComponent(source)}`],
});

/** A server made with the official SDK. */
export const sdkServer = (module: string): McpStdioServer => ({
  name: module,
  command: process.execPath,
  args: [path(`${module}.mjs`)],
});
