// Compares two evaluations of the same table of cases, case by case. Pairs of scores say more than
// two means, because a hard case is hard for both agents.

import { invalidOption, wrongArgument } from "@smolts/protocol";
import type { Evaluation, EvaluationRow } from "./evaluation.ts";
import { type ConfidenceInterval, meanOf, pairedInterval, pairedMethod } from "./statistics.ts";
import { totalOf } from "./summary.ts";

/** The scores of one scorer in two evaluations, over the cases that have a value in both. */
export interface ScoreComparison {
  /** The number of pairs of scores. */
  readonly count: number;
  /** The mean score in the first evaluation; null if no case has a value in both evaluations. */
  readonly before: number | null;
  readonly after: number | null;
  /** The difference of the means: `after - before`. */
  readonly difference: number | null;
  /** The 95 % confidence interval of the difference. */
  readonly interval: ConfidenceInterval | null;
  /** `newcombe` if all scores are 0 or 1, else `bootstrap`. */
  readonly method: "newcombe" | "bootstrap";
  /** `unclear` if the interval contains 0. */
  readonly verdict: "better" | "worse" | "unclear";
  /** The ids of the cases whose score rose. */
  readonly better: readonly string[];
  /** The ids of the cases whose score fell. */
  readonly worse: readonly string[];
}

/** The comparison of two evaluations, as plain data. */
export interface Comparison {
  readonly before: ComparedEvaluation;
  readonly after: ComparedEvaluation;
  /** The number of cases whose id, task and expected answer are the same in both evaluations. */
  readonly common: number;
  /** The ids of cases with a different task or expected answer. Such cases are not compared. */
  readonly changed: readonly string[];
  /** The ids of cases that only one of the evaluations finished. Such cases are not compared. */
  readonly missing: readonly string[];
  readonly scores: { readonly [scorer: string]: ScoreComparison };
  /** The mean tokens per case, including those of judges; null if a model did not report them. */
  readonly tokens: AmountComparison | null;
  readonly durationMs: AmountComparison | null;
}

/** Names one of the two evaluations. */
export type ComparedEvaluation = Pick<Evaluation, "id" | "agent" | "model">;

/** The mean of an amount, such as tokens, in two evaluations, over the cases that both have. */
export interface AmountComparison {
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** The 95 % confidence interval of the difference, by bootstrap. */
  readonly interval: ConfidenceInterval | null;
}

/**
 * Compares two evaluations case by case, with 95 % confidence intervals: Newcombe's method 10 for
 * paired proportions if all scores are 0 or 1, else the percentile bootstrap over cases.
 *
 * Each interval covers one scorer alone. If there are many scorers, one of them may seem to differ
 * by chance.
 *
 * @throws AgentError `invalid-option` when the evaluations have no case in common
 * @example
 * ```ts
 * import { compare, evaluate, exact } from "@smolts/eval";
 *
 * const cases = [{ input: "1 + 1?", expected: 2 }, { input: "1 + 2?", expected: 3 }];
 * const before = await evaluate({ cases, agent: () => 2, scorers: [exact()] });
 * const after = await evaluate({ cases, agent: ({ expected }) => expected, scorers: [exact()] });
 * console.log(compare(before, after).scores["exact"]?.better); // [ '2' ]
 * ```
 */
export function compare(before: Evaluation, after: Evaluation): Comparison {
  for (const one of [before, after]) {
    if (!Array.isArray(one?.rows))
      throw wrongArgument(
        "compare()",
        one,
        "two evaluations",
        "write compare(await evaluate(...), await evaluate(...))",
      );
  }
  const afterRows = new Map(after.rows.map((row) => [row.caseId, row]));
  const shared = before.rows.flatMap((row): readonly Pair[] => {
    const other = afterRows.get(row.caseId);
    return other ? [[row, other]] : [];
  });
  const pairs = shared.filter(([one, other]) => isSameCase(one, other));
  if (pairs.length === 0) {
    throw invalidOption(
      "the two evaluations have no finished case in common",
      "give the cases ids, and run both over the same table",
    );
  }
  const sharedIds = new Set(shared.map(([{ caseId }]) => caseId));
  const all = [...before.rows, ...after.rows].map(({ caseId }) => caseId);
  const scorers = before.scorers.filter((scorer) => after.scorers.includes(scorer));
  return {
    before: namesOf(before),
    after: namesOf(after),
    common: pairs.length,
    changed: shared.filter(([one, other]) => !isSameCase(one, other)).map(([{ caseId }]) => caseId),
    missing: [...new Set(all.filter((id) => !sharedIds.has(id)))],
    scores: Object.fromEntries(scorers.map((scorer) => [scorer, compareScores(pairs, scorer)])),
    tokens: compareAmounts(pairs, (row) => totalOf([row.usage, row.scorerUsage])?.totalTokens ?? null),
    durationMs: compareAmounts(pairs, ({ durationMs }) => durationMs),
  };
}

type Pair = readonly [before: EvaluationRow, after: EvaluationRow];

const namesOf = ({ id, agent, model }: Evaluation): ComparedEvaluation => ({ id, agent, model });

const isSameCase = (one: EvaluationRow, other: EvaluationRow): boolean =>
  one.input === other.input && JSON.stringify(one.expected) === JSON.stringify(other.expected);

function compareScores(pairs: readonly Pair[], scorer: string): ScoreComparison {
  const scored = pairs.flatMap(([one, other]) => {
    const [first, second] = [one.scores[scorer]?.value ?? null, other.scores[scorer]?.value ?? null];
    return first === null || second === null ? [] : [{ id: one.caseId, first, second }];
  });
  const [first, second] = [scored.map((pair) => pair.first), scored.map((pair) => pair.second)];
  const interval = pairedInterval(first, second);
  const isEmpty = scored.length === 0;
  return {
    count: scored.length,
    before: isEmpty ? null : meanOf(first),
    after: isEmpty ? null : meanOf(second),
    difference: isEmpty ? null : meanOf(second) - meanOf(first),
    interval,
    method: pairedMethod(first, second),
    verdict: verdictOf(interval),
    better: scored.filter((pair) => pair.second > pair.first).map(({ id }) => id),
    worse: scored.filter((pair) => pair.second < pair.first).map(({ id }) => id),
  };
}

function verdictOf(interval: ConfidenceInterval | null): ScoreComparison["verdict"] {
  if (interval === null) return "unclear";
  if (interval.low > 0) return "better";
  return interval.high < 0 ? "worse" : "unclear";
}

function compareAmounts(
  pairs: readonly Pair[],
  amountOf: (row: EvaluationRow) => number | null,
): AmountComparison | null {
  const amounts = pairs.map(([one, other]) => [amountOf(one), amountOf(other)] as const);
  const known = amounts.filter((pair): pair is readonly [number, number] => pair[0] !== null && pair[1] !== null);
  if (known.length < amounts.length) return null;
  const [before, after] = [known.map(([one]) => one), known.map(([, other]) => other)];
  return {
    before: meanOf(before),
    after: meanOf(after),
    difference: meanOf(after) - meanOf(before),
    interval: pairedInterval(before, after),
  };
}
