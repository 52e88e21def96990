import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about OpenAI that its preset needs. */
export const provider: Provider = {
  name: "openai",
  baseUrl: "https://api.openai.com/v1",
  apiKeyVariable: "OPENAI_API_KEY",
  // OpenAI's reasoning models do not accept `max_tokens`. All its models accept this field.
  maxTokensField: "max_completion_tokens",
  strictTools: true,
  exampleModel: "gpt-5-mini",
};

/**
 * Creates a model of OpenAI that is called through Chat Completions. Reads `OPENAI_API_KEY` unless
 * `apiKey` is given.
 *
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { openai } from "@smolts/models";
 *
 * const model = openai("gpt-5-mini", { apiKey: "sk-example" });
 * console.log(model.id); // openai/gpt-5-mini
 * ```
 */
const openaiPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(
  // The function must have this name, because users see it as the function's `name`. The constant
  // must have a different name, because the build would rename one of two equal names.
  function openai(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  provider,
);

export { openaiPreset as openai };
