import { type AgentError, invalidOption, type Model, type OptionTable } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { below } from "../http/endpoint.ts";
import { httpModel } from "../http/http-model.ts";
import { openAICompatible } from "../openai-compatible.ts";
import type { Provider } from "../provider.ts";
import { readModelOptions } from "../read-model-options.ts";
import { ollamaChat } from "../wires/ollama-chat.ts";

/** The facts about Ollama that its preset needs. Ollama runs on the user's machine. */
export const provider: Provider = {
  name: "ollama",
  baseUrl: "http://127.0.0.1:11434",
  unreachableHint: 'is Ollama running? start it with "ollama serve"',
  unknownModelHint: 'see "ollama list" for the models there are; get another with "ollama pull <model>"',
  exampleModel: "qwen3:8b",
};

/** Options of {@link ollama} in addition to those of every adapter. */
export interface OllamaOptions extends AdapterOptions {
  /**
   * The maximum number of tokens in the prompt and the answer together, sent as `num_ctx`. Default:
   * 16,384, because Ollama's own default is too small for an agent.
   */
  readonly contextTokens?: number;
  /**
   * How long the model stays in memory after an answer, such as `"10m"`; -1 keeps it there.
   * Default: the server's setting.
   */
  readonly keepAlive?: string | number;
  /** Whether a reasoning model thinks, or how hard. Default: the server's setting. */
  readonly think?: boolean | "low" | "medium" | "high";
  /**
   * Which API of the server is used. `openai` is its OpenAI-compatible API, which does not support
   * `contextTokens`, `keepAlive` and `think`. Default: `native`.
   */
  readonly api?: "native" | "openai";
}

/**
 * Creates a model that Ollama runs on this machine, or at `baseUrl` (with or without `/v1`). Needs
 * no key.
 *
 * A prompt that does not fit the context fails with `context-overflow`. Ollama by itself would
 * silently drop the beginning of the prompt.
 *
 * @throws AgentError `invalid-option` when `contextTokens` is not a whole number >= 1
 * @example
 * ```ts
 * import { ollama } from "@smolts/models";
 *
 * const model = ollama("qwen3:8b", { contextTokens: 32_768 });
 * console.log(model.id); // ollama/qwen3:8b
 * ```
 */
const ollamaPreset: (modelId: string, options?: OllamaOptions) => Model = /* @__PURE__ */ explainPreset(function ollama(
  modelId: string,
  options: OllamaOptions = {},
): Model {
  const { api = "native", ...settings } = readModelOptions(provider, { modelId, options, table });
  const { contextTokens = 16_384 } = settings;
  if (!Number.isSafeInteger(contextTokens) || contextTokens < 1) throw badContext(contextTokens);
  const { baseUrl = provider.baseUrl ?? "", ...rest } = settings;
  const root = baseUrl.replace(/\/+(v1|api)?\/*$/, "");
  if (api === "openai") return openAICompatible(modelId, { ...withoutNative(rest), baseUrl: `${root}/v1`, provider });
  const wire = ollamaChat(modelId, { ...settings, contextTokens });
  const addressOf = (base: URL): URL => below(base, "api/chat");
  // A saved agent holds the address only if the option `baseUrl` was given. Otherwise the preset's
  // own address is used when the agent is loaded.
  const address = settings.baseUrl === undefined ? {} : { baseUrl: root };
  const model = httpModel({ modelId, options: { ...rest, ...address }, provider, wire, addressOf });
  return Object.assign(model, { contextTokens });
}, provider);

export { ollamaPreset as ollama };

/** Removes the options that only the native API supports. */
const withoutNative = ({ contextTokens: _, keepAlive: __, think: ___, ...rest }: OllamaOptions): AdapterOptions => rest;

const table: OptionTable<OllamaOptions> = {
  ...adapterOptions,
  contextTokens: true,
  keepAlive: "text | number",
  think: "flag | text",
  api: ["native", "openai"],
};

function badContext(contextTokens: unknown): AgentError {
  return invalidOption(
    `contextTokens is ${JSON.stringify(contextTokens)}; expected a whole number >= 1`,
    "write a size that the model supports and that fits into memory, such as 16_384",
  );
}
