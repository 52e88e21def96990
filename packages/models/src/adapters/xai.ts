import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about xAI that its preset needs. */
export const provider: Provider = {
  name: "xai",
  baseUrl: "https://api.x.ai/v1",
  apiKeyVariable: "XAI_API_KEY",
  maxTokensField: "max_completion_tokens",
  exampleModel: "grok-4",
};

/**
 * Creates a model of xAI. Reads `XAI_API_KEY` unless `apiKey` is given.
 *
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { xai } from "@smolts/models/xai";
 *
 * const model = xai("grok-4", { apiKey: "example-key" });
 * console.log(model.id); // xai/grok-4
 * ```
 */
const xaiPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(function xai(
  modelId: string,
  options: AdapterOptions = {},
): Model {
  return presetModel(provider, modelId, options);
}, provider);

export { xaiPreset as xai };
