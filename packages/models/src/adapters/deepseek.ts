import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about DeepSeek that its preset needs. */
export const provider: Provider = {
  name: "deepseek",
  baseUrl: "https://api.deepseek.com",
  apiKeyVariable: "DEEPSEEK_API_KEY",
  reasoningReplay: "reasoning_content",
  exampleModel: "deepseek-chat",
};

/**
 * Creates a model of DeepSeek. Reads `DEEPSEEK_API_KEY` unless `apiKey` is given. The model's
 * reasoning before tool calls is sent back, because DeepSeek's API requires it.
 *
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { deepseek } from "@smolts/models/deepseek";
 *
 * const model = deepseek("deepseek-chat", { apiKey: "example-key" });
 * console.log(model.id); // deepseek/deepseek-chat
 * ```
 */
const deepseekPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(
  function deepseek(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  provider,
);

export { deepseekPreset as deepseek };
