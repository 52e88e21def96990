import type { ApprovalRequest } from "./approval.ts";
import type { JsonValue } from "./json.ts";

/**
 * What went wrong, for programs. The set is closed.
 *
 * The first group is shown to the model as an observation, and the loop goes on: `parsing` (no code
 * or tool call in the model's text), `code-execution` (its program failed or was stopped),
 * `tool-input`, `tool-execution`, `unknown-tool`, `final-answer-check`, `import-refused`, `denied`.
 * All others end the run and keep its log.
 */
export type AgentErrorCode =
  | "parsing"
  | "code-execution"
  | "tool-input"
  | "tool-execution"
  | "unknown-tool"
  | "final-answer-check"
  | "import-refused"
  | "denied"
  /** The model could not be reached, refused, or broke off. */
  | "generation"
  /** The prompt does not fit the model's context. */
  | "context-overflow"
  /** The sandbox itself failed, not the code in it. */
  | "executor"
  /** The run log could not be written or read. */
  | "log"
  /** The run log is damaged: bytes of it changed, or a part in the middle is missing. */
  | "log-corrupt"
  /** The run log ends before what was acknowledged, so its end was lost. */
  | "log-truncated"
  /** The run log was written by a newer version, and holds what this version does not know. */
  | "log-version"
  /** Another process holds the run log, or has taken it over. */
  | "lease"
  /** The run was resumed three times without getting any further. */
  | "crash-loop"
  /** An option is wrong; the message says what to change. */
  | "invalid-option"
  /** A value cannot be encoded, or bytes are not an encoded value. */
  | "invalid-value"
  /** The run was aborted. */
  | "interrupted"
  /** A replay did something different from the record. */
  | "divergence"
  /** A fork would repeat calls that had an effect; `details` lists them. */
  | "effects-repeat"
  /** A call began before an interruption, and its outcome is unknown. */
  | "in-doubt"
  /** The run waits for people's decisions; `pending` says which. */
  | "suspended"
  /** A decision is about a request that is no longer open. */
  | "stale-decision"
  /** The session is running something else. */
  | "busy"
  /** A limit of the run's budget was reached. */
  | "budget"
  /** A callback of the user's failed. */
  | "callback"
  /** The answer does not fit the schema asked for. */
  | "output-invalid";

/** An error as data: what logs, steps and guests see. */
export interface SerializedError {
  readonly code: AgentErrorCode;
  /** The class of the original error in the guest or the tool, such as `TypeError`. */
  readonly name?: string;
  readonly message: string;
  /** How to fix it. */
  readonly hint?: string;
  /** More about the failure, for programs. */
  readonly details?: JsonValue;
}

/** Optional fields of an {@link AgentError}. */
export interface AgentErrorOptions {
  /** The error behind this one. */
  readonly cause?: unknown;
  /** What to write instead, as an imperative. */
  readonly hint?: string | undefined;
  /** More about the failure, for programs. */
  readonly details?: JsonValue | undefined;
  /** The class of the original error, such as `TypeError`; see {@link SerializedError}. */
  readonly originalName?: string | undefined;
  /** The requests that a suspended run waits for. */
  readonly pending?: readonly ApprovalRequest[] | undefined;
}

// A brand instead of `instanceof`: two copies of this package may meet in one process.
const brand: unique symbol = Symbol.for("@smolts/AgentError") as never;

/**
 * Any failure that the framework itself names. `code` is for programs, `message` for people, `hint`
 * says what to do.
 *
 * @example
 * ```ts
 * import { AgentError } from "@smolts/protocol";
 *
 * const error = new AgentError("invalid-option", 'maxSteps is "3"; expected a whole number >= 1', { hint: "write maxSteps: 3" });
 * console.log(AgentError.is(error), error.code); // true invalid-option
 * ```
 */
export class AgentError extends Error {
  override readonly name: string = "AgentError";
  readonly code: AgentErrorCode;
  readonly hint: string | undefined;
  readonly details: JsonValue | undefined;
  readonly originalName: string | undefined;
  /** The requests that a suspended run waits for. Undefined with every other code. */
  readonly pending: readonly ApprovalRequest[] | undefined;

  constructor(code: AgentErrorCode, message: string, options: AgentErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
    this.originalName = options.originalName;
    this.pending = options.pending;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Whether `value` is an AgentError, of this copy of the package or another. */
  static is(value: unknown): value is AgentError {
    return typeof value === "object" && value !== null && brand in value;
  }

  /** The error a {@link SerializedError} was made from, without its stack and cause. */
  static from(serialized: SerializedError): AgentError {
    return errorFrom(serialized);
  }

  /** The error as data; cause and stack stay behind, for they may hold secrets. */
  toJSON(): SerializedError {
    return {
      code: this.code,
      ...(this.originalName === undefined ? {} : { name: this.originalName }),
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}

// Outside of the class: one that names itself is given another name where packages are joined, and
// people would read "_AgentError".
const errorFrom = ({ code, message, hint, details, name }: SerializedError): AgentError =>
  new AgentError(code, message, { hint, details, originalName: name });
