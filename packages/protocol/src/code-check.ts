import type { ExecutorFactory, VariableSummary } from "./executor.ts";

/** A program that is about to run, with the tools and variables it can use. */
export interface CodeCheckInput {
  readonly code: string;
  /**
   * The functions it can call, as declarations in its language. In JavaScript: `declare function
   * getWeather(input: { location: string }): Promise<string>;`.
   */
  readonly declarations: string;
  /** The variables that earlier programs and the caller left. */
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
 * Looks at a program before it runs.
 *
 * Contract:
 * - The program does not run. The problems are returned in the order of their lines; the list is
 *   empty for a program that may run.
 * - The same input always has the same problems. Calls may overlap.
 * - A problem keeps a program from running, so style is not a problem.
 */
export interface CodeCheck {
  (input: CodeCheckInput, options: { readonly signal: AbortSignal }): Promise<readonly CodeProblem[]>;
  /**
   * The language it reads; any when absent. An agent whose code is of another language refuses it.
   */
  readonly language?: ExecutorFactory["language"];
}
