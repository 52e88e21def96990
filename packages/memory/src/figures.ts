import type { TokenUsage } from "@smolts/protocol";

/**
 * Formats a duration for people: `12 ms`, `1.3 s`, `2 min 5 s`.
 *
 * @example
 * ```ts
 * import { durationText } from "@smolts/memory";
 *
 * console.log(durationText(1_250)); // 1.3 s
 * ```
 */
export function durationText(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.max(0, Math.round(durationMs))} ms`;
  if (durationMs < 59_950) return `${(durationMs / 1_000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Formats tokens and their cost for people.
 *
 * @example
 * ```ts
 * import { usageText } from "@smolts/memory";
 *
 * const usage = { inputTokens: 1234, cachedInputTokens: 1000, outputTokens: 56, totalTokens: 1290, costUsd: 0.0012 };
 * console.log(usageText(usage)); // 1,234 tokens in (1,000 cached), 56 out, $0.0012
 * ```
 */
export function usageText({
  inputTokens,
  outputTokens,
  cachedInputTokens = 0,
  reasoningTokens = 0,
  costUsd,
}: TokenUsage): string {
  const cached = cachedInputTokens > 0 ? ` (${grouped(cachedInputTokens)} cached)` : "";
  const reasoning = reasoningTokens > 0 ? ` (${grouped(reasoningTokens)} reasoning)` : "";
  const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`;
  return `${grouped(inputTokens)} tokens in${cached}, ${grouped(outputTokens)} out${reasoning}${cost}`;
}

/**
 * Formats a number with its digits in groups of three. It does not use `Intl.NumberFormat`, because
 * creating one slows down the import of this package by milliseconds.
 */
const grouped = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");
