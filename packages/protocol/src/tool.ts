import type { JsonValue } from "./json.ts";
import type { ReadBlob } from "./message.ts";
import type { ToolDeclaration } from "./model.ts";

/**
 * What a call does to the world, and so what a resumed run may repeat: `none` (reads only) is repeated freely, `idempotent` is repeated with the same
 * key, `once` is never repeated without a person's word.
 */
export type ToolEffects = "none" | "idempotent" | "once";

/** Where a tool is found again. */
export interface ToolReference {
  /** A package's name, with its subpath, or the URL of a file. */
  readonly module: string;
  readonly export: string;
  /** When present, the export is no tool but a function that makes it of these. */
  readonly options?: { readonly [name: string]: JsonValue };
}

/** Where a call stands. It holds no mutable state: a call served from the log does not run. */
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
}

/**
 * Something an agent can call.
 *
 * Contract:
 * - `parseInput` validates and converts what the model sent, and throws an `AgentError` with code `tool-input` that names argument, value and expectation.
 * - `execute` gets what `parseInput` gave. It returns plain values of the codec (or their promise); what it throws is shown to the model by name and message.
 * - Calls may overlap. When `context.signal` aborts, `execute` should stop; its result is then ignored.
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
