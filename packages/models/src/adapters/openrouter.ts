import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about OpenRouter that its preset needs. */
export const provider: Provider = {
  name: "openrouter",
  baseUrl: "https://openrouter.ai/api/v1",
  apiKeyVariable: "OPENROUTER_API_KEY",
  reasoningReplay: "reasoning_details",
  exampleModel: "qwen/qwen3-coder",
};

/**
 * Creates a model that is called through OpenRouter, which reports the cost of each answer. Reads
 * `OPENROUTER_API_KEY` unless `apiKey` is given. The model's reasoning is sent back in the same
 * blocks in which it arrived.
 *
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { openrouter } from "@smolts/models/openrouter";
 *
 * const model = openrouter("qwen/qwen3-coder", { apiKey: "example-key" });
 * console.log(model.id); // openrouter/qwen/qwen3-coder
 * ```
 */
const openrouterPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(
  function openrouter(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  provider,
);

export { openrouterPreset as openrouter };
