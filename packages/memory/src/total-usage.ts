import { type MemoryStep, type TokenUsage, wrongArgument } from "@smolts/protocol";

/**
 * Adds up the tokens of all steps. Returns null when the usage of any answer is unknown, because
 * the total would then be wrong.
 *
 * `cachedInputTokens` and `reasoningTokens` are present when any step has them, and `costUsd` only
 * when every step has it.
 *
 * @example
 * ```ts
 * import { totalUsage } from "@smolts/memory";
 *
 * console.log(totalUsage([])); // { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
 * ```
 */
export function totalUsage(steps: readonly MemoryStep[]): TokenUsage | null {
  if (!Array.isArray(steps)) {
    throw wrongArgument("totalUsage()", steps, "a list of steps", "its result has the usage: result.usage");
  }
  const asking = steps.filter((step) => step.type === "action" || step.type === "planning");
  const answered = asking.filter((step) => step.modelOutput !== null);
  const summaries = steps.flatMap((step) =>
    step.type === "compaction" && step.usage !== undefined ? [step.usage] : [],
  );
  const all = [...answered.map((step) => step.usage), ...summaries];
  const usages = all.filter((usage) => usage !== null);
  return usages.length < all.length ? null : sumUsage(usages);
}

/**
 * Adds up usages. `costUsd` is present only when every usage has it. The other optional fields are
 * present when any usage has them.
 *
 * @example
 * ```ts
 * import { sumUsage } from "@smolts/memory";
 *
 * const once = { inputTokens: 3, outputTokens: 1, totalTokens: 4 };
 * console.log(sumUsage([once, once])); // { inputTokens: 6, outputTokens: 2, totalTokens: 8 }
 * ```
 */
export function sumUsage(usages: readonly TokenUsage[]): TokenUsage {
  return {
    inputTokens: sum(usages.map((usage) => usage.inputTokens)),
    outputTokens: sum(usages.map((usage) => usage.outputTokens)),
    totalTokens: sum(usages.map((usage) => usage.totalTokens)),
    ...sumWherePresent(usages, "cachedInputTokens"),
    ...sumWherePresent(usages, "reasoningTokens"),
    ...(usages.every((usage) => usage.costUsd !== undefined) ? sumWherePresent(usages, "costUsd") : {}),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function sumWherePresent(
  usages: readonly TokenUsage[],
  key: "cachedInputTokens" | "reasoningTokens" | "costUsd",
): Partial<TokenUsage> {
  const known = usages.map((usage) => usage[key]).filter((count) => count !== undefined);
  return known.length === 0 ? {} : { [key]: sum(known) };
}
