// LiteLLM names a model by a provider and an id. Where no proxy stands between, the provider's name
// chooses one of our adapters.

import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import { anthropic } from "./adapters/anthropic.ts";
import { azure } from "./adapters/azure.ts";
import { deepseek } from "./adapters/deepseek.ts";
import { fireworks } from "./adapters/fireworks.ts";
import { gemini } from "./adapters/gemini.ts";
import { groq } from "./adapters/groq.ts";
import { hf } from "./adapters/hf.ts";
import { lmstudio } from "./adapters/lmstudio.ts";
import { mistral } from "./adapters/mistral.ts";
import { type OllamaOptions, ollama } from "./adapters/ollama.ts";
import { openai } from "./adapters/openai.ts";
import { openrouter } from "./adapters/openrouter.ts";
import { together } from "./adapters/together.ts";
import { vllm } from "./adapters/vllm.ts";

type Create = (modelId: string, options: OllamaOptions) => Model;

/** Providers with servers of their own. */
const hosted: ReadonlyMap<string, Create> = new Map<string, Create>([
  ["anthropic", anthropic],
  ["azure", azure],
  ["deepseek", deepseek],
  ["fireworks_ai", fireworks],
  ["gemini", gemini],
  ["groq", groq],
  ["huggingface", (modelId, options) => hf(routerId(modelId), options)],
  ["mistral", mistral],
  ["openai", openai],
  ["openrouter", openrouter],
  ["together_ai", together],
]);

/** Servers that one runs oneself: an address given with the name is theirs. */
const ownServers: ReadonlyMap<string, Create> = new Map<string, Create>([
  ["ollama", ollama],
  ["ollama_chat", ollama],
  ["hosted_vllm", vllm],
  ["lm_studio", lmstudio],
]);

/** The model that a name with a provider's prefix means; null when it means one of a proxy. */
export function litellmPrefixed(name: string, options: AdapterOptions, isProxy: boolean): Model | null {
  const slash = name.indexOf("/");
  const [prefix, modelId] = slash < 0 ? [prefixOf(name), name] : [name.slice(0, slash), name.slice(slash + 1)];
  const ownServer = options.baseUrl === undefined && isProxy ? undefined : ownServers.get(prefix);
  const create = ownServer ?? (isProxy ? undefined : hosted.get(prefix));
  return create === undefined ? null : create(modelId, options);
}

/** Names that LiteLLM knows without a prefix. */
function prefixOf(name: string): string {
  if (/^(gpt-|chatgpt-|o\d)/.test(name)) return "openai";
  return name.startsWith("claude-") ? "anthropic" : "";
}

/** LiteLLM has the inference provider before the model, the router after it. */
function routerId(name: string): string {
  const [first, ...rest] = name.split("/");
  return rest.length < 2 ? name : `${rest.join("/")}:${first}`;
}
