import type { Model } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "./adapter-options.ts";
import { openAICompatible } from "./openai-compatible.ts";
import type { Provider } from "./provider.ts";
import { readModelOptions } from "./read-model-options.ts";

/** Creates a model for a preset that uses Chat Completions and adds no options of its own. */
export function presetModel(provider: Provider, modelId: string, options: AdapterOptions): Model {
  const read = readModelOptions(provider, { modelId, options, table: adapterOptions });
  return openAICompatible(modelId, { ...read, provider });
}
