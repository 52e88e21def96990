import type { JsonValue } from "./json.ts";

/** Bytes, named by their digest; the run log holds them once. */
export interface BlobRef {
  /** `sha256-` and the hash in base64url. */
  readonly digest: string;
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
}

/** Reads the bytes that a {@link BlobRef} names. */
export type ReadBlob = (digest: string) => Promise<Uint8Array>;

/** Text. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** An image, a sound or another file: bytes in the run log, or a URL that is passed through. */
export interface MediaPart {
  readonly type: "image" | "audio" | "file";
  readonly source: BlobRef | { readonly url: string };
  readonly name?: string;
}

/** The model's reasoning before its answer. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  /** A signature or encrypted block that goes back to the same provider unchanged. */
  readonly providerData?: JsonValue;
}

/** The model asks for a tool. */
export interface ToolCallPart {
  readonly type: "tool-call";
  /** The provider's id, which the matching {@link ToolResultPart} repeats. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  /** The text that the model wrote, when it is not valid JSON; `input` is then null. */
  readonly rawInput?: string;
}

/** The result of a tool call. */
export interface ToolResultPart {
  readonly type: "tool-result";
  readonly id: string;
  readonly output: readonly ContentPart[];
  readonly isError: boolean;
}

/** A piece of a message. Tool calls and results travel as parts with ids, never as text. */
export type ContentPart = TextPart | MediaPart | ReasoningPart | ToolCallPart | ToolResultPart;

/** Who speaks. */
export type MessageRole = "system" | "user" | "assistant" | "tool";

/** One message of a conversation with a model. */
export interface ChatMessage {
  readonly role: MessageRole;
  readonly content: readonly ContentPart[];
}

/**
 * The text of a message or of parts: the text parts, joined.
 *
 * @example
 * ```ts
 * import { textOf } from "@smolts/protocol";
 *
 * console.log(textOf([{ type: "text", text: "4" }, { type: "text", text: "2" }])); // 42
 * ```
 */
export function textOf(content: ChatMessage | readonly ContentPart[]): string {
  const parts = "role" in content ? content.content : content;
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
