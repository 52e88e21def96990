import type { JsonSchema, Tool } from "@smolts/protocol";
import { invalidOption } from "@smolts/protocol";
import { ServerConnection } from "./connection.ts";
import type { ForeignDefinition } from "./foreign-definition.ts";
import { foreignSchema } from "./foreign-schema.ts";
import type { McpServer } from "./mcp-server.ts";
import { toTool } from "./to-tool.ts";

/** A tool of an MCP server, as a saved agent contains it. */
export interface SavedMcpTool {
  readonly server: McpServer;
  readonly definition: ForeignDefinition;
}

// The connections that the tools of loaded agents share, one for each server. They need not be
// closed: an idle connection does not keep this process alive, and the server's process ends with
// this process.
const connections = new Map<string, ServerConnection>();

/**
 * Creates a tool of an MCP server from its saved form; `load` calls this for saved agents. The tool
 * connects to its server at the first call. If the server's tool has changed since the agent was
 * saved, the call is refused.
 *
 * @throws AgentError `invalid-option` if the saved data is not a tool of an MCP server
 * @example
 * ```ts
 * import { mcpTool } from "@smolts/mcp";
 *
 * const definition = { serverTool: "now", description: "", inputSchema: { type: "object" }, hintedEffects: "none", digest: "" } as const;
 * console.log(mcpTool({ server: { command: "clock-server" }, definition }).name); // now
 * ```
 */
export function mcpTool(saved: SavedMcpTool): Tool {
  // Saved data comes from a file, so it can be anything.
  const { server, definition }: Partial<SavedMcpTool> = saved ?? {};
  const key = JSON.stringify(server);
  const connection = connections.get(key) ?? new ServerConnection(server, { warn: () => {} });
  const checked = checkDefinition(definition);
  connections.set(key, connection);
  connection.approveSaved(checked);
  return toTool(connection, checked);
}

function checkDefinition(given: ForeignDefinition): ForeignDefinition {
  const { serverTool, description, digest, hintedEffects } = given ?? {};
  const isRight = typeof serverTool === "string" && typeof description === "string" && typeof digest === "string";
  if (!isRight || !["none", "idempotent", "once"].includes(hintedEffects)) {
    throw invalidOption("a saved tool of an MCP server lacks its definition", "save the agent again");
  }
  const schemas: { inputSchema: JsonSchema; outputSchema?: JsonSchema } = {
    inputSchema: foreignSchema(given.inputSchema),
    ...(given.outputSchema === undefined ? {} : { outputSchema: foreignSchema(given.outputSchema) }),
  };
  return { serverTool, description, digest, hintedEffects, ...schemas };
}
