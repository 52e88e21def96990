import type { JsonValue } from "./json.ts";

/** A reference to bytes by their digest. The run log stores the bytes once. */
export interface BlobRef {
  /** `sha256-` followed by the hash in base64url. */
  readonly digest: string;
  /** The media type, such as `image/png`. */
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

/**
 * An image, a sound or another file. The content is stored in the run log, or it is a URL that is
 * passed on to the provider.
 */
export interface MediaPart {
  readonly type: "image" | "audio" | "file";
  readonly source: BlobRef | { readonly url: string };
  readonly name?: string;
}

/** The reasoning that the model wrote before its answer. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  /** A signature or an encrypted block that must be sent back to the same provider unchanged. */
  readonly providerData?: JsonValue;
}

/** The model's request to call a tool. */
export interface ToolCallPart {
  readonly type: "tool-call";
  /** The provider's id, which the matching {@link ToolResultPart} repeats. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  /** The arguments as the model wrote them, if they are not valid JSON. `input` is then null. */
  readonly rawInput?: string;
}

/** The result of a tool call. */
export interface ToolResultPart {
  readonly type: "tool-result";
  readonly id: string;
  readonly output: readonly ContentPart[];
  readonly isError: boolean;
}

/**
 * A piece of a message. Tool calls and their results are parts that refer to each other by id; they
 * are never written into the text.
 */
export type ContentPart = TextPart | MediaPart | ReasoningPart | ToolCallPart | ToolResultPart;

/** Who speaks. */
export type MessageRole = "system" | "user" | "assistant" | "tool";

/** One message of a conversation with a model. */
export interface ChatMessage {
  readonly role: MessageRole;
  readonly content: readonly ContentPart[];
}

/**
 * Returns the text of a message or of a list of parts: its text parts, joined.
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
