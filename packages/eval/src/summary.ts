import { sumUsage } from "@smolts/memory";
import type { TokenUsage } from "@smolts/protocol";
import type { CaseStatus, EvaluationRow, EvaluationSummary, ScoreSummary } from "./evaluation.ts";
import { explainSummary } from "./explain-evaluation.ts";
import { meanInterval, meanOf, quantile } from "./statistics.ts";

/** Computes the summary of finished cases. */
export function summarize(rows: readonly EvaluationRow[], scorers: readonly string[]): EvaluationSummary {
  const statuses: { [Status in CaseStatus]?: number } = {};
  for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1;
  const durations = Float64Array.from(rows, ({ durationMs }) => durationMs).sort();
  return explainSummary({
    scores: Object.fromEntries(scorers.map((scorer) => [scorer, scoreSummary(rows, scorer)])),
    statuses,
    usage: totalOf(rows.flatMap(({ usage, scorerUsage }) => [usage, scorerUsage])),
    durationMs: durations.length === 0 ? null : { median: quantile(durations, 0.5), p95: quantile(durations, 0.95) },
  });
}

function scoreSummary(rows: readonly EvaluationRow[], scorer: string): ScoreSummary {
  const scores = rows.map(({ scores }) => scores[scorer]?.value ?? null);
  const values = scores.filter((value) => value !== null);
  return {
    mean: values.length === 0 ? null : meanOf(values),
    interval: meanInterval(values),
    count: values.length,
    failed: scores.length - values.length,
  };
}

/**
 * Adds up usages; null if one is unknown. A usage of zero tokens is skipped, because it reports no
 * cost and would make the total cost unknown.
 */
export function totalOf(usages: readonly (TokenUsage | null)[]): TokenUsage | null {
  const known = usages.filter((usage) => usage !== null);
  return known.length < usages.length ? null : sumUsage(known.filter(({ totalTokens }) => totalTokens > 0));
}
