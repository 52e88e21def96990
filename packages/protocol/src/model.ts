import type { SerializedError } from "./error.ts";
import type { JsonSchema, JsonValue } from "./json.ts";
import type { ChatMessage, MediaPart, ReadBlob, ReasoningPart } from "./message.ts";

/** Tokens and, where known, what they cost. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  /** Part of `inputTokens` that came from the provider's cache. */
  readonly cachedInputTokens?: number;
  /** Part of `outputTokens` that was spent on reasoning. */
  readonly reasoningTokens?: number;
  readonly costUsd?: number;
}

/** A tool, as the model sees it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** The schema of the tool's only argument, an object. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** A request to a model. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDeclaration[];
  readonly toolChoice?: "auto" | "none" | "required" | { readonly name: string };
  /** Texts at which the model is to end; the text itself is left out. */
  readonly stop?: readonly string[];
  readonly responseFormat?: { readonly name: string; readonly schema: JsonSchema };
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/** Why a model ended. */
export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "other";

/**
 * A piece of a model's answer, in the order in which the pieces arrive.
 *
 * A `tool-call-delta` belongs to the call with its `index`, whose `id` and `name` come with its
 * first delta; `inputText` pieces join to JSON. A `part` is whole: an image, or reasoning with the
 * provider's signature. `retry` and `learned` come only before all other events. `retry`: the
 * attempt of that number (1-based) failed, and the adapter waits `delayMs` and asks again.
 * `learned`: the server refused something that the request can do without; the adapter asks again
 * without it, now and in later requests. `end` is the last event.
 */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | {
      readonly type: "tool-call-delta";
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly inputText: string;
    }
  | { readonly type: "part"; readonly part: MediaPart | ReasoningPart }
  | { readonly type: "usage"; readonly usage: TokenUsage }
  | { readonly type: "retry"; readonly attempt: number; readonly delayMs: number; readonly error: SerializedError }
  /**
   * `refused`: the field of the request, such as `stop`, or the value used instead, such as
   * `tool_choice: auto`.
   */
  | { readonly type: "learned"; readonly refused: string; readonly error: SerializedError }
  | { readonly type: "end"; readonly finishReason: FinishReason; readonly details?: JsonValue };

/** The capabilities of a model. Absent ones are tried, and learned from the provider's refusal. */
export interface ModelCapabilities {
  /** Native tool calls. */
  readonly tools: boolean;
  /** Stop sequences. */
  readonly stop: boolean;
  /** A response format given as a JSON Schema. */
  readonly structuredOutput: boolean;
  readonly vision: boolean;
  readonly audio: boolean;
}

/** A model by its name. */
export interface ModelReference {
  /** `preset:model-id`, such as `hf:Qwen/Qwen3-8B`. */
  readonly name: string;
  /** The model's options that are plain data and not secret. */
  readonly options?: { readonly [name: string]: JsonValue };
}

/** The signal of a request, and access to its media. */
export interface ModelStreamOptions {
  /** Aborts when the answer is no longer wanted; the stream then ends with the signal's reason. */
  readonly signal: AbortSignal;
  /** Reads the bytes of a message's images, sounds and files. */
  readonly readBlob: ReadBlob;
}

/**
 * Answers messages.
 *
 * Contract:
 * - `stream` may be called any number of times, also at once; nothing is sent before the first
 *   `next()`.
 * - It yields {@link ModelEvent}s in the order in which they come, `end` last. An answer that
 *   breaks off throws; it never just ends.
 * - It throws an `AgentError` with code `generation` (or `context-overflow`, `invalid-option`) that
 *   names the model, the URL and what to do, and no secret.
 * - When `signal` aborts it stops soon and throws the signal's reason.
 * - Messages are the same objects from step to step: an adapter may keep what it made of each in a
 *   WeakMap.
 */
export interface Model {
  /** `provider/model`, for logs and traces. */
  readonly id: string;
  readonly capabilities?: Partial<ModelCapabilities>;
  /** How many tokens a request and its answer may have together, where that is known. */
  readonly contextTokens?: number;
  /** How a saved agent finds the model again; absent when no name leads to it. */
  readonly reference?: ModelReference;
  stream(request: ModelRequest, options: ModelStreamOptions): AsyncIterable<ModelEvent>;
}
