import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { presetModel } from "../preset-model.ts";
import type { Provider } from "../provider.ts";

/** The facts about LM Studio that its preset needs. LM Studio runs on the user's machine. */
export const provider: Provider = {
  name: "lmstudio",
  baseUrl: "http://127.0.0.1:1234/v1",
  baseUrlVariable: "LMSTUDIO_BASE_URL",
  apiKeyVariable: "LMSTUDIO_API_KEY",
  apiKeyOptional: true,
  unreachableHint: 'is LM Studio\'s server running? start it with "lms server start"',
  exampleModel: "qwen/qwen3-8b",
};

/**
 * Creates a model that LM Studio runs on this machine. Reads `LMSTUDIO_BASE_URL` (default
 * `http://127.0.0.1:1234/v1`) and, if the server needs a key, `LMSTUDIO_API_KEY`.
 *
 * @example
 * ```ts
 * import { lmstudio } from "@smolts/models/lmstudio";
 *
 * const model = lmstudio("qwen/qwen3-8b");
 * console.log(model.id); // lmstudio/qwen/qwen3-8b
 * ```
 */
const lmstudioPreset: (modelId: string, options?: AdapterOptions) => Model = /* @__PURE__ */ explainPreset(
  function lmstudio(modelId: string, options: AdapterOptions = {}): Model {
    return presetModel(provider, modelId, options);
  },
  provider,
);

export { lmstudioPreset as lmstudio };
