import { AgentError, type Model } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import type { Preset } from "./preset.ts";
import { presets } from "./presets.gen.ts";

/**
 * The model that a string names: `"preset:model-id"`, such as `"openai:gpt-5-mini"` or `"hf:Qwen/Qwen3-8B:novita"`.
 *
 * @throws AgentError `invalid-option` when there is no such preset (the error lists those there are), or as the preset's own function does
 * @example
 * ```ts
 * import { resolveModel } from "@smolts/models";
 *
 * console.log(resolveModel("ollama:qwen3:8b").id); // ollama/qwen3:8b
 * ```
 */
export function resolveModel(name: string, options: AdapterOptions = {}): Model {
  const colon = name.indexOf(":");
  const preset = colon < 0 ? undefined : presets.find(({ provider }) => provider.name === name.slice(0, colon));
  if (preset === undefined || colon + 1 === name.length) throw unknownName(name);
  return preset.create(name.slice(colon + 1), options);
}

function unknownName(name: string): AgentError {
  return new AgentError("invalid-option", `model "${name}" is not of the form "preset:model-id" with a known preset`, {
    hint: `known presets: ${presets.map(described).join(", ")}; any other server: openAICompatible("model-id", { baseUrl })`,
  });
}

function described({ provider }: Preset): string {
  const variables = [provider.apiKeyVariable, provider.baseUrlVariable].filter((variable) => variable !== undefined);
  return `${provider.name} (${variables.length === 0 ? "needs no key" : variables.join(", ")})`;
}
