import { AgentError, invalidOption, type RunLog, type RunStatus, type TokenUsage } from "@smolts/protocol";
import { textOfAnswer } from "./answer-text.ts";
import type { EvaluationCase } from "./case.ts";

/** An answer, and the other facts of the run that a scorer can use. */
export interface ScoredAnswer {
  readonly case: EvaluationCase;
  /** The answer as the agent returned it. */
  readonly answer: unknown;
  /** How the run ended. */
  readonly status: RunStatus;
  /** The number of steps that the agent took. */
  readonly steps: number;
  /** The run's usage; null if a model did not report it. */
  readonly usage: TokenUsage | null;
  /** The run's log; null when the answer did not come from an agent. */
  readonly log: RunLog | null;
}

/** The result of a scorer for one answer. */
export interface Score {
  /** From 0 (wrong) to 1 (right). */
  readonly value: number;
  /** Why the answer has this score, for people. */
  readonly reason?: string;
}

/** Options of {@link Scorer}'s `score`. */
export interface ScoreOptions {
  /** Aborts when the evaluation is stopped or the scorer takes too long. */
  readonly signal: AbortSignal;
  /**
   * Reports the usage of a model that judges; null if the model did not report any. The usage is
   * added to the usage of the evaluation.
   */
  spend(usage: TokenUsage | null): void;
}

/** A score as a scorer may return it: a number from 0 to 1, a boolean, or a score with a reason. */
export type ScoreLike = number | boolean | Score;

/**
 * Scores answers. If a scorer throws for a case, the case gets no score from it; the other scorers
 * still count.
 */
export interface Scorer {
  /** The name of the scorer, unique in its evaluation. */
  readonly name: string;
  /** Whether the scorer compares with `expected`. If so, every case must have `expected`. */
  readonly needsExpected?: boolean;
  score(answer: ScoredAnswer, options: ScoreOptions): ScoreLike | Promise<ScoreLike>;
}

/** A scorer written as a function. The name of the function is the name of the scorer. */
export type ScorerFunction = Scorer["score"];

/** Turns functions into scorers, and checks all scorers. @throws AgentError `invalid-option` */
export function checkScorers(given: readonly (Scorer | ScorerFunction)[]): readonly Scorer[] {
  if (given.length === 0) throw invalidOption("there are no scorers", "pass at least one: scorers: [exact()]");
  const scorers = given.map((scorer) => (typeof scorer === "function" ? { name: scorer.name, score: scorer } : scorer));
  const names = new Set<string>();
  for (const { name, score } of scorers) {
    if (typeof name !== "string" && typeof score !== "function")
      throw invalidOption("a scorer is neither an object nor a function", "write scorers: [exact()]");
    if (typeof score !== "function")
      throw invalidOption(`the scorer "${name}" has no function "score"`, "write { name, score }");
    if (!name) throw invalidOption("a scorer has no name", "name the function, or write { name: ..., score: ... }");
    if (names.has(name)) throw invalidOption(`two scorers have the name "${name}"`, "write { ...scorer, name: ... }");
    names.add(name);
  }
  return scorers;
}

/**
 * Converts a returned score to a {@link Score}. @throws AgentError `invalid-value` if it is not a
 * score
 */
export function toScore(given: unknown): Score {
  const { value, reason } = typeof given === "object" && given !== null ? (given as Partial<Score>) : { value: given };
  const number = typeof value === "boolean" && typeof given === "boolean" ? Number(value) : value;
  if (typeof number === "number" && number >= 0 && number <= 1) {
    return { value: number, ...(reason === undefined || reason === null ? {} : { reason: textOfAnswer(reason) }) };
  }
  throw new AgentError("invalid-value", `the score is ${shownScore(given)}; expected a number from 0 to 1`, {
    hint: "return a boolean, a number, or { value, reason }",
  });
}

/** Shows NaN as it is, because JSON would write null. */
const shownScore = (given: unknown): string =>
  typeof given === "object" || typeof given === "string" ? JSON.stringify(given).slice(0, 200) : String(given);
