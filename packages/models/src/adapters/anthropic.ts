import { AgentError, type Model, type OptionTable, readOptions } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "../adapter-options.ts";
import { below } from "../http/endpoint.ts";
import { httpModel } from "../http/http-model.ts";
import type { Provider } from "../provider.ts";
import { readModelOptions } from "../read-model-options.ts";
import { anthropicMessages } from "../wires/anthropic-messages.ts";

/** Anthropic, as a preset knows it. */
export const provider: Provider = {
  name: "anthropic",
  baseUrl: "https://api.anthropic.com/v1",
  apiKeyVariable: "ANTHROPIC_API_KEY",
  exampleModel: "claude-sonnet-4-5",
};

/** Options of {@link anthropic} beside those of every adapter. */
export interface AnthropicOptions extends Omit<AdapterOptions, "roles"> {
  /**
   * Let the model think: with a budget of tokens, which comes on top of `maxOutputTokens`, or as
   * much as it wants. Default: it does not.
   */
  readonly thinking?: { readonly budgetTokens: number } | "adaptive";
  /**
   * How long the prompt is kept in the provider's cache. Default: `5m`; an agent's steps come
   * sooner than that.
   */
  readonly cache?: "5m" | "1h" | "off";
}

/**
 * A Claude model by the Messages API. Reads `ANTHROPIC_API_KEY` unless `apiKey` is given.
 *
 * @throws AgentError `invalid-option` without a key, or with less than 1,024 tokens for reasoning
 * @example
 * ```ts
 * import { anthropic } from "@smolts/models/anthropic";
 *
 * const model = anthropic("claude-sonnet-4-5", { apiKey: "sk-ant-example", thinking: { budgetTokens: 4_000 } });
 * console.log(model.id); // anthropic/claude-sonnet-4-5
 * ```
 */
export function anthropic(modelId: string, given: AnthropicOptions = {}): Model {
  const options = readModelOptions(provider, { modelId, options: given, table });
  const { cache = "5m", thinking } = options;
  if (typeof thinking === "object") readOptions(thinking, "thinking", { budgetTokens: true });
  if (typeof thinking === "object" && !(thinking.budgetTokens >= leastBudgetTokens))
    throw badBudget(thinking.budgetTokens);
  const wire = anthropicMessages(modelId, { ...options, cache });
  return httpModel({ modelId, options, provider, wire, addressOf: (base) => below(base, "messages") });
}

const { roles: _, ...commonOptions } = adapterOptions;

const table: OptionTable<AnthropicOptions> = {
  ...commonOptions,
  thinking: "object | text",
  cache: ["off", "5m", "1h"],
};

/** The limit that the API requires. */
const leastBudgetTokens = 1_024;

function badBudget(budgetTokens: unknown): AgentError {
  return new AgentError(
    "invalid-option",
    `thinking.budgetTokens is ${JSON.stringify(budgetTokens)}; expected a number >= 1024`,
    {
      hint: 'raise it, or write thinking: "adaptive"',
    },
  );
}
