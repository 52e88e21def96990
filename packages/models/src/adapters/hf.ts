import type { Model, OptionTable } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { openAICompatible } from "../openai-compatible.ts";
import type { Provider } from "../provider.ts";
import { readModelOptions } from "../read-model-options.ts";

/** The facts about Hugging Face's router that its preset needs. */
export const provider: Provider = {
  name: "hf",
  baseUrl: "https://router.huggingface.co/v1",
  apiKeyVariable: "HF_TOKEN",
  unknownModelHint:
    "check that the model has an inference provider on huggingface.co; a provider is chosen as in owner/model:provider",
  exampleModel: "Qwen/Qwen3-Coder-30B-A3B-Instruct",
};

/** Options of {@link hf} in addition to those of every adapter. */
export interface HfOptions extends AdapterOptions {
  /**
   * The provider that runs the model, such as `novita` or `cerebras`. It can also be written after
   * a colon in the model id. Default: the router chooses.
   */
  readonly inferenceProvider?: string;
  /** The name of the Hugging Face organization that pays. Default: the owner of the token pays. */
  readonly billTo?: string;
}

/**
 * Creates a model that runs on one of Hugging Face's inference providers. Reads `HF_TOKEN` unless
 * `apiKey` is given.
 *
 * @param modelId - `owner/model`, or `owner/model:provider` to choose who runs it
 * @throws AgentError `invalid-option` without a key
 * @example
 * ```ts
 * import { hf } from "@smolts/models";
 *
 * const model = hf("Qwen/Qwen3-Coder-30B-A3B-Instruct", { apiKey: "hf_example" });
 * console.log(model.id); // hf/Qwen/Qwen3-Coder-30B-A3B-Instruct
 * ```
 */
const hfPreset: (modelId: string, options?: HfOptions) => Model = /* @__PURE__ */ explainPreset(function hf(
  modelId: string,
  options: HfOptions = {},
): Model {
  const { inferenceProvider, billTo, ...settings } = readModelOptions(provider, { modelId, options, table });
  const id = inferenceProvider === undefined ? modelId : `${modelId}:${inferenceProvider}`;
  const headers = { ...(billTo === undefined ? {} : { "x-hf-bill-to": billTo }), ...settings.headers };
  return openAICompatible(id, { ...settings, headers, provider });
}, provider);

export { hfPreset as hf };

const table: OptionTable<HfOptions> = { ...adapterOptions, inferenceProvider: "text", billTo: "text" };
