import type { ApprovalRequest } from "./approval.ts";
import type { JsonValue } from "./json.ts";

/**
 * The kind of a failure, for programs. The set is closed.
 *
 * The following errors do not end the run. The model is shown them as observations: `parsing` (no
 * code or tool call in the model's text), `code-execution` (its program failed or was stopped),
 * `tool-input`, `tool-execution`, `unknown-tool`, `final-answer-check`, `import-refused`, `denied`.
 * All other errors end the run and keep its log.
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
  /** The model could not be reached, it refused the request, or its answer broke off. */
  | "generation"
  /** The prompt does not fit the model's context. */
  | "context-overflow"
  /** The sandbox itself failed, not the code in it. */
  | "executor"
  /** The run log could not be written or read. */
  | "log"
  /** The run log is damaged: bytes of it changed, or a part in the middle is missing. */
  | "log-corrupt"
  /** The run log ends before the last event that was confirmed as written, so its end was lost. */
  | "log-truncated"
  /**
   * A newer version wrote the run log, and it contains something that this version does not know.
   */
  | "log-version"
  /** Another process holds the lease of the run log, or has taken it over. */
  | "lease"
  /** The run was resumed three times without making progress. */
  | "crash-loop"
  /** An option is wrong; the message says what to change. */
  | "invalid-option"
  /** A value cannot be encoded, or bytes are not an encoded value. */
  | "invalid-value"
  /** The run was aborted. */
  | "interrupted"
  /** A replay did something that differs from the recorded run. */
  | "divergence"
  /** A fork would repeat calls that had an effect. `details` lists these calls. */
  | "effects-repeat"
  /** A call began before an interruption, and its outcome is unknown. */
  | "in-doubt"
  /** The run waits for people's decisions. `pending` lists the requests. */
  | "suspended"
  /** A decision answers a request that is no longer open. */
  | "stale-decision"
  /** The session is already running something else. */
  | "busy"
  /** A limit of the run's budget was reached. */
  | "budget"
  /** A callback that the user passed in has failed. */
  | "callback"
  /** The answer does not fit the requested schema. */
  | "output-invalid";

/** An error as plain data, as it appears in logs, in steps and inside the sandbox. */
export interface SerializedError {
  readonly code: AgentErrorCode;
  /**
   * The class of the original error in the sandboxed program or in the tool, such as `TypeError`.
   */
  readonly name?: string;
  readonly message: string;
  /** How to fix the problem. */
  readonly hint?: string;
  /** More about the failure, for programs. */
  readonly details?: JsonValue;
}

/** Optional fields of an {@link AgentError}. */
export interface AgentErrorOptions {
  /** The error that caused this one. */
  readonly cause?: unknown;
  /** An imperative that says what to write instead. */
  readonly hint?: string | undefined;
  /** More about the failure, for programs. */
  readonly details?: JsonValue | undefined;
  /** The class of the original error, such as `TypeError`; see {@link SerializedError}. */
  readonly originalName?: string | undefined;
  /** The requests that a suspended run waits for. */
  readonly pending?: readonly ApprovalRequest[] | undefined;
}

// This brand is checked instead of `instanceof`, because two copies of this package may be loaded
// in one process.
const brand: unique symbol = Symbol.for("@smolts/AgentError") as never;

/**
 * Any failure that the framework reports. `code` is for programs, `message` is for people, and
 * `hint` says what to do.
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
  /** The kind of the failure, for programs. */
  readonly code: AgentErrorCode;
  // `declare` creates no fields, and the constructor sets only the fields that have a value.
  // Otherwise every printed error would show all these fields as `undefined`.
  /** What to do about the failure, for people. */
  declare readonly hint: string | undefined;
  /** Facts about the failure, for programs. */
  declare readonly details: JsonValue | undefined;
  /** The class of the original error, such as `TypeError`. */
  declare readonly originalName: string | undefined;
  /** The requests that a suspended run waits for. Undefined unless the code is `suspended`. */
  declare readonly pending: readonly ApprovalRequest[] | undefined;

  constructor(code: AgentErrorCode, message: string, options: AgentErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    const { hint, details, originalName, pending } = options;
    if (hint !== undefined) this.hint = hint;
    if (details !== undefined) this.details = details;
    if (originalName !== undefined) this.originalName = originalName;
    if (pending !== undefined) this.pending = pending;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Says whether `value` is an AgentError, of this copy of the package or of another copy. */
  static is(value: unknown): value is AgentError {
    try {
      return typeof value === "object" && value !== null && brand in value;
    } catch {
      // Reading a proxy may throw. A proxy that throws is not an AgentError.
      return false;
    }
  }

  /** Returns the error that a {@link SerializedError} describes, without its stack and cause. */
  static from(serialized: SerializedError): AgentError {
    return errorFrom(serialized);
  }

  /**
   * Returns the error as plain data. The cause and the stack are left out because they may contain
   * secrets.
   */
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

// This function is outside the class because the bundler renames a class that mentions its own
// name. Users would then see "_AgentError".
const errorFrom = ({ code, message, hint, details, name }: SerializedError): AgentError =>
  new AgentError(code, message, { hint, details, originalName: name });
