import type { JsonValue, RunStatus, SerializedError, TokenUsage } from "@smolts/protocol";
import type { Interval } from "./statistics.ts";

/** How a case ended: as its run did, or `timeout` when it did not end in time. */
export type CaseStatus = RunStatus | "timeout";

/** The score of one scorer for one case; `value` is null when the scorer failed. */
export interface RowScore {
  readonly value: number | null;
  /** Why the value is what it is, or why there is none. */
  readonly reason?: string;
}

/** One finished case. A case that failed, hung or cost too much is a row like any other. */
export interface EvaluationRow {
  readonly caseId: string;
  readonly input: string;
  readonly expected?: JsonValue;
  /** Where the run is found in the store; null for an answer that did not come from an agent. */
  readonly runId: string | null;
  readonly status: CaseStatus;
  /** The answer as text, cut after 2,000 characters; null when there is none. */
  readonly answer: string | null;
  readonly error: SerializedError | null;
  /** By scorer. A case without an answer scores 0. */
  readonly scores: { readonly [scorer: string]: RowScore };
  readonly steps: number;
  /** The agent's usage; null if a model did not report it. */
  readonly usage: TokenUsage | null;
  /** What models that judged used; null when one did not say. */
  readonly scorerUsage: TokenUsage | null;
  readonly durationMs: number;
}

/** The scores that one scorer gave, over all rows. */
export interface ScoreSummary {
  /** Null when no row has a value. */
  readonly mean: number | null;
  /** The 95 % interval of the mean: by Wilson when all values are 0 or 1, else by bootstrap. */
  readonly interval: Interval | null;
  /** How many rows have a value. */
  readonly count: number;
  /** In how many rows the scorer failed. */
  readonly failed: number;
}

/** The figures of an evaluation. */
export interface EvaluationSummary {
  readonly scores: { readonly [scorer: string]: ScoreSummary };
  readonly statuses: { readonly [Status in CaseStatus]?: number };
  /** Of agents and judges; null when a model did not say what it used. */
  readonly usage: TokenUsage | null;
  /** The median and the 95th percentile, in ms; null without rows. */
  readonly durationMs: { readonly median: number; readonly p95: number } | null;
}

/** Why an evaluation ended before its last case. It continues under its id in the same store. */
export interface EvaluationStop {
  /**
   * `aborted` by the signal, `declined` after the estimate, `estimate` over the budget, `budget`
   * used up, or `unknown-cost`: a model does not say what a budget must be held against.
   */
  readonly type: "aborted" | "declined" | "estimate" | "budget" | "unknown-cost";
  readonly message: string;
}

/** An evaluation as plain data. */
export interface Evaluation {
  readonly version: 1;
  readonly id: string;
  /** The name of the agent; `function` for a plain function. */
  readonly agent: string;
  /** The id of its model; null for a plain function. */
  readonly model: string | null;
  readonly scorers: readonly string[];
  /** Null when all cases are finished. */
  readonly stop: EvaluationStop | null;
  /** How many cases the table has. */
  readonly total: number;
  /** The finished cases, in the order of the table. */
  readonly rows: readonly EvaluationRow[];
  readonly summary: EvaluationSummary;
}
