import {
  explainToolContext,
  type OptionTable,
  readOptions,
  type Tool,
  type ToolContext,
  wrongArgument,
} from "@smolts/protocol";

/**
 * Calls a tool without an agent, but in the same way as an agent: validates the input, then
 * executes the tool.
 *
 * @param input - the input as a model sends it
 * @param context - the fields of the context that the tool uses; all other fields get values for
 *   tests
 * @throws AgentError `tool-input` if the input is wrong, or the error of the tool
 * @example
 * ```ts
 * import { callTool } from "@smolts/testing";
 * import { tool } from "smolts";
 *
 * const double = tool({ name: "double", description: "Doubles.", input: { of: "number" }, execute: ({ of }) => of * 2 });
 * console.log(await callTool(double, { of: 21 })); // 42
 * ```
 */
export async function callTool<Input, Output>(
  tool: Tool<Input, Output>,
  input: unknown,
  context: Partial<ToolContext> = {},
): Promise<Output> {
  if (typeof tool?.parseInput !== "function")
    throw wrongArgument(
      "callTool()",
      tool,
      "a tool",
      'write callTool(tool({ name: "weather", ... }), { city: "Paris" })',
    );
  const given = readOptions(context, "callTool()", contextOptions);
  return await tool.execute(await tool.parseInput(input), explainToolContext({ ...testContext, ...given }));
}

const contextOptions: OptionTable<Partial<ToolContext>> = {
  signal: "signal",
  runId: "text",
  path: "texts",
  callId: "text",
  idempotencyKey: "text",
  attempt: "number",
  emit: "function",
  metadata: true,
  readBlob: "function",
  ask: "function",
  generate: "function",
};

/** The context of a call that belongs to no run. */
export const testContext: ToolContext = {
  signal: new AbortController().signal,
  runId: "test",
  path: ["agent"],
  callId: "agent/1/1",
  idempotencyKey: "key-1",
  attempt: 1,
  emit: () => {},
  metadata: undefined,
  readBlob: () => Promise.reject(new Error("this call has no log; pass { readBlob } to callTool()")),
};
