import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about Google's Gemini API that its preset needs. */
export const provider: Provider = {
  name: "gemini",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
  apiKeyVariable: "GEMINI_API_KEY",
  exampleModel: "gemini-2.5-flash",
};

/**
 * Creates a Gemini model that is called through Google's OpenAI-compatible endpoint. Reads
 * `GEMINI_API_KEY` unless `apiKey` is given. The signatures of the model's reasoning are sent back
 * with its tool calls.
 *
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { gemini } from "@smolts/models/gemini";
 *
 * const model = gemini("gemini-2.5-flash", { apiKey: "example-key" });
 * console.log(model.id); // gemini/gemini-2.5-flash
 * ```
 */
const geminiPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(
  function gemini(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  provider,
);

export { geminiPreset as gemini };
