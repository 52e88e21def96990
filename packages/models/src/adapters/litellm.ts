import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { openAICompatible } from "../openai-compatible.ts";
import type { Provider } from "../provider.ts";

/** A LiteLLM proxy, as a preset knows it. */
export const provider: Provider = {
  name: "litellm",
  baseUrl: "http://127.0.0.1:4000/v1",
  baseUrlVariable: "LITELLM_BASE_URL",
  apiKeyVariable: "LITELLM_API_KEY",
  apiKeyOptional: true,
  unreachableHint:
    'is the LiteLLM proxy running? start it with "litellm --config config.yaml", or set LITELLM_BASE_URL to where it is',
  unknownModelHint: "use a model_name of the proxy's config",
};

/**
 * A model behind a LiteLLM proxy. Reads `LITELLM_BASE_URL` (default `http://127.0.0.1:4000/v1`) and, where the proxy wants a key, `LITELLM_API_KEY`.
 *
 * @param modelId - a `model_name` of the proxy's configuration
 * @example
 * ```ts
 * import { litellm } from "@smolts/models";
 *
 * const model = litellm("claude-sonnet", { baseUrl: "http://127.0.0.1:4000/v1" });
 * console.log(model.id); // litellm/claude-sonnet
 * ```
 */
export function litellm(modelId: string, options: AdapterOptions = {}): Model {
  return openAICompatible(modelId, { ...options, provider });
}
