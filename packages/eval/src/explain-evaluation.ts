import { invalidOption, memberExplainer } from "@smolts/protocol";
import type { Evaluation, EvaluationRow, EvaluationSummary } from "./evaluation.ts";
import type { ScoredAnswer } from "./scorer.ts";

/** Makes an evaluation throw an error when code uses another framework's name for a member. */
export const explainEvaluation: (evaluation: Evaluation) => Evaluation = /* @__PURE__ */ memberExplainer(
  "an evaluation",
  {
    values: [
      ["score scores mean accuracy metrics", "write evaluation.summary.scores"],
      ["results items cases", "write evaluation.rows"],
      ["usage cost duration", "write evaluation.summary"],
    ],
  },
);

/**
 * Makes the summary of an evaluation throw an error when code uses another framework's name for a
 * member.
 */
export const explainSummary: (summary: EvaluationSummary) => EvaluationSummary = /* @__PURE__ */ memberExplainer(
  "a summary",
  { values: [["score mean accuracy passed average", "write summary.scores[scorer].mean"]] },
);

/**
 * Makes a row of an evaluation throw an error when code uses another framework's name for a member.
 */
export const explainRow: (row: EvaluationRow) => EvaluationRow = /* @__PURE__ */ memberExplainer("a row", {
  values: [
    ["output result actual", "write row.answer"],
    ["score passed", "write row.scores"],
    ["id", "write row.caseId"],
    ["duration", "write row.durationMs"],
  ],
});

const reading = "write ({ answer, case: { expected } }) => answer === expected";

/**
 * Makes the argument of a scorer throw an error when code uses another framework's name for a
 * member. Without the error, two such names would both be undefined, and a comparison of them would
 * score 1.
 */
const explainNames: (scored: ScoredAnswer) => ScoredAnswer = /* @__PURE__ */ memberExplainer("a scored answer", {
  values: [
    ["output result actual", "write answer"],
    ["expected input metadata", "write case, which has the other fields: ({ answer, case: { expected } }) => ..."],
  ],
  methods: [["includes startsWith endsWith trim match split toLowerCase toUpperCase", reading]],
});

/** The argument of a scorer, and a check whether the scorer has read any part of it. */
export interface WatchedAnswer {
  readonly scored: ScoredAnswer;
  /**
   * Throws if the scorer has read no field of its argument. Scorers of other frameworks get the
   * answer itself. Here such a scorer would compare the whole argument with the expected answer,
   * and every case would score 0.
   */
  checkRead(): void;
}

/** Makes the argument of a scorer report wrong uses. */
export function watchScored(answer: ScoredAnswer): WatchedAnswer {
  const target = explainNames(answer);
  let isRead = false;
  const get = (_: ScoredAnswer, name: string | symbol, scored: object): unknown => {
    isRead ||= Object.hasOwn(target, name);
    return Reflect.get(target, name, scored);
  };
  const checkRead = (): void => {
    if (!isRead) throw invalidOption("the scorer read nothing of the answer that it got", reading);
  };
  return { scored: new Proxy(target, { get }), checkRead };
}
