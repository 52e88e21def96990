import type { TokenUsage } from "@smolts/protocol";

/**
 * Combines two reports of one answer's token usage.
 *
 * Some servers count up from report to report, some report input and output separately, and many
 * report only once. The greatest number of each kind is right in all three cases.
 */
export function joinUsage(one: TokenUsage | null, other: TokenUsage | null): TokenUsage | null {
  if (one === null || other === null) return one ?? other;
  const inputTokens = Math.max(one.inputTokens, other.inputTokens);
  const outputTokens = Math.max(one.outputTokens, other.outputTokens);
  const totalTokens = Math.max(one.totalTokens, other.totalTokens, inputTokens + outputTokens);
  const joined: Record<string, number> = { inputTokens, outputTokens, totalTokens };
  for (const field of ["cachedInputTokens", "reasoningTokens", "costUsd"] as const) {
    const counts = [one[field], other[field]].filter((count) => count !== undefined);
    if (counts.length > 0) joined[field] = Math.max(...counts);
  }
  // The cast is safe: the three counts that every usage needs are set above.
  return joined as unknown as TokenUsage;
}

/** Creates a usage without the fields that the server did not report. */
export function usageOf(
  inputTokens: number,
  outputTokens: number,
  optional: Partial<Record<"totalTokens" | "cachedInputTokens" | "reasoningTokens" | "costUsd", number | undefined>>,
): TokenUsage {
  const { totalTokens: reported = 0, ...rest } = optional;
  const totalTokens = Math.max(reported, inputTokens + outputTokens);
  const details = Object.fromEntries(Object.entries(rest).filter(([, count]) => count !== undefined));
  return { inputTokens, outputTokens, totalTokens, ...details };
}
