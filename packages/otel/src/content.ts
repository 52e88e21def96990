// Prompts, answers and tool values as attributes. They leave the machine only if the program asks
// for it, cut, and without anything that looks like a secret.

import type { Attributes } from "@opentelemetry/api";
import {
  AgentError,
  type ChatMessage,
  type ContentPart,
  type JsonValue,
  type OptionTable,
  readOptions,
  redactData,
  redact as redactText,
} from "@smolts/protocol";

/** How content is written. */
export interface ContentOptions {
  /**
   * Takes further secrets out of each text. Where it throws, or returns no text, the text is not
   * shown.
   */
  readonly redact?: (text: string) => string;
  /** In characters of one attribute; 20,000 when absent. */
  readonly maxLength?: number;
}

const contentOptions: OptionTable<ContentOptions> = { redact: true, maxLength: true };

/** Writes content; every method returns nothing where content is off. */
export interface ContentWriter {
  messages(attribute: string, messages: readonly ChatMessage[]): Attributes;
  value(attribute: string, value: JsonValue): Attributes;
  /** The message of an error, which may quote content; undefined where content is off. */
  error(message: string): string | undefined;
}

const off: ContentWriter = { messages: () => ({}), value: () => ({}), error: () => undefined };

/** Makes the writer of a setting. */
export function contentWriter(content: boolean | ContentOptions): ContentWriter {
  if (typeof content === "object") readOptions(content, "content", contentOptions);
  if (content === false) return off;
  const { redact = (text: string) => text, maxLength = 20_000 } = content === true ? {} : content;
  if (!(maxLength >= 1)) throw new AgentError("invalid-option", "content.maxLength must be a number from 1 on");
  const clean = (text: string): string => redactedBy(redact, redactText(text));
  const cut = (text: string): string => (text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`);
  const json = (value: unknown): string => cut(JSON.stringify(redactData(value, clean)));
  return {
    messages: (attribute, messages) => ({ [attribute]: json(messages.map(toMessage)) }),
    value: (attribute, value) => ({ [attribute]: typeof value === "string" ? cut(clean(value)) : json(value) }),
    error: (message) => cut(clean(message)),
  };
}

/** What could not be redacted is not shown. */
function redactedBy(redact: (text: string) => string, text: string): string {
  try {
    const redacted: unknown = redact(text);
    if (typeof redacted === "string") return redacted;
  } catch {
    // As for a function that returns no text.
  }
  return "[not redacted, so not shown]";
}

/** A message in the form of the conventions. */
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
      // Bytes stay in the log.
      return "url" in part.source
        ? { type: "uri", modality: part.type, uri: part.source.url }
        : { type: "blob", modality: part.type, mime_type: part.source.mediaType, content: part.source.digest };
    default:
      return part satisfies never;
  }
}
