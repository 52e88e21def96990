// Writes prompts, answers and tool values as span attributes. Content leaves the machine only if
// the program asks for it. Such content is shortened, and everything that looks like a secret is
// removed.

import type { Attributes } from "@opentelemetry/api";
import {
  type ChatMessage,
  type ContentPart,
  invalidOption,
  type JsonValue,
  type OptionTable,
  readOptions,
  redactData,
  redact as redactText,
} from "@smolts/protocol";

/** Settings for the content of spans: what is removed, and the maximum length. */
export interface ContentOptions {
  /**
   * Removes further secrets from each text. If the function throws or does not return a text, the
   * text is not exported.
   */
  readonly redact?: (text: string) => string;
  /** The maximum length of an attribute, in characters. Default: 20,000. */
  readonly maxLength?: number;
}

const contentOptions: OptionTable<ContentOptions> = { redact: "function", maxLength: "number" };

/**
 * Writes content as attributes. Each method returns nothing if the program did not ask for content.
 */
export interface ContentWriter {
  messages(attribute: string, messages: readonly ChatMessage[]): Attributes;
  value(attribute: string, value: JsonValue): Attributes;
  /**
   * Returns the message of an error, which may quote content. Returns undefined if the program did
   * not ask for content.
   */
  error(message: string): string | undefined;
}

const off: ContentWriter = { messages: () => ({}), value: () => ({}), error: () => undefined };

/** Returns the writer for the `content` setting. */
export function contentWriter(content: boolean | ContentOptions): ContentWriter {
  if (typeof content === "object") readOptions(content, "content", contentOptions);
  if (content === false) return off;
  const { redact = (text: string) => text, maxLength = 20_000 } = content === true ? {} : content;
  if (!(maxLength >= 1)) throw invalidOption(`content.maxLength is ${maxLength}; expected a number >= 1`);
  const clean = (text: string): string => redactedBy(redact, redactText(text));
  const cut = (text: string): string => (text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`);
  const json = (value: unknown): string => cut(JSON.stringify(redactData(value, clean)));
  return {
    messages: (attribute, messages) => ({ [attribute]: json(messages.map(toMessage)) }),
    value: (attribute, value) => ({ [attribute]: typeof value === "string" ? cut(clean(value)) : json(value) }),
    error: (message) => cut(clean(message)),
  };
}

/** Calls the user's `redact`. A text that it cannot redact is replaced by a note. */
function redactedBy(redact: (text: string) => string, text: string): string {
  try {
    const redacted: unknown = redact(text);
    if (typeof redacted === "string") return redacted;
  } catch {
    // If `redact` throws, the text is replaced by the same note.
  }
  return "[not redacted, so not shown]";
}

/** Returns a message in the form that OpenTelemetry's GenAI conventions define. */
const toMessage = ({ role, content }: ChatMessage): object => ({ role, parts: content.map(toPart) });

function toPart(part: ContentPart): object {
  switch (part.type) {
    case "text":
      return { type: "text", content: part.text };
    case "reasoning":
      return { type: "reasoning", content: part.text };
    case "tool-call":
      return { type: "tool_call", id: part.id, name: part.name, arguments: part.input };
    case "tool-result":
      return { type: "tool_call_response", id: part.id, response: part.output.map(toPart) };
    case "image":
    case "audio":
    case "file":
      // Images, audio and files are exported as an address or a digest, without their bytes.
      return "url" in part.source
        ? { type: "uri", modality: part.type, uri: part.source.url }
        : { type: "blob", modality: part.type, mime_type: part.source.mediaType, content: part.source.digest };
    default:
      return part satisfies never;
  }
}
