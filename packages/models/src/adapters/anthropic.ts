import { type AgentError, invalidOption, type Model, type OptionTable, readOptions } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { below } from "../http/endpoint.ts";
import { httpModel } from "../http/http-model.ts";
import type { Provider } from "../provider.ts";
import { readModelOptions } from "../read-model-options.ts";
import { anthropicMessages } from "../wires/anthropic-messages.ts";

/** The facts about Anthropic that its preset needs. */
export const provider: Provider = {
  name: "anthropic",
  baseUrl: "https://api.anthropic.com/v1",
  apiKeyVariable: "ANTHROPIC_API_KEY",
  exampleModel: "claude-sonnet-4-5",
};

/** Options of {@link anthropic} in addition to those of every adapter. */
export interface AnthropicOptions extends Omit<AdapterOptions, "roles"> {
  /**
   * Lets the model think. `budgetTokens` is the maximum number of tokens for thinking, in addition
   * to `maxOutputTokens`. With `adaptive`, the model decides how long it thinks. Default: no
   * thinking.
   */
  readonly thinking?: { readonly budgetTokens: number } | "adaptive";
  /**
   * How long the provider's cache keeps the prompt. Default: `5m`, because an agent usually sends
   * its next request within five minutes.
   */
  readonly cache?: "5m" | "1h" | "off";
}

/**
 * Creates a Claude model that is called through the Messages API. Reads `ANTHROPIC_API_KEY` unless
 * `apiKey` is given.
 *
 * @throws AgentError `invalid-option` without a key, or with a thinking budget below 1,024 tokens
 * @example
 * ```ts
 * import { anthropic } from "@smolts/models/anthropic";
 *
 * const model = anthropic("claude-sonnet-4-5", { apiKey: "sk-ant-example", thinking: { budgetTokens: 4_000 } });
 * console.log(model.id); // anthropic/claude-sonnet-4-5
 * ```
 */
const anthropicPreset: (modelId: string, options?: AnthropicOptions) => Model = /* @__PURE__ */ explainPreset(
  function anthropic(modelId: string, options: AnthropicOptions = {}): Model {
    const settings = readModelOptions(provider, { modelId, options, table });
    const { cache = "5m", thinking } = settings;
    if (typeof thinking === "object") readOptions(thinking, "thinking", { budgetTokens: true });
    if (typeof thinking === "object" && !(thinking.budgetTokens >= minBudgetTokens))
      throw badBudget(thinking.budgetTokens);
    const wire = anthropicMessages(modelId, { ...settings, cache });
    return httpModel({ modelId, options: settings, provider, wire, addressOf: (base) => below(base, "messages") });
  },
  provider,
);

export { anthropicPreset as anthropic };

const { roles: _, ...commonOptions } = adapterOptions;

const table: OptionTable<AnthropicOptions> = {
  ...commonOptions,
  thinking: "object | text",
  cache: ["off", "5m", "1h"],
};

/** The smallest thinking budget that the API accepts, in tokens. */
const minBudgetTokens = 1_024;

function badBudget(budgetTokens: unknown): AgentError {
  return invalidOption(
    `thinking.budgetTokens is ${JSON.stringify(budgetTokens)}; expected a number >= 1024`,
    'raise it, or write thinking: "adaptive"',
  );
}
