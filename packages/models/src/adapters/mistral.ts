import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about Mistral that its preset needs. */
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
 * Creates a model of Mistral. Reads `MISTRAL_API_KEY` unless `apiKey` is given. The model's
 * reasoning is sent back to it in later requests.
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
const mistralPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(
  function mistral(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  provider,
);

export { mistralPreset as mistral };
