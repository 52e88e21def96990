import { AgentError, type Model, type OptionTable } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "./adapter-options.ts";
import { httpModel } from "./http/http-model.ts";
import type { Provider } from "./provider.ts";
import { readModelOptions } from "./read-model-options.ts";
import { chatCompletions } from "./wires/chat-completions.ts";

/**
 * Options of {@link openAICompatible}: those of every adapter, and what a preset knows of its
 * provider.
 */
export interface OpenAICompatibleOptions extends AdapterOptions {
  /** What is known of the server: its name, its key's variable, its limits. Nothing when absent. */
  readonly provider?: Provider;
}

/**
 * A model of any server that speaks OpenAI's Chat Completions: vLLM, LM Studio, llama.cpp,
 * gateways. Most presets are this with an address.
 *
 * Answers are streamed. A whole answer to a streaming request is taken, too. Requests go out by the
 * platform's `fetch`, never follow a redirect, and are repeated as `retries` says as long as
 * nothing of an answer was shown. What the server refuses is learned from the refusal (a field, a
 * forced choice of tools, the system role, images): the request is repeated without it, an event
 * `learned` says so, and stop texts are cut here. Errors are `generation` or `context-overflow`
 * with {@link FailureDetails}; none of them holds a key.
 *
 * @param modelId - as the server knows it
 * @throws AgentError `invalid-option`: no address, a missing key, a key that would travel in the
 *   clear, an option out of range
 * @example
 * ```ts
 * import { openAICompatible } from "@smolts/models";
 *
 * const model = openAICompatible("Qwen/Qwen3-8B", { baseUrl: "http://127.0.0.1:8000/v1" });
 * console.log(model.id); // 127.0.0.1:8000/Qwen/Qwen3-8B
 * ```
 */
export function openAICompatible(modelId: string, given: OpenAICompatibleOptions = {}): Model {
  const options = readModelOptions({ name: "openAICompatible" }, { modelId, options: given, table });
  const { provider } = options;
  checkProvider(provider);
  return httpModel({ modelId, options, provider, wire: chatCompletions(modelId, options) });
}

const table: OptionTable<OpenAICompatibleOptions> = { ...adapterOptions, provider: true };

function checkProvider(provider: unknown): void {
  if (provider === undefined || (typeof provider === "object" && provider !== null && "name" in provider)) return;
  throw new AgentError("invalid-option", `provider is a ${typeof provider}; expected an object with a name`, {
    hint: 'leave it out and write baseUrl; a known provider is a preset, as in resolveModel("groq:model-id")',
  });
}
