import { sumUsage } from "@smolts/memory";
import type { TokenUsage } from "@smolts/protocol";
import type { CaseStatus, EvaluationRow, EvaluationSummary, ScoreSummary } from "./evaluation.ts";
import { meanInterval, meanOf, quantile } from "./statistics.ts";

/** Makes the figures of finished cases. */
export function summarize(rows: readonly EvaluationRow[], scorers: readonly string[]): EvaluationSummary {
  const statuses: { [Status in CaseStatus]?: number } = {};
  for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1;
  const durations = Float64Array.from(rows, ({ durationMs }) => durationMs).sort();
  return {
    scores: Object.fromEntries(scorers.map((scorer) => [scorer, scoreSummary(rows, scorer)])),
    statuses,
    usage: totalOf(rows.flatMap(({ usage, scorerUsage }) => [usage, scorerUsage])),
    durationMs: durations.length === 0 ? null : { median: quantile(durations, 0.5), p95: quantile(durations, 0.95) },
  };
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
 * Adds up; null when one is unknown. Who used nothing has no cost to tell, and does not make that
 * of the others unknown.
 */
export function totalOf(usages: readonly (TokenUsage | null)[]): TokenUsage | null {
  const known = usages.filter((usage) => usage !== null);
  return known.length < usages.length ? null : sumUsage(known.filter(({ totalTokens }) => totalTokens > 0));
}
