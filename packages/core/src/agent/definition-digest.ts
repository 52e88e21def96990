import { digestOf } from "../run/digest.ts";
import type { AgentDefinition } from "./agent-definition.ts";

const digests = new WeakMap<AgentDefinition, Promise<string>>();

/** Hash of what defines an agent: name, prompt, model, tools as the model is told of them, modules, limits. Made once, for a definition never changes. */
export function definitionDigest(definition: AgentDefinition): Promise<string> {
  const digest = digests.get(definition) ?? digestOf(partsOf(definition));
  digests.set(definition, digest);
  return digest;
}

function partsOf({ name, systemPrompt, model, tools, maxSteps, imports }: AgentDefinition): readonly unknown[] {
  const declarations = [...tools.values()].map((tool) => [
    tool.name,
    tool.description,
    tool.inputSchema,
    tool.outputSchema,
  ]);
  return [name, systemPrompt, model.id, declarations, maxSteps, ...(imports ? [imports.declared] : [])];
}
