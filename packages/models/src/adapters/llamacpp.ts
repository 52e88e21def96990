import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about a llama.cpp server that its preset needs. */
export const provider: Provider = {
  name: "llamacpp",
  baseUrl: "http://127.0.0.1:8080/v1",
  baseUrlVariable: "LLAMACPP_BASE_URL",
  apiKeyVariable: "LLAMACPP_API_KEY",
  apiKeyOptional: true,
  unreachableHint:
    'is llama.cpp running? start it with "llama-server -m model.gguf", or set LLAMACPP_BASE_URL to where it is',
  exampleModel: "qwen3-8b",
};

/**
 * Creates a model that llama.cpp's server (`llama-server`) runs. Reads `LLAMACPP_BASE_URL` (default
 * `http://127.0.0.1:8080/v1`) and, if the server needs a key, `LLAMACPP_API_KEY`.
 *
 * @example
 * ```ts
 * import { llamacpp } from "@smolts/models/llamacpp";
 *
 * const model = llamacpp("qwen3-8b");
 * console.log(model.id); // llamacpp/qwen3-8b
 * ```
 */
const llamacppPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(
  function llamacpp(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  provider,
);

export { llamacppPreset as llamacpp };
