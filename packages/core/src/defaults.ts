/**
 * Every default of an agent, in one place.
 *
 * Times are in milliseconds, lengths in characters. In time-outs and caps 0 or Infinity means no
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
   * The most tokens of a code agent's system prompt for the declarations of tools; an index
   * describes the tools beyond that.
   */
  maxDeclarationTokens: 4_000,
  /** How many tool calls of one step run at the same time. */
  maxParallelToolCalls: 8,
  /** How long one call of a tool may take. */
  toolTimeoutMs: 120_000,
  /** How long calls that have begun may go on after the run was aborted. */
  abortGraceMs: 2_000,
  /** How long a run with a call that waits for a person may still begin new calls. */
  suspendGraceMs: 30_000,
  /** The most text of a program's prints that the model sees. */
  maxPrintedLength: 50_000,
  /** The most text of a program's last value that the model sees. */
  maxOutputLength: 20_000,
  /**
   * The largest result of a tool, in bytes as the log keeps it, besides the bytes of media; a
   * larger one is an error of the tool.
   */
  maxToolResultBytes: 20_000_000,
  /** The most text of a tool's result that the model sees. */
  maxToolResultLength: 20_000,
} as const;
