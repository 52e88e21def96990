/**
 * The limits of a run. When a limit is reached, the model is asked for a last answer. 0 or
 * `Infinity` means no limit.
 */
export interface Budget {
  /**
   * The maximum number of tokens that all models may use together, including the tokens of plans
   * and of managed agents. Default: no limit.
   */
  readonly tokens?: number;
  /**
   * The maximum cost of all models together, in US dollars. If a model does not report its cost,
   * the run fails at the first answer of that model. Default: no limit.
   */
  readonly costUsd?: number;
  /**
   * The longest time that the run may work, in ms. The time between an interruption and a resume
   * does not count. Default: no limit.
   */
  readonly durationMs?: number;
  /**
   * The maximum number of calls of tools and managed agents. Calls that a managed agent makes
   * itself do not count here. Default: no limit.
   */
  readonly toolCalls?: number;
  /** How many times in a row exactly the same code or calls may fail. Default: no limit. */
  readonly repeatedFailures?: number;
}
