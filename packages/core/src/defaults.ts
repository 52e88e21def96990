/**
 * The default values of all options of an agent.
 *
 * Times are in milliseconds, lengths in characters. For timeouts and limits, 0 or Infinity means no
 * limit.
 *
 * @example
 * ```ts
 * import { defaults } from "@smolts/core";
 *
 * console.log(defaults.maxSteps); // 20
 * ```
 */
export const defaults = {
  maxSteps: 20,
  /**
   * The most tokens that the declarations of tools may take in a code agent's system prompt. If
   * they need more, an index lists the tools instead.
   */
  maxDeclarationTokens: 4_000,
  /** How many tool calls of one step run at the same time. */
  maxParallelToolCalls: 8,
  /** How long one call of a tool may take. */
  toolTimeoutMs: 120_000,
  /** How long calls that have begun may continue after the run was aborted. */
  abortGraceMs: 2_000,
  /** How long a run may start new calls while one of its calls waits for a person. */
  suspendGraceMs: 30_000,
  /** How many characters of a program's printed text the model sees. */
  maxPrintedLength: 50_000,
  /** How many characters of a program's last value the model sees. */
  maxOutputLength: 20_000,
  /**
   * The largest result of a tool, in bytes in the log, not counting media. A larger result is an
   * error of the tool.
   */
  maxToolResultBytes: 20_000_000,
  /** How many characters of a tool's result the model sees. */
  maxToolResultLength: 20_000,
} as const;
