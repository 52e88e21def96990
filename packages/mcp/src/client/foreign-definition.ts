// A server's description of a tool, taken with care. An approved tool is identified by its digest:
// a tool that says something else later is another tool.

import type { Tool as ListedTool } from "@modelcontextprotocol/client";
import { AgentError, type JsonSchema, type ToolEffects } from "@smolts/protocol";
import { toToolName } from "@smolts/tools/foreign-tool";
import { cleanText, foreignSchema } from "./foreign-schema.ts";

/** A tool as a server describes it: plain data, bounded. */
export interface ForeignDefinition {
  /** The tool's name on the server. */
  readonly serverTool: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** What its annotations say it does; believed only of servers that are trusted. */
  readonly hintedEffects: ToolEffects;
  /** Hash of everything that the server says about the tool. */
  readonly digest: string;
}

const maxNameLength = 256;
const maxDescriptionLength = 1_000;

/**
 * Reads the description of a tool.
 *
 * @throws AgentError `invalid-value` that says why the tool cannot be used
 */
export async function foreignDefinition(listed: ListedTool): Promise<ForeignDefinition> {
  const { name, title, description, annotations } = listed;
  if (name === "" || name.length > maxNameLength) {
    throw new AgentError("invalid-value", `its name has ${name.length} characters`);
  }
  if (cleanText(name, maxNameLength) !== name) throw new AgentError("invalid-value", "its name has hidden characters");
  const inputSchema = foreignSchema(listed.inputSchema);
  return {
    serverTool: name,
    description: cleanText(description ?? title ?? annotations?.title ?? "", maxDescriptionLength),
    inputSchema,
    ...(listed.outputSchema === undefined ? {} : { outputSchema: foreignSchema(listed.outputSchema) }),
    hintedEffects: hintedEffects(annotations),
    digest: await digestOf([name, title, description, listed.inputSchema, listed.outputSchema, annotations]),
  };
}

function hintedEffects(annotations: ListedTool["annotations"]): ToolEffects {
  if (annotations?.readOnlyHint === true) return "none";
  return annotations?.idempotentHint === true ? "idempotent" : "once";
}

async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value, inOrder));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A server may send the same description with its fields in another order. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

// Names that mean something else to an agent or to the code it writes: a server that took one would
// hide it.
const takenNames: ReadonlySet<string> = new Set(
  (
    "finalAnswer final_answer print input console globalThis JSON Math Object Array String Number Boolean BigInt Symbol Function Promise Map Set " +
    "WeakMap WeakSet Date RegExp Error Reflect Proxy Intl process require module exports constructor prototype __proto__ searchTools describeTools"
  ).split(" "),
);

/** The name that code calls a server's tool by. */
export function codeName(serverTool: string, prefix: string | undefined): string {
  const name = toToolName(serverTool);
  const own = prefix === undefined ? name : toToolName(`${prefix}${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`);
  return takenNames.has(own) ? `${own}Tool` : own;
}
