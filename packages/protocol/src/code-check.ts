import type { ExecutorFactory, VariableSummary } from "./executor.ts";

/** A program that is about to run, with the tools and variables it can use. */
export interface CodeCheckInput {
  readonly code: string;
  /**
   * The functions that the program can call, as declarations in its language. In JavaScript:
   * `declare function getWeather(input: { location: string }): Promise<string>;`.
   */
  readonly declarations: string;
  /** The variables that earlier programs defined or the caller passed in. */
  readonly variables: readonly VariableSummary[];
}

/** A mistake in a program that has not run yet. */
export interface CodeProblem {
  /** 1-based. */
  readonly line: number;
  /** The mistake and what to write instead, addressed to the model that wrote the program. */
  readonly message: string;
}

/**
 * Checks a program before it runs.
 *
 * Contract:
 * - The check does not run the program. It returns the problems in the order of their lines, and an
 *   empty list if the program may run.
 * - The same input always leads to the same problems. Calls may overlap.
 * - Any problem prevents the program from running, so do not report matters of style.
 */
export interface CodeCheck {
  (input: CodeCheckInput, options: { readonly signal: AbortSignal }): Promise<readonly CodeProblem[]>;
  /**
   * The language that this check reads; any language if absent. If an agent writes code in another
   * language, creating the agent with this check throws an error.
   */
  readonly language?: ExecutorFactory["language"];
}
