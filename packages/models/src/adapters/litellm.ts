import type { JsonValue, Model, OptionTable } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "../adapter-options.ts";
import { environmentVariable } from "../http/environment.ts";
import { litellmPrefixed } from "../litellm-prefix.ts";
import { openAICompatible } from "../openai-compatible.ts";
import type { Provider } from "../provider.ts";
import { readModelOptions } from "../read-model-options.ts";

/** A LiteLLM proxy, as a preset knows it. */
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

/** Options of {@link litellm} beside those of every adapter: what the proxy adds to the wire. */
export interface LitellmOptions extends AdapterOptions {
  /** For the proxy's logs and budgets. */
  readonly metadata?: { readonly [field: string]: JsonValue };
  /** Models of the proxy to try when the first one fails. */
  readonly fallbacks?: readonly string[];
  /** Whether the proxy drops parameters that the model does not take, instead of refusing. */
  readonly dropParams?: boolean;
  /** For models that Ollama runs without a proxy; see `ollama`. */
  readonly contextTokens?: number;
}

/**
 * A model by LiteLLM's name for it: behind a proxy, or without one.
 *
 * With `baseUrl` or `LITELLM_BASE_URL` the proxy is asked, with `LITELLM_API_KEY` where it wants a
 * key; what it says of costs counts. Otherwise the prefix of the name chooses an adapter of ours,
 * with its own variables: `anthropic/claude-sonnet-4-5`, `ollama_chat/llama3.2`, `gpt-4o`. The
 * names of servers that one runs oneself (`ollama/`, `ollama_chat/`, `hosted_vllm/`, `lm_studio/`)
 * go to `baseUrl` as that server; with `litellm_proxy/` before them, to a proxy.
 *
 * @param modelId - a `model_name` of the proxy's configuration, or a provider and a model
 * @throws AgentError `invalid-option` as the adapter that is chosen does
 * @example
 * ```ts
 * import { litellm } from "@smolts/models";
 *
 * const model = litellm("claude-sonnet", { baseUrl: "http://127.0.0.1:4000/v1" });
 * console.log(model.id); // litellm/claude-sonnet
 * console.log(litellm("ollama_chat/llama3.2", { baseUrl: "http://localhost:11434" }).id); // ollama/llama3.2
 * ```
 */
export function litellm(modelId: string, given: LitellmOptions = {}): Model {
  const options = readModelOptions(provider, { modelId, options: given, table });
  const isProxy = options.baseUrl !== undefined || environmentVariable("LITELLM_BASE_URL") !== undefined;
  const direct = litellmPrefixed(modelId, options, isProxy);
  if (direct !== null) return direct;
  const { metadata, fallbacks, dropParams, contextTokens: _ofOllama, ...rest } = options;
  const added = {
    ...(metadata === undefined ? {} : { metadata }),
    ...(fallbacks === undefined ? {} : { fallbacks }),
    ...(dropParams === undefined ? {} : { drop_params: dropParams }),
  };
  const name = modelId.replace(/^litellm_proxy\//, "");
  return openAICompatible(name, { ...rest, extra: { ...added, ...rest.extra }, provider });
}

const table: OptionTable<LitellmOptions> = {
  ...adapterOptions,
  metadata: "object",
  fallbacks: "texts",
  dropParams: "flag",
  contextTokens: "number",
};
