import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { openAICompatible } from "../openai-compatible.ts";
import type { Provider } from "../provider.ts";

/** Ollama on this machine, as a preset knows it. */
export const provider: Provider = {
  name: "ollama",
  baseUrl: "http://127.0.0.1:11434/v1",
  unreachableHint: 'is Ollama running? start it with "ollama serve"',
  unknownModelHint: 'see "ollama list" for the models there are; get another with "ollama pull <model>"',
};

/**
 * A model that Ollama runs on this machine (or at `baseUrl`). Needs no key.
 *
 * @example
 * ```ts
 * import { ollama } from "@smolts/models";
 *
 * const model = ollama("qwen3:8b");
 * console.log(model.id); // ollama/qwen3:8b
 * ```
 */
export function ollama(modelId: string, options: AdapterOptions = {}): Model {
  return openAICompatible(modelId, { ...options, provider });
}
