/**
 * Every default of an agent, in one place.
 *
 * Times are in milliseconds, lengths in characters. In time-outs and caps 0 or Infinity means no limit.
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
  /** What the declarations of tools may take of a code agent's system prompt, in tokens; more tools than that are told of by an index. */
  maxDeclarationTokens: 4_000,
  /** How many tool calls of one step run at the same time. */
  maxParallelToolCalls: 8,
  /** How long one call of a tool may take. */
  toolTimeoutMs: 120_000,
  /** How long calls that have begun may go on after the run was aborted. */
  abortGraceMs: 2_000,
  /** How long a run with a call that waits for a person may still begin new calls. */
  suspendGraceMs: 30_000,
  /** What the model is shown of a program's prints. */
  maxPrintedLength: 50_000,
  /** What the model is shown of a program's last value. */
  maxOutputLength: 20_000,
  /** What a tool's result may hold, in bytes as the log keeps it, besides the bytes of media; more is an error of the tool. */
  maxToolResultBytes: 20_000_000,
  /** What the model is shown of a tool's result. */
  maxToolResultLength: 20_000,
} as const;
