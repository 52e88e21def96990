import { digestOf } from "../run/digest.ts";
import type { AgentDefinition } from "./agent-definition.ts";

/** The hashes of an agent's definition, as a run records them. */
export interface DefinitionDigests {
  readonly definitionDigest: string;
  /** The hash of each part of the definition. The hashes show people which parts have changed. */
  readonly definitionParts: { readonly [part: string]: string };
}

const digests = new WeakMap<AgentDefinition, Promise<DefinitionDigests>>();

/**
 * Hashes the parts of an agent: name, prompt, model, declarations of tools, modules, limits. The
 * result is cached, because a definition never changes.
 */
export function definitionDigests(definition: AgentDefinition): Promise<DefinitionDigests> {
  const digest = digests.get(definition) ?? digestsOf(partsOf(definition));
  digests.set(definition, digest);
  return digest;
}

/** Returns the names of the parts that differ from the recorded ones. */
export const changedParts = (
  before: DefinitionDigests["definitionParts"] | undefined,
  now: DefinitionDigests["definitionParts"],
): readonly string[] => Object.keys(before ?? {}).filter((part) => before?.[part] !== now[part]);

async function digestsOf(parts: { readonly [part: string]: unknown }): Promise<DefinitionDigests> {
  const entries = Object.entries(parts).map(
    async ([part, value]) => [part, (await digestOf(value)).slice(-12)] as const,
  );
  const definitionParts = Object.fromEntries(await Promise.all(entries));
  return { definitionDigest: await digestOf(Object.values(parts)), definitionParts };
}

function partsOf({ name, systemPrompt, model, tools, maxSteps, imports }: AgentDefinition): {
  readonly [part: string]: unknown;
} {
  const declarations = [...tools.values()].map((tool) => [
    tool.name,
    tool.description,
    tool.inputSchema,
    tool.outputSchema,
  ]);
  return {
    name,
    prompt: systemPrompt,
    model: model.id,
    tools: declarations,
    maxSteps,
    modules: imports?.declared ?? null,
  };
}
