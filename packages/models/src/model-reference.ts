import type { JsonValue, ModelReference } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import type { AnthropicOptions } from "./adapters/anthropic.ts";
import type { OllamaOptions } from "./adapters/ollama.ts";
import type { Provider } from "./provider.ts";

// The options that are saved with an agent. Functions are not saved. Options that may contain a
// secret (`apiKey`, `headers`, `extra`) or name an account (`organization`, `project`) are not
// saved either.
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
  // The options that only some presets have.
  "contextTokens",
  "keepAlive",
  "think",
  "api",
  "thinking",
  "cache",
] as const satisfies readonly (keyof (AdapterOptions & OllamaOptions & AnthropicOptions))[];

/**
 * Returns the reference that a saved agent stores for its model. Returns null for a model without a
 * preset, or with a secret in its address.
 */
export function modelReference(
  provider: Provider | undefined,
  modelId: string,
  options: AdapterOptions & Partial<OllamaOptions & Omit<AnthropicOptions, "roles">>,
): ModelReference | null {
  if (provider === undefined || containsSecret(options.baseUrl)) return null;
  const name = `${provider.name}:${modelId}`;
  const set = savedOptions.filter((option) => options[option] !== undefined);
  // The cast is safe: the types of these options allow only JSON values.
  const saved = Object.fromEntries(set.map((option) => [option, options[option] as unknown as JsonValue]));
  return set.length === 0 ? { name } : { name, options: saved };
}

function containsSecret(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false;
  const { username, password, search } = new URL(baseUrl);
  return `${username}${password}${search}` !== "";
}
