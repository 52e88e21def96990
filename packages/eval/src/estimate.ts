import type { EvaluationRow } from "./evaluation.ts";
import { meanOf, predictionReach } from "./statistics.ts";
import { totalOf } from "./summary.ts";

/** The estimated usage of the remaining cases, from the finished ones. */
export interface CostEstimate {
  /** How many finished cases it rests on. */
  readonly sampled: number;
  /** How many cases are left. */
  readonly remaining: number;
  /** Null when a model does not say what it used. */
  readonly tokens: EstimatedAmount | null;
  /** Null when a model does not say what it cost. */
  readonly costUsd: EstimatedAmount | null;
}

/** An amount for all remaining cases together. */
export interface EstimatedAmount {
  /** The usage of the finished cases. */
  readonly spent: number;
  readonly expected: number;
  /** The prediction interval of 95 %. `atMost` is infinite when there is only one finished case. */
  readonly atLeast: number;
  readonly atMost: number;
}

/**
 * Estimates what further cases will use: the mean of the finished ones, times their number, with
 * the prediction interval of a normal sample.
 *
 * @example
 * ```ts
 * import { estimateCost, evaluate } from "@smolts/eval";
 *
 * const { rows } = await evaluate({ cases: [{ input: "1 + 1?" }], agent: () => 2, scorers: [({ answer }) => answer === 2] });
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
