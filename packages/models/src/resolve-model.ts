import { type AgentError, invalidOption, type Model, nearestName } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import type { Preset } from "./preset.ts";
import { type PresetName, presets } from "./presets.gen.ts";

/**
 * Other names for the presets: names of companies and models, names from other frameworks, and the
 * model classes of smolagents.
 */
const aliases: { readonly [name: string]: PresetName } = {
  google: "gemini",
  googleai: "gemini",
  "google-genai": "gemini",
  claude: "anthropic",
  grok: "xai",
  huggingface: "hf",
  mistralai: "mistral",
  "together-ai": "together",
  "fireworks-ai": "fireworks",
  "lm-studio": "lmstudio",
  "llama.cpp": "llamacpp",
  "azure-openai": "azure",
  "ollama-chat": "ollama",
  "hosted-vllm": "vllm",
  HfApiModel: "hf",
  InferenceClientModel: "hf",
  OpenAIModel: "openai",
  OpenAIServerModel: "openai",
  AzureOpenAIModel: "azure",
  AzureOpenAIServerModel: "azure",
  LiteLLMModel: "litellm",
  VLLMModel: "vllm",
};

/**
 * The name of a model: the name of a preset and the model's id on the server, such as
 * `"openai:gpt-5-mini"`.
 */
export type ModelName = `${PresetName | "google" | "claude"}:${string}`;

/**
 * Creates the model that a string names: `"preset:model-id"`, such as `"openai:gpt-5-mini"` or
 * `"hf:Qwen/Qwen3-8B:novita"`.
 *
 * Some presets have other names, too: `google` is `gemini`, and `claude` is `anthropic`. A slash
 * instead of the colon works if only one server can be meant: `"openai/gpt-5-mini"` works, but
 * `"openai/gpt-oss-20b"` does not, because many servers run that model.
 *
 * @throws AgentError `invalid-option` if there is no such preset (the hint suggests a similar
 *   name), or if the preset's own function throws it, for example without a key
 * @example
 * ```ts
 * import { resolveModel } from "@smolts/models";
 *
 * console.log(resolveModel("ollama:qwen3:8b").id); // ollama/qwen3:8b
 * ```
 */
export function resolveModel(name: ModelName | (string & {}), options: AdapterOptions = {}): Model {
  const [, prefix = "", sign, modelId = ""] = /^([^:/]*)([:/])(.+)$/s.exec(String(name)) ?? [];
  const preset = sign === ":" || isOnlyOf(prefix, modelId) ? presetNamed(prefix) : undefined;
  if (preset === undefined) throw unknownName(name);
  return preset.create(modelId, options);
}

/**
 * Returns the preset with this name or alias. Case and punctuation do not matter: `LM_Studio` is
 * `lmstudio`.
 */
function presetNamed(name: string): Preset | undefined {
  const word = plain(name);
  const alias = Object.entries(aliases).find(([known]) => plain(known) === word)?.[1];
  return presets.find(({ provider }) => provider.name === (alias ?? word));
}

/**
 * Says whether `prefix/modelId` can only mean a model of the preset `prefix`. If not, it may also
 * be the name of a model on the Hugging Face Hub.
 */
function isOnlyOf(prefix: string, modelId: string): boolean {
  if (prefix === "google") return modelId.startsWith("gemini");
  // Names of owners on the Hub have no underscore, but prefixes of LiteLLM do, such as ollama_chat.
  return prefix.includes("_") || (presetNames.some((name) => name === prefix) && !modelId.startsWith("gpt-oss"));
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function unknownName(name: unknown): AgentError {
  if (typeof name !== "string") {
    return invalidOption(`the model's name is of type ${typeof name}; expected a string`, example);
  }
  const advice = guessed(name) ?? example;
  return invalidOption(
    `model "${name.slice(0, 200)}" is not of the form "preset:model-id" with a known preset`,
    `${advice}${advice.endsWith("?") ? "" : ";"} known presets: ${presetNames.join(", ")}; any other server: openAICompatible("model-id", { baseUrl })`,
  );
}

const example = 'write a name such as "openai:gpt-5-mini"';

const presetNames = /* @__PURE__ */ presets.map(({ provider }) => provider.name);

/** Returns a hint with the most likely meaning of a name. */
function guessed(name: string): string | undefined {
  const colon = name.indexOf(":");
  const [prefix, modelId] = colon < 0 ? ["", name] : [name.slice(0, colon), name.slice(colon + 1)];
  if (prefix !== "" && modelId === "") return `write the model's id after the colon: "${prefix}:model-id"`;
  if (colon < 0 && presetNamed(name) !== undefined) return `write the model's id, too: "${name}:model-id"`;
  const nearest = nearestName(prefix, [...presetNames, ...Object.keys(aliases)]);
  if (nearest !== undefined) return `did you mean "${nearest}:${modelId}"?`;
  const owner = prefix === "" ? owners.find(([pattern]) => pattern.test(name))?.[1] : undefined;
  return owner && `write "${owner}:${name}"`;
}

/** For each pattern of a model's name, the preset that most likely has a model of that name. */
const owners: readonly (readonly [pattern: RegExp, preset: PresetName])[] = [
  [/^(gpt-|chatgpt-|o\d)/i, "openai"],
  [/^claude-/i, "anthropic"],
  [/^gemini-/i, "gemini"],
  [/^grok-/i, "xai"],
  [/^deepseek-/i, "deepseek"],
  [/^(mistral|codestral|magistral|devstral)-/i, "mistral"],
  [/^[^/]+\/[^/]+$/, "hf"],
];
