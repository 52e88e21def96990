import type { ExecutorFactory, VariableSummary } from "./executor.ts";

/** A program that is about to run, and what it finds there. */
export interface CodeCheckInput {
  readonly code: string;
  /** What it can call, as declarations of its language: in JavaScript's case `declare function getWeather(input: { location: string }): Promise<string>;`. */
  readonly declarations: string;
  /** What earlier programs and the caller left. */
  readonly variables: readonly VariableSummary[];
}

/** A place where a program will hardly do what it is meant to. */
export interface CodeProblem {
  /** 1-based. */
  readonly line: number;
  /** In words that the model which wrote the program can act on. */
  readonly message: string;
}

/**
 * Looks at a program before it runs.
 *
 * Contract:
 * - Nothing of the program runs. It gives the problems in the order of their lines, and none for a program that may run.
 * - It gives the same problems for the same input; it may be called any number of times, also at once.
 * - A problem keeps a program from running: what is merely untidy is none.
 */
export interface CodeCheck {
  (input: CodeCheckInput, options: { readonly signal: AbortSignal }): Promise<readonly CodeProblem[]>;
  /** The language it reads; any when absent. An agent whose code is of another language refuses it. */
  readonly language?: ExecutorFactory["language"];
}
