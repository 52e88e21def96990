import type { Model } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "./adapter-options.ts";
import { openAICompatible } from "./openai-compatible.ts";
import type { Provider } from "./provider.ts";
import { readModelOptions } from "./read-model-options.ts";

/** Creates a model of a provider with the Chat Completions API and no additional options. */
export function presetModel(provider: Provider, modelId: string, options: AdapterOptions): Model {
  const read = readModelOptions(provider, { modelId, options, table: adapterOptions });
  return openAICompatible(modelId, { ...read, provider });
}
