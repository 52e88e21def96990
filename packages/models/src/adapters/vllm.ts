import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about a vLLM server that its preset needs. */
export const provider: Provider = {
  name: "vllm",
  baseUrl: "http://127.0.0.1:8000/v1",
  baseUrlVariable: "VLLM_BASE_URL",
  apiKeyVariable: "VLLM_API_KEY",
  apiKeyOptional: true,
  unreachableHint: 'is vLLM running? start it with "vllm serve <model>", or set VLLM_BASE_URL to where it is',
  exampleModel: "Qwen/Qwen3-8B",
};

/**
 * Creates a model that a vLLM server (`vllm serve`) runs. Reads `VLLM_BASE_URL` (default
 * `http://127.0.0.1:8000/v1`) and, if the server needs a key, `VLLM_API_KEY`.
 *
 * @example
 * ```ts
 * import { vllm } from "@smolts/models/vllm";
 *
 * const model = vllm("Qwen/Qwen3-8B");
 * console.log(model.id); // vllm/Qwen/Qwen3-8B
 * ```
 */
const vllmPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(function vllm(
  modelId: string,
  options: AdapterOptions = {},
): Model {
  return presetModel(provider, modelId, options);
}, provider);

export { vllmPreset as vllm };
