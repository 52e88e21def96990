import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about Fireworks AI that its preset needs. */
export const provider: Provider = {
  name: "fireworks",
  baseUrl: "https://api.fireworks.ai/inference/v1",
  apiKeyVariable: "FIREWORKS_API_KEY",
  exampleModel: "accounts/fireworks/models/qwen3-235b-a22b",
};

/**
 * Creates a model that runs on Fireworks AI. Reads `FIREWORKS_API_KEY` unless `apiKey` is given.
 *
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { fireworks } from "@smolts/models/fireworks";
 *
 * const model = fireworks("accounts/fireworks/models/qwen3-235b-a22b", { apiKey: "example-key" });
 * console.log(model.id); // fireworks/accounts/fireworks/models/qwen3-235b-a22b
 * ```
 */
const fireworksPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(
  function fireworks(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  provider,
);

export { fireworksPreset as fireworks };
