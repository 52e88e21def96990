import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about Together AI that its preset needs. */
export const provider: Provider = {
  name: "together",
  baseUrl: "https://api.together.xyz/v1",
  apiKeyVariable: "TOGETHER_API_KEY",
  exampleModel: "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8",
};

/**
 * Creates a model that runs on Together AI. Reads `TOGETHER_API_KEY` unless `apiKey` is given.
 *
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { together } from "@smolts/models/together";
 *
 * const model = together("Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8", { apiKey: "example-key" });
 * console.log(model.id); // together/Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8
 * ```
 */
const togetherPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(
  function together(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  provider,
);

export { togetherPreset as together };
