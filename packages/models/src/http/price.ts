import type { ModelEvent, TokenUsage } from "@smolts/protocol";

/**
 * The price of a model, in USD for a million tokens.
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
  readonly inputUsdPerMillion: number;
  /** Reasoning tokens cost the same: they are output. */
  readonly outputUsdPerMillion: number;
  /** Default: as other input. */
  readonly cachedInputUsdPerMillion?: number;
}

/**
 * Returns the event with its cost, if it reports usage. Our own prices win over the provider's
 * figure, because they were set on purpose.
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
