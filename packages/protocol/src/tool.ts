import type { ApprovalDecision, QuestionForm } from "./approval.ts";
import type { JsonValue } from "./json.ts";
import type { ChatMessage, ReadBlob } from "./message.ts";
import type { FinishReason, ModelRequest, TokenUsage, ToolDeclaration } from "./model.ts";

/**
 * The effects of a call, and so whether a resumed run may repeat it: `none` (reads only) is
 * repeated freely, `idempotent` is repeated with the same key, `once` is never repeated without
 * approval.
 */
export type ToolEffects = "none" | "idempotent" | "once";

/** Where a tool is found again. */
export interface ToolReference {
  /** A package's name, with its subpath, or the URL of a file. */
  readonly module: string;
  readonly export: string;
  /** When present, the export is a function that makes the tool from these options. */
  readonly options?: { readonly [name: string]: JsonValue };
}

/** A tool's question to the person who approves calls. */
export interface ToolQuestion {
  /** Who asks, and for what, as people see it. */
  readonly name: string;
  /** The values that people see and may edit: plain values of the codec. */
  readonly input: unknown;
  /** The form, when the tool asks for values. Whoever cannot show forms shows `input`. */
  readonly form?: QuestionForm;
}

/** The answer of the agent's model to a tool. */
export interface ToolGeneration {
  /** The model's id. */
  readonly model: string;
  readonly message: ChatMessage;
  readonly usage: TokenUsage | null;
  readonly finishReason: FinishReason;
}

/**
 * The surroundings of a call. It holds no mutable state: a call that the log answers does not run.
 */
export interface ToolContext {
  readonly signal: AbortSignal;
  readonly runId: string;
  /** The agents from the outermost to the caller. */
  readonly path: readonly string[];
  /** Unique in the run: path, step and number of the call. */
  readonly callId: string;
  /** The same whenever this very call is tried again, and never the same for another. */
  readonly idempotencyKey: string;
  /** 1-based. */
  readonly attempt: number;
  /** Tells readers of the run how far the call has come. */
  emit(progress: JsonValue): void;
  /** The caller's own, as given to the agent or the run. */
  readonly metadata: unknown;
  /** Reads the bytes of an image, a sound or a file that the tool was given. */
  readonly readBlob: ReadBlob;
  /**
   * Asks the person who approves calls, by the same handler, and records the question and the
   * answer. Without a handler the answer is "deny". Absent outside of runs.
   */
  ask?(question: ToolQuestion): Promise<ApprovalDecision>;
  /**
   * Asks the agent's model. Its tokens count as the run's. Absent outside of runs.
   *
   * @throws AgentError `budget` when the run has used up its tokens, money or time
   */
  generate?(request: ModelRequest): Promise<ToolGeneration>;
}

/**
 * Something an agent can call.
 *
 * Contract:
 * - `parseInput` validates and converts what the model sent, and throws an `AgentError` with code
 *   `tool-input` that names argument, value and expectation.
 * - `execute` gets the result of `parseInput`. It returns plain values of the codec (or their
 *   promise); what it throws is shown to the model by name and message.
 * - Calls may overlap. When `context.signal` aborts, `execute` should stop; its result is then
 *   ignored.
 */
export interface Tool<Input = unknown, Output = unknown> extends ToolDeclaration {
  /** A JavaScript identifier, unique in its agent. */
  readonly name: string;
  readonly effects: ToolEffects;
  /** Inputs to show the model. */
  readonly examples?: readonly JsonValue[];
  /** How long a call may take; 0 or Infinity for ever. The agent's default holds when absent. */
  readonly timeoutMs?: number;
  /** The names of the arguments of a positional call in code, in order. */
  readonly positional?: readonly string[];
  /** Where a saved agent finds the tool again. */
  readonly reference?: ToolReference;
  parseInput(input: unknown): Input | Promise<Input>;
  // Methods, not properties of function type: so a typed tool fits `readonly Tool[]`.
  needsApproval?(input: Input, context: ToolContext): boolean | "each" | Promise<boolean | "each">;
  execute(input: Input, context: ToolContext): Output | Promise<Output>;
}
