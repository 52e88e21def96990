// Reads a server's description of a tool without trusting it. An approved tool is identified by a
// digest of its description, so a tool with a changed description is a different tool.

import { AgentError, isRecord, type JsonSchema, sha256, type ToolEffects, toHex } from "@smolts/protocol";
import { toToolName } from "@smolts/tools/foreign-tool";
import { cleanText, foreignSchema } from "./foreign-schema.ts";

/** A tool as its server describes it: plain data of limited size. */
export interface ForeignDefinition {
  /** The tool's name on the server. */
  readonly serverTool: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** The effects that the server's annotations claim. Used only if the server is trusted. */
  readonly hintedEffects: ToolEffects;
  /** A hash of everything that the server says about the tool. */
  readonly digest: string;
}

/**
 * A tool in a server's list.
 *
 * The SDK's own type is not used here, because {@link ForeignDefinition} is public. Users'
 * compilers would check the SDK's declarations together with those of this file, and the SDK's
 * declarations need the DOM library.
 */
interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?:
    | {
        readonly title?: string | undefined;
        readonly readOnlyHint?: boolean | undefined;
        readonly idempotentHint?: boolean | undefined;
      }
    | undefined;
}

const maxNameLength = 256;
const maxDescriptionLength = 1_000;

/**
 * Reads a server's description of a tool.
 *
 * @throws AgentError `invalid-value` that says why the tool cannot be used
 */
export async function foreignDefinition(listed: ListedTool): Promise<ForeignDefinition> {
  const { name, title, description, annotations } = listed;
  if (name === "" || name.length > maxNameLength) {
    throw new AgentError("invalid-value", `its name has ${name.length} characters`);
  }
  if (cleanText(name, maxNameLength) !== name)
    throw new AgentError("invalid-value", "its name contains hidden characters");
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
  return toHex(await sha256(JSON.stringify(value, inOrder)));
}

/**
 * Sorts the fields of objects, because a server may send the same description with its fields in
 * another order.
 */
const inOrder = (_key: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;

// Names that agents or their code already use. A server's tool with such a name would hide the
// existing one.
const takenNames: ReadonlySet<string> = new Set(
  (
    "finalAnswer final_answer print input console globalThis JSON Math Object Array String Number Boolean BigInt Symbol Function Promise Map Set " +
    "WeakMap WeakSet Date RegExp Error Reflect Proxy Intl process require module exports constructor prototype __proto__ searchTools describeTools"
  ).split(" "),
);

/** Returns the name of a server's tool in code. */
export function codeName(serverTool: string, prefix: string | undefined): string {
  const name = toToolName(serverTool);
  const own = prefix === undefined ? name : toToolName(`${prefix}${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`);
  return takenNames.has(own) ? `${own}Tool` : own;
}
