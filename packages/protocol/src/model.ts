import type { SerializedError } from "./error.ts";
import type { JsonSchema, JsonValue } from "./json.ts";
import type { ChatMessage, MediaPart, ReadBlob, ReasoningPart } from "./message.ts";

/** The number of tokens and, if it is known, their cost. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  /** How many of `inputTokens` the provider read from its cache. */
  readonly cachedInputTokens?: number;
  /** How many of `outputTokens` were spent on reasoning. */
  readonly reasoningTokens?: number;
  /** The cost in US dollars. Absent if it is not known. */
  readonly costUsd?: number;
}

/** A tool, as the model sees it. */
export interface ToolDeclaration {
  /** The name by which the model calls the tool. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** The schema of the tool's only argument, an object. */
  readonly inputSchema: JsonSchema;
  /** The schema of the result, which the model sees. */
  readonly outputSchema?: JsonSchema;
}

/** A request to a model. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDeclaration[];
  readonly toolChoice?: "auto" | "none" | "required" | { readonly name: string };
  /** Stop sequences: texts at which the model must stop. The answer does not contain them. */
  readonly stop?: readonly string[];
  readonly responseFormat?: { readonly name: string; readonly schema: JsonSchema };
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/** Why a model's answer ended. */
export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "other";

/**
 * A piece of a model's answer, in the order in which the pieces arrive.
 *
 * A `tool-call-delta` belongs to the call with the same `index`. The first delta of a call has its
 * `id` and `name`. The `inputText` pieces, joined, are the JSON of the arguments. A `part` is
 * complete: an image, or reasoning with the provider's signature. `retry` and `learned` come only
 * before all other events. `retry`: the attempt of that number (1-based) failed, and the adapter
 * waits `delayMs` and asks again. `learned`: the server refused an optional part of the request.
 * The adapter sends this request again without that part, and leaves it out of later requests.
 * `end` is the last event.
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
   * `refused` is the field of the request that the server refused, such as `stop`. If the adapter
   * sends another value instead, `refused` is that value, such as `tool_choice: auto`.
   */
  | { readonly type: "learned"; readonly refused: string; readonly error: SerializedError }
  | { readonly type: "end"; readonly finishReason: FinishReason; readonly details?: JsonValue };

/**
 * The capabilities of a model. If a capability is absent, the adapter tries to use it and learns
 * from the provider's refusal.
 */
export interface ModelCapabilities {
  /** Whether the model supports native tool calls. */
  readonly tools: boolean;
  /** Whether the model supports stop sequences. */
  readonly stop: boolean;
  /** Whether the model can follow a JSON Schema for its response. */
  readonly structuredOutput: boolean;
  readonly vision: boolean;
  readonly audio: boolean;
}

/** A model that is identified by its name. */
export interface ModelReference {
  /** `preset:model-id`, such as `hf:Qwen/Qwen3-8B`. */
  readonly name: string;
  /** The model's options, as far as they are plain data and not secret. */
  readonly options?: { readonly [name: string]: JsonValue };
}

/** Options of a request: its abort signal, and access to its media. */
export interface ModelStreamOptions {
  /** Aborts when the answer is no longer wanted; the stream then ends with the signal's reason. */
  readonly signal: AbortSignal;
  /** Reads the bytes of a message's images, sounds and files. */
  readonly readBlob: ReadBlob;
}

/**
 * A language model that answers messages.
 *
 * Contract:
 * - `stream` may be called any number of times, and calls may overlap. Nothing is sent before the
 *   first `next()`.
 * - It yields {@link ModelEvent}s in the order in which they arrive, `end` last. If an answer
 *   breaks off, the stream throws; it never ends silently.
 * - It throws an `AgentError` with code `generation` (or `context-overflow`, `invalid-option`) that
 *   names the model, the URL and what to do. The message contains no secret.
 * - When `signal` aborts, the stream stops soon and throws the signal's reason.
 * - Messages are the same objects in each step. So an adapter may convert each message once, and
 *   cache the result in a WeakMap.
 */
export interface Model {
  /** `provider/model`, for logs and traces. */
  readonly id: string;
  readonly capabilities?: Partial<ModelCapabilities>;
  /** The maximum number of tokens in a request and its answer together, if it is known. */
  readonly contextTokens?: number;
  /**
   * The name that a saved agent uses to create this model again; absent when the model cannot be
   * created from a name.
   */
  readonly reference?: ModelReference;
  stream(request: ModelRequest, options: ModelStreamOptions): AsyncIterable<ModelEvent>;
}
