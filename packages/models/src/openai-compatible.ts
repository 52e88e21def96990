import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import { httpModel } from "./http/http-model.ts";
import type { Provider } from "./provider.ts";
import { chatCompletions } from "./wires/chat-completions.ts";

/** Options of {@link openAICompatible}: those of every adapter, and what a preset knows of its provider. */
export interface OpenAICompatibleOptions extends AdapterOptions {
  readonly provider?: Provider;
}

/**
 * A model of any server that speaks OpenAI's Chat Completions: vLLM, LM Studio, llama.cpp, gateways. Most presets are this with an address.
 *
 * Answers are streamed. A whole answer to a streaming request is taken, too. Requests go out by the platform's `fetch`, never follow a redirect, and are
 * repeated as `retries` says as long as nothing of an answer was shown. What the server refuses is learned from the refusal (a field, a forced choice of tools,
 * the system role, images): the request is repeated without it, an event `learned` says so, and stop texts are cut here. Errors are `generation` or `context-overflow` with
 * {@link FailureDetails}; none of them holds a key.
 *
 * @param modelId - as the server knows it
 * @throws AgentError `invalid-option`: no address, a missing key, a key that would travel in the clear, an option out of range
 * @example
 * ```ts
 * import { openAICompatible } from "@smolts/models";
 *
 * const model = openAICompatible("Qwen/Qwen3-8B", { baseUrl: "http://127.0.0.1:8000/v1" });
 * console.log(model.id); // 127.0.0.1:8000/Qwen/Qwen3-8B
 * ```
 */
export function openAICompatible(modelId: string, options: OpenAICompatibleOptions = {}): Model {
  const { provider } = options;
  return httpModel({ modelId, options, provider, wire: chatCompletions(modelId, options) });
}
