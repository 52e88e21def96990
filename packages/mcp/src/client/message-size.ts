import { AgentError } from "@smolts/protocol";

/** The largest message from a server, in bytes, if its configuration names no limit. */
export const defaultMaxBytes = 10_000_000;

/**
 * The error code for requests that ended because the server sent a message that is too large. The
 * code is in the range that JSON-RPC reserves for implementations.
 */
export const tooLargeCode = -32_098;

/** Returns the error for a message that is longer than the limit. */
export const tooLarge = (server: string, maxBytes: number): AgentError =>
  new AgentError("tool-execution", `the MCP server "${server}" sent a message of more than ${maxBytes} bytes`, {
    hint: "ask it for less, or raise maxBytes of the server",
  });
