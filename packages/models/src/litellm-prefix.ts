// LiteLLM's model names consist of a provider and an id. Without a proxy, the provider's name
// chooses one of the adapters of this package.

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

/** Providers that run their own servers. */
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

/**
 * Servers that users run themselves. For these, `baseUrl` is the address of the server and not of a
 * proxy.
 */
const ownServers: ReadonlyMap<string, Create> = new Map<string, Create>([
  ["ollama", ollama],
  ["ollama_chat", ollama],
  ["hosted_vllm", vllm],
  ["lm_studio", lmstudio],
]);

/**
 * Returns the model for a name with a provider's prefix. Returns null if the name means a model of
 * a proxy.
 */
export function litellmPrefixed(name: string, options: AdapterOptions, isProxy: boolean): Model | null {
  const slash = name.indexOf("/");
  const [prefix, modelId] = slash < 0 ? [prefixOf(name), name] : [name.slice(0, slash), name.slice(slash + 1)];
  const ownServer = options.baseUrl === undefined && isProxy ? undefined : ownServers.get(prefix);
  const create = ownServer ?? (isProxy ? undefined : hosted.get(prefix));
  return create === undefined ? null : create(modelId, options);
}

/** Returns the provider of a model's name that has no prefix, such as `openai` for `gpt-4o`. */
function prefixOf(name: string): string {
  if (/^(gpt-|chatgpt-|o\d)/.test(name)) return "openai";
  return name.startsWith("claude-") ? "anthropic" : "";
}

/**
 * Returns the id for Hugging Face's router. LiteLLM writes the inference provider before the model;
 * the router wants it after the model.
 */
function routerId(name: string): string {
  const [first, ...rest] = name.split("/");
  return rest.length < 2 ? name : `${rest.join("/")}:${first}`;
}
