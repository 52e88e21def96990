import type { ModelEvent, TokenUsage } from "@smolts/protocol";

/**
 * The price of a model, in USD per million tokens.
 *
 * @example
 * ```ts
 * import type { Pricing } from "@smolts/models";
 *
 * const pricing: Pricing = { inputUsdPerMillion: 0.25, outputUsdPerMillion: 2, cachedInputUsdPerMillion: 0.025 };
 * console.log((1_000 * pricing.outputUsdPerMillion) / 1_000_000); // 0.002
 * ```
 */
export interface Pricing {
  /** The price of input. */
  readonly inputUsdPerMillion: number;
  /** The price of output. Reasoning tokens count as output. */
  readonly outputUsdPerMillion: number;
  /**
   * The price of input that is read from the provider's cache. Default: the price of other input.
   */
  readonly cachedInputUsdPerMillion?: number;
}

/**
 * Adds the cost to an event that reports usage. Returns other events unchanged. A configured price
 * overrides the cost that the provider reports, because the user set it on purpose.
 */
export function priced(event: ModelEvent, pricing: Pricing | undefined): ModelEvent {
  if (event.type !== "usage" || pricing === undefined) return event;
  return { type: "usage", usage: { ...event.usage, costUsd: costUsd(event.usage, pricing) } };
}

function costUsd({ inputTokens, outputTokens, cachedInputTokens = 0 }: TokenUsage, pricing: Pricing): number {
  const { inputUsdPerMillion, outputUsdPerMillion, cachedInputUsdPerMillion = inputUsdPerMillion } = pricing;
  const fresh = (inputTokens - cachedInputTokens) * inputUsdPerMillion;
  return (fresh + cachedInputTokens * cachedInputUsdPerMillion + outputTokens * outputUsdPerMillion) / 1_000_000;
}
