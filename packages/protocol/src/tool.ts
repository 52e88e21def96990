import type { ApprovalDecision, QuestionForm } from "./approval.ts";
import type { JsonValue } from "./json.ts";
import type { ChatMessage, ReadBlob } from "./message.ts";
import type { FinishReason, ModelRequest, TokenUsage, ToolDeclaration } from "./model.ts";

/**
 * The effects of a call. They decide whether a resumed run may repeat the call: `none` (only reads)
 * is repeated freely, `idempotent` is repeated with the same idempotency key, `once` is never
 * repeated without approval.
 */
export type ToolEffects = "none" | "idempotent" | "once";

/** Says where a tool can be imported from. */
export interface ToolReference {
  /** The name of a package, with a subpath if needed, or the URL of a file. */
  readonly module: string;
  readonly export: string;
  /** When present, the export is a function that creates the tool from these options. */
  readonly options?: { readonly [name: string]: JsonValue };
}

/** A tool's question to the person who approves calls. */
export interface ToolQuestion {
  /** A title for people: who asks, and for what. */
  readonly name: string;
  /**
   * The values that people see and may edit. They must be values that `encodeValue` accepts.
   */
  readonly input: unknown;
  /**
   * The form, when the tool asks for values. A client that cannot show forms shows `input` instead.
   */
  readonly form?: QuestionForm;
}

/** The answer of the agent's model to a request that a tool made. */
export interface ToolGeneration {
  /** The model's id. */
  readonly model: string;
  readonly message: ChatMessage;
  readonly usage: TokenUsage | null;
  readonly finishReason: FinishReason;
}

/**
 * The context that a tool gets for a call. It has no mutable state: a resumed run does not repeat a
 * call whose outcome is in the log, so the call's changes would be lost.
 */
export interface ToolContext {
  /**
   * Aborts at the time limit of the call and with the run. Pass it on to everything that the call
   * waits for.
   */
  readonly signal: AbortSignal;
  /** The id of the run that makes the call. */
  readonly runId: string;
  /**
   * The names of the agents from the one that the user started to the one that makes the call. Each
   * was called by the one before it.
   */
  readonly path: readonly string[];
  /**
   * The id of the call, unique in the run. It consists of the agent's path, the step and the number
   * of the call.
   */
  readonly callId: string;
  /**
   * A key that stays the same when this call is tried again, and differs from that of every other
   * call.
   */
  readonly idempotencyKey: string;
  /** 1-based. */
  readonly attempt: number;
  /** Reports the progress of the call to readers of the run. */
  emit(progress: JsonValue): void;
  /** The value of `metadata` that the user passed to the agent or the run. */
  readonly metadata: unknown;
  /** Reads the bytes of an image, a sound or a file that was passed to the tool. */
  readonly readBlob: ReadBlob;
  /**
   * Asks the person who approves calls, through the same handler as for approvals, and records the
   * question and the answer. Without a handler the answer is a denial. Absent outside of runs.
   */
  ask?(question: ToolQuestion): Promise<ApprovalDecision>;
  /**
   * Sends a request to the agent's model. Its tokens count towards the run's budget. Absent outside
   * of runs.
   * @throws AgentError `budget` when the run has exhausted its tokens, money or time
   */
  generate?(request: ModelRequest): Promise<ToolGeneration>;
}

/**
 * A function that an agent can call.
 *
 * Contract:
 * - `parseInput` validates and converts what the model sent, and throws an `AgentError` with code
 *   `tool-input` that names the argument, its value and what was expected.
 * - `execute` gets the result of `parseInput`. It returns a value that `encodeValue` accepts,
 *   or a promise of one. The model is shown the name and the message of an error that it throws.
 * - Calls may overlap. When `context.signal` aborts, `execute` should stop; its result is ignored
 *   from then on.
 */
export interface Tool<Input = unknown, Output = unknown> extends ToolDeclaration {
  /** A JavaScript identifier, unique in its agent. */
  readonly name: string;
  /** The effects of a call: they decide whether a resumed run may repeat it. */
  readonly effects: ToolEffects;
  /** Example inputs that the model is shown. */
  readonly examples?: readonly JsonValue[];
  /**
   * The longest time for a call, in ms; 0 or `Infinity` means no limit. Default: the agent's
   * setting.
   */
  readonly timeoutMs?: number;
  /** The names of the arguments, in order, for code that passes them by position. */
  readonly positional?: readonly string[];
  /** Says where a saved agent imports the tool from. */
  readonly reference?: ToolReference;
  /** Validates and converts the input that the model sent. */
  parseInput(input: unknown): Input | Promise<Input>;
  // A tool's functions are methods and not function properties, because TypeScript checks the
  // parameters of methods bivariantly. So a tool with a specific input type fits `readonly Tool[]`.
  /** Says whether a person must approve the call before it runs. */
  needsApproval?(input: Input, context: ToolContext): boolean | "each" | Promise<boolean | "each">;
  /** Makes the call, and returns its result. */
  execute(input: Input, context: ToolContext): Output | Promise<Output>;
}

/** Says whether a value has the shape of a tool, such as the result of `tool({ ... })`. */
export function isTool(value: unknown): value is Tool {
  if (typeof value !== "object" || value === null) return false;
  // The cast is safe: the code below checks the fields.
  const fields = value as Partial<Record<keyof Tool, unknown>>;
  const isCallable = typeof fields.parseInput === "function" && typeof fields.execute === "function";
  // `name` is read last, because models throw an error when it is read.
  return isCallable && typeof fields.name === "string";
}
