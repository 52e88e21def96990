import type { JsonValue, Model, OptionTable } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { environmentVariable } from "../http/environment.ts";
import { litellmPrefixed } from "../litellm-prefix.ts";
import { openAICompatible } from "../openai-compatible.ts";
import type { Provider } from "../provider.ts";
import { readModelOptions } from "../read-model-options.ts";

/** The facts about a LiteLLM proxy that its preset needs. */
export const provider: Provider = {
  name: "litellm",
  baseUrl: "http://127.0.0.1:4000/v1",
  baseUrlVariable: "LITELLM_BASE_URL",
  apiKeyVariable: "LITELLM_API_KEY",
  apiKeyOptional: true,
  costHeader: "x-litellm-response-cost",
  unreachableHint:
    'is the LiteLLM proxy running? start it with "litellm --config config.yaml", or set LITELLM_BASE_URL to where it is; without a proxy, begin the id with its provider, such as "anthropic/"',
  unknownModelHint: "use a model_name of the proxy's config",
  exampleModel: "anthropic/claude-sonnet-4-5",
  seenAgainst: "real software",
};

/**
 * Options of {@link litellm} in addition to those of every adapter. All but `contextTokens` are
 * fields that LiteLLM's proxy adds to OpenAI's API.
 */
export interface LitellmOptions extends AdapterOptions {
  /** Data for the proxy's logs and budgets. */
  readonly metadata?: { readonly [field: string]: JsonValue };
  /** Models of the proxy to try when the first one fails. */
  readonly fallbacks?: readonly string[];
  /**
   * Whether the proxy removes parameters that the model does not support, instead of refusing the
   * request.
   */
  readonly dropParams?: boolean;
  /**
   * The maximum number of tokens in the prompt and the answer together. Only for an Ollama model
   * that is called without LiteLLM's proxy.
   */
  readonly contextTokens?: number;
}

/**
 * Creates a model from LiteLLM's name for it, with or without a LiteLLM proxy.
 *
 * - With `baseUrl` or `LITELLM_BASE_URL`, requests go to the proxy at that address, with
 *   `LITELLM_API_KEY` if it is set. The proxy reports the costs.
 * - Without an address, the name chooses one of the adapters of this package, which reads its own
 *   environment variables. Examples are `anthropic/claude-sonnet-4-5`, `ollama_chat/llama3.2` and
 *   `gpt-4o`.
 *
 * The prefixes `ollama/`, `ollama_chat/`, `hosted_vllm/` and `lm_studio/` stand for servers that
 * users run themselves. With such a prefix, `baseUrl` is the address of that server and not of a
 * proxy. To use a proxy for such a name, write `litellm_proxy/` before it.
 *
 * @param modelId - a `model_name` of the proxy's configuration, or a provider and a model
 * @throws AgentError `invalid-option` if the chosen adapter throws it, for example without a key
 * @example
 * ```ts
 * import { litellm } from "@smolts/models";
 *
 * const model = litellm("claude-sonnet", { baseUrl: "http://127.0.0.1:4000/v1" });
 * console.log(model.id); // litellm/claude-sonnet
 * console.log(litellm("ollama_chat/llama3.2", { baseUrl: "http://localhost:11434" }).id); // ollama/llama3.2
 * ```
 */
const litellmPreset: (modelId: string, options?: LitellmOptions) => Model = /* @__PURE__ */ explainPreset(
  function litellm(modelId: string, options: LitellmOptions = {}): Model {
    const settings = readModelOptions(provider, { modelId, options, table });
    const isProxy = settings.baseUrl !== undefined || environmentVariable("LITELLM_BASE_URL") !== undefined;
    const direct = litellmPrefixed(modelId, settings, isProxy);
    if (direct !== null) return direct;
    const { metadata, fallbacks, dropParams, contextTokens: _ofOllama, ...rest } = settings;
    const added = {
      ...(metadata === undefined ? {} : { metadata }),
      ...(fallbacks === undefined ? {} : { fallbacks }),
      ...(dropParams === undefined ? {} : { drop_params: dropParams }),
    };
    const name = modelId.replace(/^litellm_proxy\//, "");
    return openAICompatible(name, { ...rest, extra: { ...added, ...rest.extra }, provider });
  },
  provider,
);

export { litellmPreset as litellm };

const table: OptionTable<LitellmOptions> = {
  ...adapterOptions,
  metadata: "object",
  fallbacks: "texts",
  dropParams: "flag",
  contextTokens: "number",
};
