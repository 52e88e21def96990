import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** Mistral, as a preset knows it. */
export const provider: Provider = {
  name: "mistral",
  baseUrl: "https://api.mistral.ai/v1",
  apiKeyVariable: "MISTRAL_API_KEY",
  reasoningReplay: "thinking",
  callIds: "short",
  turnAfterResults: true,
  exampleModel: "mistral-small-latest",
};

/**
 * A model of Mistral. Reads `MISTRAL_API_KEY` unless `apiKey` is given. What a reasoning model
 * thought goes back to it.
 *
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { mistral } from "@smolts/models/mistral";
 *
 * const model = mistral("mistral-small-latest", { apiKey: "example-key" });
 * console.log(model.id); // mistral/mistral-small-latest
 * ```
 */
export function mistral(modelId: string, options: AdapterOptions = {}): Model {
  return presetModel(provider, modelId, options);
}
