import { explainMembers, type Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** OpenAI, as a preset knows it. */
export const provider: Provider = {
  name: "openai",
  baseUrl: "https://api.openai.com/v1",
  apiKeyVariable: "OPENAI_API_KEY",
  // Its reasoning models know no other; the server takes it for all.
  maxTokensField: "max_completion_tokens",
  strictTools: true,
  exampleModel: "gpt-5-mini",
};

/**
 * A model of OpenAI by Chat Completions. Reads `OPENAI_API_KEY` unless `apiKey` is given.
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
export const openai: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainMembers(
  // Under its name, as the presets beside it.
  function openai(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  "openai",
  { methods: [["chat responses completion languageModel", 'write openai("gpt-5-mini")']] },
);
