import type { Tool, ToolContext } from "@smolts/protocol";
import { callTool } from "@smolts/testing";

/** A context for a call without an agent. */
export const context: ToolContext = {
  signal: new AbortController().signal,
  runId: "run",
  path: ["agent"],
  callId: "agent/1/1",
  idempotencyKey: "key",
  attempt: 1,
  emit: () => {},
  metadata: undefined,
  readBlob: () => Promise.reject(new Error("this call has no log")),
};

/** Calls a tool with the context above. */
export const call = <Input, Output>(
  tool: Tool<Input, Output>,
  input: unknown,
  changes: Partial<ToolContext> = {},
): Promise<Output> => callTool(tool, input, { ...context, ...changes });
