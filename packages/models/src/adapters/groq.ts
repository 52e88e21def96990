import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about Groq that its preset needs. */
export const provider: Provider = {
  name: "groq",
  baseUrl: "https://api.groq.com/openai/v1",
  apiKeyVariable: "GROQ_API_KEY",
  maxTokensField: "max_completion_tokens",
  exampleModel: "llama-3.3-70b-versatile",
};

/**
 * Creates a model that runs on Groq. Reads `GROQ_API_KEY` unless `apiKey` is given.
 *
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { groq } from "@smolts/models/groq";
 *
 * const model = groq("llama-3.3-70b-versatile", { apiKey: "example-key" });
 * console.log(model.id); // groq/llama-3.3-70b-versatile
 * ```
 */
const groqPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(function groq(
  modelId: string,
  options: AdapterOptions = {},
): Model {
  return presetModel(provider, modelId, options);
}, provider);

export { groqPreset as groq };
