import type { Tool, ToolContext } from "@smolts/protocol";

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

/** Calls a tool as an agent does: validates the input, then executes the tool. */
export async function call<Input, Output>(
  tool: Tool<Input, Output>,
  input: unknown,
  changes: Partial<ToolContext> = {},
): Promise<Output> {
  const parsed = await tool.parseInput(input);
  return await tool.execute(parsed, { ...context, ...changes });
}
