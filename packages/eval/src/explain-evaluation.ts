import { memberExplainer } from "@smolts/protocol";
import type { Evaluation, EvaluationRow } from "./evaluation.ts";
import type { ScoredAnswer } from "./scorer.ts";

/** Makes an evaluation throw an error for the names of other frameworks. */
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

/** Makes a row of an evaluation throw an error for the names of other frameworks. */
export const explainRow: (row: EvaluationRow) => EvaluationRow = /* @__PURE__ */ memberExplainer("a row", {
  values: [
    ["output result actual", "write row.answer"],
    ["score passed", "write row.scores"],
    ["id", "write row.caseId"],
    ["duration", "write row.durationMs"],
  ],
});

/**
 * Makes what a scorer gets throw an error for the names of other frameworks. Two names that it does
 * not have would be equal, and score 1.
 */
export const explainScored: (scored: ScoredAnswer) => ScoredAnswer = /* @__PURE__ */ memberExplainer(
  "a scored answer",
  {
    values: [
      ["output result actual", "write answer"],
      ["expected input metadata", "write case, which has the other fields: ({ answer, case: { expected } }) => ..."],
    ],
  },
);
