// The limits of a code block, and their defaults. Reaching a limit ends the block, never the
// session.

import { invalidOption, type OptionTable, type StopReason } from "@smolts/protocol";

/** The limits of one execution. 0 and `Infinity` turn a limit off. */
export interface InterpreterLimits {
  /**
   * The most time that code may compute, in ms. The time spent waiting for tools does not count. If
   * the host reports CPU time, the time of other processes does not count either. Garbage
   * collection of the code's own data counts, in every thread. Default: 2,000.
   */
  readonly guestTimeMs?: number;
  /**
   * The most operations: loop iterations, calls, and iterations within built-ins. Default:
   * 50,000,000.
   */
  readonly operations?: number;
  /**
   * The most bytes that the code may hold, by estimate, including the variables of earlier blocks.
   * Freed memory does not count on platforms that report the size of their heap. On other platforms
   * it does: every allocation counts. Default: 256 MB.
   */
  readonly memoryBytes?: number;
  /** The deepest nesting of calls. The host's own stack limits it too. Default: 1,000. */
  readonly callDepth?: number;
  /**
   * The most characters that the code may print. For an object that is slow to format, the work of
   * formatting counts instead of its characters. Default: 1,000,000.
   */
  readonly outputCharacters?: number;
  /** The most promise jobs and timers that may run. Default: 1,000,000. */
  readonly microtasks?: number;
  /**
   * The most tool calls that may be in flight at once, and also the most timers that may be waiting
   * at once. Default: 10,000.
   */
  readonly pendingCalls?: number;
  /**
   * The most bytes, by estimate, that one call may pass to its tool. A call of `finalAnswer` may
   * not pass more to the host either. Default: 16 MB.
   */
  readonly callBytes?: number;
  /** The most bytes that all calls in flight may have passed to their tools. Default: 64 MB. */
  readonly pendingBytes?: number;
  /** The most bytes that all calls of a block may pass to tools. Default: 128 MB. */
  readonly sentBytes?: number;
  /** The greatest length of the code, in characters. Default: 500,000. */
  readonly sourceCharacters?: number;
}

/** The names of all limits, for checking the options of functions that accept limits. */
export const limitOptions: OptionTable<InterpreterLimits> = {
  guestTimeMs: true,
  operations: true,
  memoryBytes: true,
  callDepth: true,
  outputCharacters: true,
  microtasks: true,
  pendingCalls: true,
  callBytes: true,
  pendingBytes: true,
  sentBytes: true,
  sourceCharacters: true,
};

/** The default limits. */
export const interpreterDefaults: Required<InterpreterLimits> = {
  // Short, because nothing else in the process runs during this time.
  guestTimeMs: 2_000,
  operations: 50_000_000,
  memoryBytes: 256 * 2 ** 20,
  callDepth: 1_000,
  outputCharacters: 1_000_000,
  microtasks: 1_000_000,
  pendingCalls: 10_000,
  callBytes: 16 * 2 ** 20,
  pendingBytes: 64 * 2 ** 20,
  sentBytes: 128 * 2 ** 20,
  sourceCharacters: 500_000,
};

/**
 * Fills in the defaults and replaces 0 by `Infinity`.
 *
 * @throws AgentError `invalid-option` for unknown names, and for values other than whole numbers
 *   and `Infinity`
 */
export function resolveLimits(limits: InterpreterLimits): Required<InterpreterLimits> {
  const resolved: { -readonly [Name in keyof InterpreterLimits]-?: number } = { ...interpreterDefaults };
  for (const [name, value] of Object.entries(limits)) {
    if (!isLimitName(name)) {
      throw invalidOption(
        `limits.${name} is not a limit of the interpreter`,
        `the limits are ${Object.keys(interpreterDefaults).join(", ")}`,
      );
    }
    if (value !== undefined) resolved[name] = checkLimit(name, value);
  }
  return resolved;
}

/**
 * Returns the limits for a replay. Only the limit that ended the recorded execution may end the
 * replay.
 */
export function limitsForReplay(
  limits: Required<InterpreterLimits>,
  reason: StopReason | undefined,
): Required<InterpreterLimits> {
  const off = Number.POSITIVE_INFINITY;
  return {
    guestTimeMs: off,
    operations: off,
    // A replay needs no memory limit, because it stops after the recorded number of operations.
    // That is exactly where the recorded execution stopped, because the meter counts an operation
    // right after each memory check.
    memoryBytes: off,
    // A replay keeps this limit, because the host's stack is limited in a replay, too.
    callDepth: limits.callDepth,
    outputCharacters: reason === "output" ? limits.outputCharacters : off,
    microtasks: reason === "microtasks" ? limits.microtasks : off,
    pendingCalls: reason === "pending-calls" ? limits.pendingCalls : off,
    callBytes: reason === "sent-bytes" ? limits.callBytes : off,
    pendingBytes: reason === "sent-bytes" ? limits.pendingBytes : off,
    sentBytes: reason === "sent-bytes" ? limits.sentBytes : off,
    sourceCharacters: reason === "source-size" ? limits.sourceCharacters : off,
  };
}

const isLimitName = (name: string): name is keyof InterpreterLimits => Object.hasOwn(interpreterDefaults, name);

function checkLimit(name: string, value: unknown): number {
  if (value === 0 || value === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw invalidOption(
    `limits.${name} is ${String(value)}; expected a whole number >= 1`,
    `for example, write limits: { ${name}: ${interpreterDefaults[name as keyof InterpreterLimits]} }; 0 turns it off`,
  );
}
