// Converts messages to items of the Responses API. The items of each message are created once and
// kept, so that all requests of a conversation begin with the same bytes.

import {
  type ChatMessage,
  type ContentPart,
  invalidOption,
  type MediaPart,
  type ReadBlob,
  type ToolCallPart,
  type ToolResultPart,
  toBase64,
} from "@smolts/protocol";
import type { OpenAIOptions } from "./openai-options.ts";
import { keptItem } from "./reasoning-item.ts";

/** Converts messages. It converts each message only once, and reuses the result. */
export interface InputWriter {
  /** @throws AgentError `invalid-option` for a part that the API does not support */
  write(messages: readonly ChatMessage[], readBlob: ReadBlob): Promise<readonly object[]>;
}

/**
 * Creates an {@link InputWriter}. `roles` renames roles. With `asText`, each image or file is
 * replaced by a note in text.
 */
export function createInputWriter(roles: OpenAIOptions["roles"] = {}, asText = false): InputWriter {
  const kept = new WeakMap<ChatMessage, readonly object[]>();
  return {
    async write(messages, readBlob) {
      const items: object[] = [];
      for (const message of messages) {
        const rendered =
          kept.get(message) ?? (await renderMessage(asText ? withoutMedia(message) : message, roles, readBlob));
        kept.set(message, rendered);
        items.push(...rendered);
      }
      return items;
    },
  };
}

/** Replaces media by notes, so that the model does not guess at content that it cannot see. */
function withoutMedia({ role, content }: ChatMessage): ChatMessage {
  const noted = (parts: readonly ContentPart[]): readonly ContentPart[] =>
    parts.map((part) => {
      if (isMedia(part)) return { type: "text", text: `[${part.type} not shown: this model takes no such input]` };
      return part.type === "tool-result" ? { ...part, output: noted(part.output) } : part;
    });
  return { role, content: noted(content) };
}

async function renderMessage(
  { role, content }: ChatMessage,
  roles: NonNullable<OpenAIOptions["roles"]>,
  readBlob: ReadBlob,
): Promise<readonly object[]> {
  const speaker = role === "tool" ? "user" : role;
  const items: object[] = [];
  let spoken: ContentPart[] = [];
  const speak = async (): Promise<void> => {
    if (spoken.length === 0) return;
    const wireContent = speaker === "user" ? await mixedContent(spoken, readBlob) : plainText(spoken);
    if (wireContent.length > 0) items.push({ role: roles[speaker] ?? speaker, content: wireContent });
    spoken = [];
  };
  for (const part of content) {
    if (part.type === "text" || isMedia(part)) {
      spoken.push(part);
      continue;
    }
    await speak();
    items.push(...(await renderItem(part, readBlob)));
  }
  await speak();
  return items;
}

async function renderItem(
  part: Exclude<ContentPart, MediaPart | { type: "text" }>,
  readBlob: ReadBlob,
): Promise<readonly object[]> {
  switch (part.type) {
    case "reasoning": {
      // `item` is null for reasoning of another provider. Such reasoning is left out.
      const item = keptItem(part);
      return item === null ? [] : [item];
    }
    case "tool-call":
      return [functionCall(part)];
    case "tool-result":
      return [await functionOutput(part, readBlob)];
    default:
      return part satisfies never;
  }
}

function functionCall({ id, name, input, rawInput }: ToolCallPart): object {
  return { type: "function_call", call_id: id, name, arguments: rawInput ?? JSON.stringify(input) };
}

async function functionOutput({ id, output, isError }: ToolResultPart, readBlob: ReadBlob): Promise<object> {
  if (output.some(isMedia)) {
    return { type: "function_call_output", call_id: id, output: await mixedContent(output, readBlob) };
  }
  const text = plainText(output);
  // The API has no field for errors, so the text itself says that the result is an error.
  return {
    type: "function_call_output",
    call_id: id,
    output: isError && !/^error/i.test(text) ? `Error: ${text}` : text,
  };
}

/** Returns the content as plain text if possible, otherwise as a list of parts. */
async function mixedContent(parts: readonly ContentPart[], readBlob: ReadBlob): Promise<string | readonly object[]> {
  if (!parts.some(isMedia)) return plainText(parts);
  const items: object[] = [];
  for (const part of parts) {
    if (part.type === "text") items.push({ type: "input_text", text: part.text });
    else if (isMedia(part)) items.push(await mediaItem(part, readBlob));
  }
  return items;
}

async function mediaItem({ type, source, name }: MediaPart, readBlob: ReadBlob): Promise<object> {
  if (type === "audio") {
    throw invalidOption("the Responses API does not accept audio", 'make the model with { api: "chat" }');
  }
  const url =
    "url" in source ? source.url : `data:${source.mediaType};base64,${toBase64(await readBlob(source.digest))}`;
  if (type === "image") return { type: "input_image", image_url: url, detail: "auto" };
  return "url" in source
    ? { type: "input_file", file_url: url }
    : { type: "input_file", filename: name ?? "file", file_data: url };
}

const plainText = (parts: readonly ContentPart[]): string =>
  parts.map((part) => (part.type === "text" ? part.text : isMedia(part) ? `[${part.type}]` : "")).join("");

const isMedia = (part: ContentPart): part is MediaPart =>
  part.type === "image" || part.type === "audio" || part.type === "file";
