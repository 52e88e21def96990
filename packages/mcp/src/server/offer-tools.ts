// Serves tools unchanged. A client sees the same names and schemas as an agent, and its calls pass
// the same checks.

import type { CallToolResult, Tool as ToolDefinition } from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import { toToolError } from "@smolts/core";
import { invalidOption, type JsonSchema, type Tool, toPlainJson, toPlainText } from "@smolts/protocol";
import { callTool } from "./call-tool.ts";
import { textBlock, toResult } from "./content.ts";
import { failure, type Offer, type OfferedTool } from "./offer.ts";

/**
 * Creates the offer of some tools.
 *
 * @throws AgentError `invalid-option` if two tools have the same name
 */
export function offerTools(tools: readonly Tool[]): Offer {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) {
      throw invalidOption(`two tools are named "${name}"`, "rename one of them");
    }
    names.add(name);
  }
  const offered = tools.map(offerTool);
  return { name: "smolts-tools", tools: () => offered };
}

function offerTool(tool: Tool): OfferedTool {
  const checkOutput = tool.outputSchema ? outputCheck(tool.name, tool.outputSchema) : null;
  return {
    definition: definitionOf(tool),
    call: async (input, context) => {
      try {
        const output = await callTool(tool, input, context);
        return checkOutput ? await checkOutput(output) : await toResult(output);
      } catch (error) {
        context.signal.throwIfAborted();
        return failed(error);
      }
    },
  };
}

/** Returns a tool's error as a result, without stack, cause or secrets. */
export function failed(error: unknown): CallToolResult {
  const { message, hint } = toToolError(error);
  return failure(message, hint);
}

function definitionOf({ name, description, inputSchema, outputSchema, effects }: Tool): ToolDefinition {
  return {
    name,
    description,
    // The cast is safe: the input of every tool is an object.
    inputSchema: { ...inputSchema, type: "object" } as ToolDefinition["inputSchema"],
    ...(outputSchema ? { outputSchema: outputSchema as NonNullable<ToolDefinition["outputSchema"]> } : {}),
    annotations: {
      readOnlyHint: effects === "none",
      ...(effects === "none" ? {} : { idempotentHint: effects === "idempotent" }),
    },
  };
}

/**
 * Returns a function that checks a result against its schema. Clients refuse structured content
 * that does not match, so such a result is returned as an error text.
 */
function outputCheck(name: string, schema: JsonSchema): (output: unknown) => Promise<CallToolResult> {
  // The cast is safe: the parameter accepts any JSON Schema.
  const validate = new CfWorkerJsonSchemaValidator().getValidator(schema as never);
  return async (output) => {
    const json = toPlainJson(output);
    const { valid, errorMessage } = validate(json);
    const text = toPlainText(output);
    // The cast is safe: the SDK wraps values that are not objects.
    if (valid) return { content: [textBlock(text)], structuredContent: json as { [key: string]: unknown } };
    const result = failure(`the result of "${name}" does not match its output schema: ${errorMessage}`);
    return { ...result, content: [...result.content, textBlock(text)] };
  };
}
