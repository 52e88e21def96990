/**
 * The limits of a run. When a limit is reached, the model is asked for a last answer. 0 or Infinity
 * means no limit.
 */
export interface Budget {
  /** Tokens of all models, plans and managed agents included. */
  readonly tokens?: number;
  /**
   * What all models cost. A model that does not report its cost fails the run at its first answer.
   */
  readonly costUsd?: number;
  /** How long the run is at work; the time between an interruption and a resume does not count. */
  readonly durationMs?: number;
  /** Calls of tools and managed agents; those that a managed agent makes are its own. */
  readonly toolCalls?: number;
  /** How often in a row the very same action may fail. */
  readonly repeatedFailures?: number;
}
