import { invalidOption, type Model, type OptionTable } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "./adapter-options.ts";
import { httpModel } from "./http/http-model.ts";
import type { Provider } from "./provider.ts";
import { readModelOptions } from "./read-model-options.ts";
import { chatCompletions } from "./wires/chat-completions.ts";

/**
 * Options of {@link openAICompatible}: those of every adapter, and the facts about the provider.
 */
export interface OpenAICompatibleOptions extends AdapterOptions {
  /**
   * The facts about the server, such as its name and the environment variable for its key. Default:
   * nothing is known.
   */
  readonly provider?: Provider;
}

/**
 * Creates a model of any server with OpenAI's Chat Completions API, such as vLLM, LM Studio,
 * llama.cpp or a gateway. Most presets call this function with their own address.
 *
 * Answers are streamed. A server may also send a whole answer. Requests use the platform's `fetch`
 * and never follow a redirect. A failed request is repeated as `retries` says, but only if no part
 * of an answer was shown. If the server refuses a part of the request (a field, a forced choice of
 * tools, the system role, images), the request is repeated without that part, and an event
 * `learned` reports it. If the server refuses stop sequences, the answer is cut in this process.
 * Errors are `generation` or `context-overflow` with {@link FailureDetails}. They never contain a
 * key.
 *
 * @param modelId - the name of the model on the server
 * @throws AgentError `invalid-option`: if there is no address, if a key is missing or would be sent
 *   unencrypted, or if an option is out of range
 * @example
 * ```ts
 * import { openAICompatible } from "@smolts/models";
 *
 * const model = openAICompatible("Qwen/Qwen3-8B", { baseUrl: "http://127.0.0.1:8000/v1" });
 * console.log(model.id); // 127.0.0.1:8000/Qwen/Qwen3-8B
 * ```
 */
export function openAICompatible(modelId: string, options: OpenAICompatibleOptions = {}): Model {
  const settings = readModelOptions({ name: "openAICompatible" }, { modelId, options, table });
  const { provider } = settings;
  checkProvider(provider);
  return httpModel({ modelId, options: settings, provider, wire: chatCompletions(modelId, settings) });
}

const table: OptionTable<OpenAICompatibleOptions> = { ...adapterOptions, provider: true };

function checkProvider(provider: unknown): void {
  if (provider === undefined || (typeof provider === "object" && provider !== null && "name" in provider)) return;
  throw invalidOption(
    `provider is a ${typeof provider}; expected an object with a name`,
    'leave it out and write baseUrl; a known provider is a preset, as in resolveModel("groq:model-id")',
  );
}
