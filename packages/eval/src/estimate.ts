import type { EvaluationRow } from "./evaluation.ts";
import { meanOf, predictionReach } from "./statistics.ts";
import { totalOf } from "./summary.ts";

/** The estimated usage of the remaining cases, based on the finished cases. */
export interface CostEstimate {
  /** The number of finished cases that the estimate is based on. */
  readonly sampled: number;
  /** The number of remaining cases. */
  readonly remaining: number;
  /** The estimated tokens; null if a model does not report its usage. */
  readonly tokens: EstimatedAmount | null;
  /** The estimated cost in US dollars; null if a model does not report its cost. */
  readonly costUsd: EstimatedAmount | null;
}

/** The estimate of one amount, for all remaining cases together. */
export interface EstimatedAmount {
  /** The amount that the finished cases used. */
  readonly spent: number;
  readonly expected: number;
  /** The 95 % prediction interval. `atMost` is infinite if only one case is finished. */
  readonly atLeast: number;
  readonly atMost: number;
}

/**
 * Estimates what the remaining cases will use: the mean of the finished cases times the number of
 * remaining ones. The interval is a prediction interval, which assumes that the usage per case has
 * a normal distribution.
 *
 * @example
 * ```ts
 * import { estimateCost, evaluate, exact } from "@smolts/eval";
 *
 * const { rows } = await evaluate({ cases: [{ input: "1 + 1?", expected: 2 }], agent: () => 2, scorers: [exact()] });
 * console.log(estimateCost(rows, 99).tokens?.expected); // 0
 * ```
 */
export function estimateCost(rows: readonly EvaluationRow[], remaining: number): CostEstimate {
  const usages = rows.map(({ usage, scorerUsage }) => totalOf([usage, scorerUsage]));
  const costs = usages.map((usage) => (usage?.totalTokens === 0 ? 0 : (usage?.costUsd ?? null)));
  return {
    sampled: rows.length,
    remaining,
    tokens: amountOf(
      usages.map((usage) => usage?.totalTokens ?? null),
      remaining,
    ),
    costUsd: amountOf(costs, remaining),
  };
}

function amountOf(values: readonly (number | null)[], remaining: number): EstimatedAmount | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0 || known.length < values.length) return null;
  const mean = meanOf(known);
  const reach = remaining === 0 ? 0 : predictionReach(known, remaining);
  return {
    spent: known.reduce((sum, value) => sum + value, 0),
    expected: mean * remaining,
    atLeast: Math.max(0, mean - reach) * remaining,
    atMost: (mean + reach) * remaining,
  };
}
