export { type EvaluateOptions, evaluate, type EvaluationBudget, type EvaluationProgress } from "./evaluate.ts";
export { type EvaluationCase, type EvaluationCaseInit, parseCases, type ParseCasesOptions } from "./case.ts";
export type { CaseRun, CaseRunOptions, CaseRunResult, EvaluationTarget, EvaluatedAgent } from "./evaluated-agent.ts";
export type { ScoreLike, Score, ScoredAnswer, ScoreOptions, Scorer, ScorerFunction } from "./scorer.ts";
export { exact, type ExactOptions } from "./scorers/exact.ts";
export { contains, type ContainsOptions } from "./scorers/contains.ts";
export { schema, type SchemaResult, type StandardSchema } from "./scorers/schema.ts";
export { judge, type JudgeOptions } from "./scorers/judge.ts";
export type {
  CaseStatus,
  Evaluation,
  EvaluationRow,
  EvaluationStop,
  EvaluationSummary,
  RowScore,
  ScoreSummary,
} from "./evaluation.ts";
export type { ConfidenceInterval } from "./statistics.ts";
export { type CostEstimate, type EstimatedAmount, estimateCost } from "./estimate.ts";
export {
  type AmountComparison,
  compare,
  type ComparedEvaluation,
  type Comparison,
  type ScoreComparison,
} from "./compare.ts";
export { replay, type Replay, type ReplayOptions } from "./replay.ts";
export { renderComparison, renderEvaluation, type RenderEvaluationOptions } from "./render-evaluation.ts";
export { evaluationHtml, type EvaluationHtmlOptions } from "./evaluation-html.ts";
/** @internal */
export { createScorer, exactMatch, includes, llmJudge } from "./other-names.ts";
