/**
 * The limits of a run. When a limit is reached, the model is asked for a last answer. 0 or
 * `Infinity` means no limit.
 */
export interface Budget {
  /**
   * The most tokens that all models may use together, including those of plans and of managed
   * agents. No limit when absent.
   */
  readonly tokens?: number;
  /**
   * The most that all models may cost together, in US dollars. If a model does not report its cost,
   * the run fails at the first answer of that model. No limit when absent.
   */
  readonly costUsd?: number;
  /**
   * The longest time that the run may work, in ms. The time between an interruption and a resume
   * does not count. No limit when absent.
   */
  readonly durationMs?: number;
  /**
   * The most calls of tools and managed agents. Calls that a managed agent makes itself do not
   * count here. No limit when absent.
   */
  readonly toolCalls?: number;
  /** How many times in a row exactly the same code or calls may fail. No limit when absent. */
  readonly repeatedFailures?: number;
}
