// Names that people look for in this package. They are exported so that their use throws an error
// that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/mcp");

/** @internal */
export const MCPClient: () => never = /* @__PURE__ */ other("MCPClient", "mcpTools({ command, args })");
/** @internal */
export const createMCPClient: () => never = /* @__PURE__ */ other("createMCPClient", "mcpTools({ command, args })");
/** @internal */
export const experimental_createMCPClient: () => never = /* @__PURE__ */ other(
  "experimental_createMCPClient",
  "mcpTools({ command, args })",
);
/** @internal */
export const MultiServerMCPClient: () => never = /* @__PURE__ */ other(
  "MultiServerMCPClient",
  "mcpTools({ command, args })",
);
/** @internal */
export const MCPServerStdio: () => never = /* @__PURE__ */ other("MCPServerStdio", "mcpTools({ command, args })");
/** @internal */
export const MCPServerStreamableHttp: () => never = /* @__PURE__ */ other(
  "MCPServerStreamableHttp",
  "mcpTools({ command, args })",
);
/** @internal */
export const MCPServerSSE: () => never = /* @__PURE__ */ other("MCPServerSSE", "mcpTools({ command, args })");
/** @internal */
export const ToolCollection: () => never = /* @__PURE__ */ other("ToolCollection", "mcpTools({ command, args })");
/** @internal */
export const MCPServer: () => never = /* @__PURE__ */ other("MCPServer", "serveMcp([tool])");
