import type { TokenUsage } from "@smolts/protocol";

/** The sum of two usages; what only one of them knows counts as it is. */
export function addUsage(sum: TokenUsage | null, usage: TokenUsage): TokenUsage {
  if (sum === null) return usage;
  return {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    totalTokens: sum.totalTokens + usage.totalTokens,
    cachedInputTokens: (sum.cachedInputTokens ?? 0) + (usage.cachedInputTokens ?? 0),
    reasoningTokens: (sum.reasoningTokens ?? 0) + (usage.reasoningTokens ?? 0),
    ...(sum.costUsd === undefined && usage.costUsd === undefined
      ? {}
      : { costUsd: (sum.costUsd ?? 0) + (usage.costUsd ?? 0) }),
  };
}
