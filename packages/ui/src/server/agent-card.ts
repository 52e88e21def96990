// Describes an agent or a tool for the page. Properties that the object lacks are left out.

import { isTool, type JsonSchema, type Tool } from "@smolts/protocol";
import type { AgentCard, ToolCard } from "../wire.ts";

/** The name of an agent that has no name. */
export const namelessAgent = "agent";

/** Returns the description of an agent. Properties that the agent lacks are left out. */
export function agentCard(agent: object): AgentCard {
  const { name, description, type, model, maxSteps, options } = agent as Loose<
    "name" | "description" | "type" | "model" | "maxSteps" | "options"
  >; // safe cast: the code below checks each field
  const managed = (options as Loose<"managedAgents"> | undefined)?.managedAgents;
  const managedAgents = Array.isArray(managed) ? managed.filter(isObject) : [];
  const managedNames = new Set(managedAgents.map((one) => (one as Loose<"name">).name));
  const modelId = isObject(model) ? (model as Loose<"id">).id : undefined;
  return {
    name: typeof name === "string" && name !== "" ? name : namelessAgent,
    ...(typeof description === "string" ? { description } : {}),
    ...(type === "code" || type === "tool-calling" ? { type } : {}),
    ...(typeof modelId === "string" ? { model: modelId } : {}),
    ...(typeof maxSteps === "number" ? { maxSteps } : {}),
    tools: toolsOf(agent)
      .filter((tool) => tool.name !== "finalAnswer" && !managedNames.has(tool.name))
      .map(toolCard),
    managedAgents: managedAgents.map(agentCard),
  };
}

/** Returns the description of a tool. */
export function toolCard({ name, description, inputSchema, effects }: Tool): ToolCard {
  const schema = isObject(inputSchema) ? (inputSchema as JsonSchema) : {};
  return { name, description: String(description ?? ""), inputSchema: schema, ...(effects ? { effects } : {}) };
}

type Loose<Name extends string> = { readonly [Key in Name]?: unknown };

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function toolsOf(agent: object): readonly Tool[] {
  const { tools } = agent as Loose<"tools">; // safe cast: the code below checks `tools`
  if (tools instanceof Map) return [...tools.values()].filter(isTool);
  if (Array.isArray(tools)) return tools.filter(isTool);
  return [];
}
