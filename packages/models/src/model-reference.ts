import type { JsonValue, ModelReference } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import type { AnthropicOptions } from "./adapters/anthropic.ts";
import type { OllamaOptions } from "./adapters/ollama.ts";
import type { Provider } from "./provider.ts";

// Not among them are those that may hold a secret (`apiKey`, `headers`, `extra`, an account in
// `organization` or `project`) and functions.
const savedOptions = [
  "baseUrl",
  "roles",
  "contentAsText",
  "defaults",
  "responseFormat",
  "toolCallKeys",
  "pricing",
  "requestsPerMinute",
  "timeouts",
  "retries",
  // Options that only some presets have.
  "contextTokens",
  "keepAlive",
  "think",
  "api",
  "thinking",
  "cache",
] as const satisfies readonly (keyof (AdapterOptions & OllamaOptions & AnthropicOptions))[];

/**
 * How a saved agent names a model of a preset; null for a model of no preset, or one whose address
 * holds a secret.
 */
export function modelReference(
  provider: Provider | undefined,
  modelId: string,
  options: AdapterOptions & Partial<OllamaOptions & Omit<AnthropicOptions, "roles">>,
): ModelReference | null {
  if (provider === undefined || holdsSecret(options.baseUrl)) return null;
  const name = `${provider.name}:${modelId}`;
  const set = savedOptions.filter((option) => options[option] !== undefined);
  // Each of these is plain data by its type, as far as it was given as data.
  const saved = Object.fromEntries(set.map((option) => [option, options[option] as unknown as JsonValue]));
  return set.length === 0 ? { name } : { name, options: saved };
}

function holdsSecret(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false;
  const { username, password, search } = new URL(baseUrl);
  return `${username}${password}${search}` !== "";
}
