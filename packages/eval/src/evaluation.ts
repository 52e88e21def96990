import type { JsonValue, RunStatus, SerializedError, TokenUsage } from "@smolts/protocol";
import type { ConfidenceInterval } from "./statistics.ts";

/** How a case ended: the status of its run, or `timeout`. */
export type CaseStatus = RunStatus | "timeout";

/** The score of one scorer for one case. `value` is null if the scorer failed. */
export interface RowScore {
  readonly value: number | null;
  /** Why the scorer chose this value, or why there is no value. */
  readonly reason?: string;
}

/** The result of one finished case, even if it failed, hung or cost too much. */
export interface EvaluationRow {
  readonly caseId: string;
  readonly input: string;
  readonly expected?: JsonValue;
  /** The id of the run in the store; null if the answer did not come from an agent. */
  readonly runId: string | null;
  readonly status: CaseStatus;
  /** The answer as text, shortened to 2,000 characters; null if there is none. */
  readonly answer: string | null;
  readonly error: SerializedError | null;
  /** The scores, by the name of the scorer. A case without an answer scores 0. */
  readonly scores: { readonly [scorer: string]: RowScore };
  readonly steps: number;
  /** The agent's usage; null if a model did not report it. */
  readonly usage: TokenUsage | null;
  /** The usage of models that judged the answer; null if one of these models did not report it. */
  readonly scorerUsage: TokenUsage | null;
  readonly durationMs: number;
}

/** Summarizes the scores of one scorer over all rows. */
export interface ScoreSummary {
  /** The mean score; null if no row has a value. */
  readonly mean: number | null;
  /**
   * The 95 % confidence interval of the mean: by Wilson's method if all values are 0 or 1, else by
   * bootstrap.
   */
  readonly interval: ConfidenceInterval | null;
  /** The number of rows with a value. */
  readonly count: number;
  /** The number of rows for which the scorer failed. */
  readonly failed: number;
}

/** The summary of an evaluation. */
export interface EvaluationSummary {
  readonly scores: { readonly [scorer: string]: ScoreSummary };
  readonly statuses: { readonly [Status in CaseStatus]?: number };
  /** The usage of agents and judges together; null if a model did not report it. */
  readonly usage: TokenUsage | null;
  /** The median and the 95th percentile of the time per case, in ms; null if there are no rows. */
  readonly durationMs: { readonly median: number; readonly p95: number } | null;
}

/**
 * Why an evaluation stopped before its last case. The evaluation can be continued with the same id
 * and store.
 */
export interface EvaluationStop {
  /**
   * - `aborted`: the signal aborted
   * - `declined`: `confirm` did not accept the estimate
   * - `estimate`: the estimate exceeds the budget
   * - `budget`: the budget is exhausted
   * - `unknown-cost`: a model does not report the usage that the budget limits
   */
  readonly type: "aborted" | "declined" | "estimate" | "budget" | "unknown-cost";
  readonly message: string;
}

/** The result of an evaluation, as plain data. */
export interface Evaluation {
  readonly version: 1;
  readonly id: string;
  /** The name of the agent; `function` for a plain function. */
  readonly agent: string;
  /** The id of the agent's model; null for a plain function. */
  readonly model: string | null;
  readonly scorers: readonly string[];
  /** Why the evaluation stopped early; null if all cases are finished. */
  readonly stop: EvaluationStop | null;
  /** The number of cases in the table. */
  readonly total: number;
  /** The finished cases, in the order of the table. */
  readonly rows: readonly EvaluationRow[];
  readonly summary: EvaluationSummary;
}
