import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about Cerebras that its preset needs. */
export const provider: Provider = {
  name: "cerebras",
  baseUrl: "https://api.cerebras.ai/v1",
  strictTools: true,
  apiKeyVariable: "CEREBRAS_API_KEY",
  maxTokensField: "max_completion_tokens",
  exampleModel: "gpt-oss-120b",
};

/**
 * Creates a model that runs on Cerebras. Reads `CEREBRAS_API_KEY` unless `apiKey` is given.
 *
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { cerebras } from "@smolts/models/cerebras";
 *
 * const model = cerebras("gpt-oss-120b", { apiKey: "example-key" });
 * console.log(model.id); // cerebras/gpt-oss-120b
 * ```
 */
const cerebrasPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(
  function cerebras(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  provider,
);

export { cerebrasPreset as cerebras };
