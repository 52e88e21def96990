// Converts a server's tool to a tool for agents.

import { AgentError, type JsonValue, type Tool, type ToolEffects } from "@smolts/protocol";
import { jsonSchema, tool } from "@smolts/tools";
import { callResult } from "./call-result.ts";
import type { ServerConnection } from "./connection.ts";
import { codeName, type ForeignDefinition } from "./foreign-definition.ts";
import { isStdio, type McpServer } from "./mcp-server.ts";

/**
 * Creates a tool that calls the server's tool.
 *
 * @throws AgentError `invalid-option` if the schema of the server's tool cannot be used
 */
export function toTool(connection: ServerConnection, definition: ForeignDefinition): Tool {
  const { server, name: serverName } = connection;
  const { serverTool, description, inputSchema, outputSchema } = definition;
  const { effects, needsApproval } = effectsOf(server, definition);
  const checkOutput = outputSchema === undefined ? undefined : jsonSchema(outputSchema)["~standard"].validate;
  const made = tool({
    name: codeName(serverTool, server.prefix),
    // The server may not be trusted, so the description says that the text is the server's.
    description: `${JSON.stringify(serverName)} says: ${description === "" ? serverTool : description}`,
    input: jsonSchema<object>(inputSchema),
    ...(outputSchema === undefined ? {} : { output: jsonSchema(outputSchema) }),
    effects,
    needsApproval,
    // No limit here: the connection limits the time, and pauses the limit while a person is asked.
    timeoutMs: 0,
    execute: async (input, context) => {
      const result = await connection.call({ definition, effects, input, context });
      if (checkOutput && result.isError !== true) await mustFit(result.structuredContent, checkOutput, definition);
      return callResult(result, serverTool, connection.redact);
    },
  }) as Tool; // safe: it gets only the input that its own parseInput returned
  const reference = referenceOf(server, definition);
  return reference === undefined ? made : { ...made, reference };
}

function effectsOf({ trust = false, effects = {} }: McpServer, { serverTool, hintedEffects }: ForeignDefinition) {
  const said: ToolEffects | undefined = Object.hasOwn(effects, serverTool) ? effects[serverTool] : undefined;
  if (said !== undefined) return { effects: said, needsApproval: false };
  return trust ? { effects: hintedEffects, needsApproval: false } : { effects: "once" as const, needsApproval: true };
}

async function mustFit(
  value: unknown,
  validate: (value: unknown) => unknown,
  { serverTool }: ForeignDefinition,
): Promise<void> {
  if (value === undefined) {
    throw new AgentError(
      "tool-execution",
      `"${serverTool}" has an output schema, and answered without structured content`,
    );
  }
  const { issues } = (await validate(value)) as { readonly issues?: readonly { readonly message: string }[] };
  if (issues === undefined) return;
  throw new AgentError(
    "tool-execution",
    `the answer of "${serverTool}" does not match its output schema: ${issues[0]?.message ?? ""}`,
  );
}

/**
 * Returns the reference that a saved agent needs to find the tool again. Undefined if the reference
 * would contain a secret.
 */
function referenceOf(server: McpServer, definition: ForeignDefinition): Tool["reference"] {
  if (mayContainSecret(server)) return undefined;
  const saved = isStdio(server) ? server : { ...server, url: String(server.url) };
  const options = JSON.parse(JSON.stringify({ server: saved, definition })) as { readonly [name: string]: JsonValue };
  return { module: "@smolts/mcp", export: "mcpTool", options };
}

function mayContainSecret(server: McpServer): boolean {
  if (!isStdio(server)) {
    const { search, hash } = new URL(server.url);
    return server.headers !== undefined || server.authorization !== undefined || search !== "" || hash !== "";
  }
  const { args = [], env = {} } = server;
  return (
    Object.keys(env).length > 0 ||
    args.some((word) => /:\/\/[^/]*@|(?:key|token|secret|password)s?\b.*[=:]|^(?:sk|hf|ghp|xox[bp])[-_]/i.test(word))
  );
}
