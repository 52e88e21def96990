import { AgentError, type RunLog, type RunStatus, type TokenUsage } from "@smolts/protocol";
import { textOfAnswer } from "./answer-text.ts";
import type { EvaluationCase } from "./case.ts";

/** An answer, and all that a scorer may look at. */
export interface ScoredAnswer {
  readonly case: EvaluationCase;
  /** The answer itself, as the agent gave it. */
  readonly answer: unknown;
  /** How the run ended. */
  readonly status: RunStatus;
  /** How many steps the agent took. */
  readonly steps: number;
  /** The run's usage; null if a model did not report it. */
  readonly usage: TokenUsage | null;
  /** The run's log; null when the answer did not come from an agent. */
  readonly log: RunLog | null;
}

/** A judgement of an answer. */
export interface Score {
  /** From 0 (wrong) to 1 (right). */
  readonly value: number;
  /** Why, for people. */
  readonly reason?: string;
}

/** The surroundings of a judgement. */
export interface ScoreOptions {
  /** Aborts when the evaluation is stopped, or the scorer takes too long. */
  readonly signal: AbortSignal;
  /**
   * Reports what a model that judges has used; null when it did not say. It counts as the
   * evaluation's.
   */
  spend(usage: TokenUsage | null): void;
}

/** The result of a scorer: a number from 0 to 1, a boolean, or a score with its reason. */
export type GivenScore = number | boolean | Score;

/** Judges answers. A scorer that throws has no score for that case, and the others still count. */
export interface Scorer {
  /** Unique in its evaluation. */
  readonly name: string;
  /** Whether it compares with `expected`, so that each case must have one. */
  readonly needsExpected?: boolean;
  score(answer: ScoredAnswer, options: ScoreOptions): GivenScore | Promise<GivenScore>;
}

/** A scorer as a function; its name is the function's. */
export type ScorerFunction = Scorer["score"];

/** Makes scorers of what was given. @throws AgentError `invalid-option` */
export function checkScorers(given: readonly (Scorer | ScorerFunction)[]): readonly Scorer[] {
  if (given.length === 0) throw invalid("there are no scorers", "give at least one: scorers: [exact()]");
  const scorers = given.map((scorer) => (typeof scorer === "function" ? { name: scorer.name, score: scorer } : scorer));
  const names = new Set<string>();
  for (const { name, score } of scorers) {
    if (typeof score !== "function")
      throw invalid(`the scorer "${name}" has no function score`, "write { name, score }");
    if (!name) throw invalid("a scorer has no name", "name the function, or write { name: ..., score: ... }");
    if (names.has(name)) throw invalid(`two scorers have the name "${name}"`, "write { ...scorer, name: ... }");
    names.add(name);
  }
  return scorers;
}

/** The score in its long form. @throws AgentError `invalid-value` for anything else */
export function toScore(given: unknown): Score {
  const { value, reason } = typeof given === "object" && given !== null ? (given as Partial<Score>) : { value: given };
  const number = typeof value === "boolean" && typeof given === "boolean" ? Number(value) : value;
  if (typeof number === "number" && number >= 0 && number <= 1) {
    return { value: number, ...(reason === undefined || reason === null ? {} : { reason: textOfAnswer(reason) }) };
  }
  throw new AgentError("invalid-value", `expected a score from 0 to 1, got ${shownScore(given)}`, {
    hint: "return a boolean, a number, or { value, reason }",
  });
}

/** JSON has no word for NaN. */
const shownScore = (given: unknown): string =>
  typeof given === "object" || typeof given === "string" ? JSON.stringify(given).slice(0, 200) : String(given);

const invalid = (message: string, hint: string): AgentError => new AgentError("invalid-option", message, { hint });
