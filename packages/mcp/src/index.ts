export type { McpAuthorization, McpTokenStore } from "./client/mcp-authorization.ts";
export type { McpToolChange } from "./client/mcp-tool-change.ts";
export type { McpWarning } from "./client/mcp-warning.ts";
export type { ForeignDefinition } from "./client/foreign-definition.ts";
export type { McpHttpServer, McpServer, McpServerSettings, McpStdioServer } from "./client/mcp-server.ts";
export { mcpTool, type SavedMcpTool } from "./client/mcp-tool.ts";
export { type McpTools, type McpToolsOptions, mcpTools } from "./client/mcp-tools.ts";
export type { ClientFeatures } from "./client/client-features.ts";
export {
  serveMcp,
  type RunningMcpServer,
  type ServeHttpOptions,
  type ServeMcpOptions,
  type ServeStdioOptions,
} from "./server/serve-mcp.ts";
export { mcpHandler, type McpHandler, type McpHandlerOptions } from "./server/mcp-handler.ts";
export type { Authenticate, HttpAuth } from "./server/http-access.ts";
export type { ServeOptions } from "./server/serve-options.ts";
export type { ApproveHandler, Servable, ServedAgent, ServedRun } from "./server/served.ts";
export { codeMode, type CodeMode, type CodeModeOptions } from "./server/code-mode/code-mode.ts";
export { readServersFile, type ServersFileOptions } from "./servers-file.ts";
/** @internal */
export {
  MCPClient,
  MCPServer,
  MCPServerSSE,
  MCPServerStdio,
  MCPServerStreamableHttp,
  MultiServerMCPClient,
  ToolCollection,
  createMCPClient,
  experimental_createMCPClient,
} from "./other-names.ts";
