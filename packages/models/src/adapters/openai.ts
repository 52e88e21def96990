import { explainMembers, type Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about OpenAI that its preset needs. */
export const provider: Provider = {
  name: "openai",
  baseUrl: "https://api.openai.com/v1",
  apiKeyVariable: "OPENAI_API_KEY",
  // OpenAI's reasoning models accept only this field, and all its other models accept it, too.
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
const preset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainMembers(
  // A named function, so that its `name` is that of the preset, as for the other presets. The
  // constant has another name, or the build would have to rename one of the two.
  function openai(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  "openai",
  { methods: [["chat responses completion languageModel", 'write openai("gpt-5-mini")']] },
);

export { preset as openai };
