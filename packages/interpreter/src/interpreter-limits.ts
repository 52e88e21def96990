// The limits of a code block, and their defaults. Reaching a limit ends the block, never the
// session.

import { AgentError, type OptionTable, type StopReason } from "@smolts/protocol";

/** The limits of one execution. 0 and `Infinity` turn a limit off. */
export interface InterpreterLimits {
  /**
   * Time spent computing, in ms: waiting for tools does not count, and where the host tells,
   * neither does what other processes took meanwhile. The garbage collector's work for what the
   * code keeps counts, in whatever thread it is done.
   */
  readonly guestTimeMs?: number;
  /** Loop rounds, calls, and inner rounds of built-ins. */
  readonly operations?: number;
  /**
   * Bytes held, by estimate, those included that variables of earlier blocks hold. What is
   * allocated is counted; where the platform tells how large its heap is, what was dropped since
   * does not count.
   */
  readonly memoryBytes?: number;
  /** Calls within calls. The host's own stack is a limit too, whatever this says. */
  readonly callDepth?: number;
  /**
   * Characters printed. A printed object counts for the work of showing it if that is more than its
   * characters.
   */
  readonly outputCharacters?: number;
  /** Promise jobs and timers that run. */
  readonly microtasks?: number;
  /** Calls of tools, or timers, that are under way at once. */
  readonly pendingCalls?: number;
  /** Bytes that one call hands to its tool, by estimate. */
  readonly callBytes?: number;
  /** Bytes that the calls under way at once have handed over. */
  readonly pendingBytes?: number;
  /** Bytes that all calls of a block hand over. */
  readonly sentBytes?: number;
  /** Length of the code, in characters. */
  readonly sourceCharacters?: number;
}

/** The limits, for the functions that take them among their options. */
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

/** The limits that hold when none are given. */
export const interpreterDefaults: Required<InterpreterLimits> = {
  // Nothing else of the process runs meanwhile.
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
 * Limits with the defaults filled in and `Infinity` where one is turned off.
 *
 * @throws AgentError `invalid-option` for unknown names and anything but whole numbers, 0 and
 *   `Infinity`
 */
export function resolveLimits(limits: InterpreterLimits): Required<InterpreterLimits> {
  const resolved: { -readonly [Name in keyof InterpreterLimits]-?: number } = { ...interpreterDefaults };
  for (const [name, value] of Object.entries(limits)) {
    if (!isLimitName(name)) {
      throw new AgentError("invalid-option", `limits.${name} is not a limit of the interpreter`, {
        hint: `the limits are ${Object.keys(interpreterDefaults).join(", ")}`,
      });
    }
    if (value !== undefined) resolved[name] = checkLimit(name, value);
  }
  return resolved;
}

/**
 * Limits of an execution that is repeated from a record: only the one that ended it then may end it
 * now.
 */
export function limitsForReplay(
  limits: Required<InterpreterLimits>,
  reason: StopReason | undefined,
): Required<InterpreterLimits> {
  const off = Number.POSITIVE_INFINITY;
  return {
    guestTimeMs: off,
    operations: off,
    // The host's view of its heap is not recorded. A stop for memory is followed by a counted
    // operation, which identifies it in a replay.
    memoryBytes: off,
    // The host's stack is not endless in a replay either.
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
  throw new AgentError("invalid-option", `limits.${name} is ${String(value)}; expected a whole number >= 1`, {
    hint: `write for instance limits: { ${name}: ${interpreterDefaults[name as keyof InterpreterLimits]} }; 0 turns it off`,
  });
}
