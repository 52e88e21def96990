import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { openAICompatible } from "../openai-compatible.ts";
import type { Provider } from "../provider.ts";

/** Hugging Face's router, as a preset knows it. */
export const provider: Provider = {
  name: "hf",
  baseUrl: "https://router.huggingface.co/v1",
  apiKeyVariable: "HF_TOKEN",
  unknownModelHint:
    "check that the model has an inference provider on huggingface.co; a provider is chosen as in owner/model:provider",
};

/**
 * A model on Hugging Face, run by one of its inference providers. Reads `HF_TOKEN` unless `apiKey` is given.
 *
 * @param modelId - `owner/model`, or `owner/model:provider` to choose who runs it
 * @throws AgentError `invalid-option` when there is no key
 * @example
 * ```ts
 * import { hf } from "@smolts/models";
 *
 * const model = hf("Qwen/Qwen3-Coder-30B-A3B-Instruct", { apiKey: "hf_example" });
 * console.log(model.id); // hf/Qwen/Qwen3-Coder-30B-A3B-Instruct
 * ```
 */
export function hf(modelId: string, options: AdapterOptions = {}): Model {
  return openAICompatible(modelId, { ...options, provider });
}
