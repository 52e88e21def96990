// Converts messages to the prompt format of a specification.

import {
  type ChatMessage,
  type ContentPart,
  type MediaPart,
  type ReadBlob,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
  toBase64,
} from "@smolts/protocol";
import type { Specification } from "./ai-sdk-model.ts";
import { keptMetadata, metadataOfCalls } from "./kept-metadata.ts";

/** The context in which the parts of a prompt are created. */
interface Rendering {
  readonly specification: Specification;
  readonly readBlob: ReadBlob;
  /**
   * The name of the tool for each call id. A result must name its tool, but only the call contains
   * the name.
   */
  readonly toolNames: ReadonlyMap<string, string>;
}

/** Returns the messages of a conversation as a prompt. */
export async function toPrompt(
  messages: readonly ChatMessage[],
  specification: Specification,
  readBlob: ReadBlob,
): Promise<readonly object[]> {
  const calls = messages.flatMap(({ content }) => content.filter((part) => part.type === "tool-call"));
  const toolNames = new Map(calls.map(({ id, name }) => [id, name]));
  const prompt: object[] = [];
  for (const message of messages) prompt.push(...(await toMessages(message, { specification, readBlob, toolNames })));
  return prompt;
}

async function toMessages(message: ChatMessage, rendering: Rendering): Promise<readonly object[]> {
  const { role, content } = message;
  if (role === "system") return [{ role, content: textOf(content) }];
  if (role === "assistant") return [{ role, content: await assistantParts(content, rendering) }];
  const results = content.filter((part) => part.type === "tool-result");
  const spoken = await userParts(content, rendering);
  return [
    ...(results.length === 0 ? [] : [{ role: "tool", content: await toolResults(results, rendering) }]),
    ...(spoken.length === 0 ? [] : [{ role: "user", content: spoken }]),
  ];
}

async function userParts(content: readonly ContentPart[], rendering: Rendering): Promise<readonly object[]> {
  const parts: object[] = [];
  for (const part of content) {
    if (part.type === "text") parts.push({ type: "text", text: part.text });
    else if (isMedia(part)) parts.push(await filePart(part, rendering));
  }
  return parts;
}

async function assistantParts(content: readonly ContentPart[], rendering: Rendering): Promise<readonly object[]> {
  const callMetadata = metadataOfCalls(content);
  const parts: object[] = [];
  for (const part of content) {
    switch (part.type) {
      case "text":
        parts.push({ type: "text", text: part.text });
        break;
      case "reasoning": {
        // Reasoning without the provider's own signature is left out: some providers refuse it, and
        // none needs it.
        const providerOptions = keptMetadata(part);
        if (providerOptions) parts.push({ type: "reasoning", text: part.text, providerOptions });
        break;
      }
      case "tool-call":
        parts.push(toolCall(part, callMetadata.get(part.id)));
        break;
      case "image":
      case "audio":
      case "file":
        parts.push(await filePart(part, rendering));
        break;
      case "tool-result":
        break;
      default:
        part satisfies never;
    }
  }
  return parts;
}

function toolCall({ id, name, input, rawInput }: ToolCallPart, providerOptions: object | undefined): object {
  // If the input was not JSON, an empty object is sent. The result of the call already says that
  // the input was wrong.
  const known = rawInput === undefined ? input : {};
  return {
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input: known,
    ...(providerOptions && { providerOptions }),
  };
}

async function toolResults(results: readonly ToolResultPart[], rendering: Rendering): Promise<readonly object[]> {
  const parts: object[] = [];
  for (const { id, output, isError } of results) {
    const toolName = rendering.toolNames.get(id) ?? "unknown";
    parts.push({ type: "tool-result", toolCallId: id, toolName, output: await outputOf(output, isError, rendering) });
  }
  return parts;
}

async function outputOf(output: readonly ContentPart[], isError: boolean, rendering: Rendering): Promise<object> {
  if (isError || !output.some(isMedia)) return { type: isError ? "error-text" : "text", value: textOf(output) };
  const value: object[] = [];
  for (const part of output) {
    if (part.type === "text") value.push({ type: "text", text: part.text });
    else if (isMedia(part)) value.push(await outputFile(part, rendering));
  }
  return { type: "content", value };
}

async function filePart(part: MediaPart, rendering: Rendering): Promise<object> {
  const data = await dataOf(part, rendering.readBlob);
  const name = part.name === undefined ? {} : { filename: part.name };
  const tagged = data instanceof URL ? { type: "url", url: data } : { type: "data", data };
  return {
    type: "file",
    mediaType: mediaTypeOf(part),
    data: rendering.specification === "v4" ? tagged : data,
    ...name,
  };
}

async function outputFile(part: MediaPart, rendering: Rendering): Promise<object> {
  const mediaType = mediaTypeOf(part);
  const data = await dataOf(part, rendering.readBlob);
  if (data instanceof URL) return { type: "text", text: data.href };
  switch (rendering.specification) {
    case "v2":
      return { type: "media", mediaType, data: toBase64(data) };
    case "v3":
      return { type: part.type === "image" ? "image-data" : "file-data", mediaType, data: toBase64(data) };
    case "v4":
      return { type: "file", mediaType, data: { type: "data", data: toBase64(data) } };
    default:
      return rendering.specification satisfies never;
  }
}

const dataOf = async ({ source }: MediaPart, readBlob: ReadBlob): Promise<Uint8Array | URL> =>
  "url" in source ? new URL(source.url) : readBlob(source.digest);

const mediaTypeOf = ({ type, source }: MediaPart): string =>
  "url" in source ? (type === "file" ? "application/octet-stream" : `${type}/*`) : source.mediaType;

const isMedia = (part: ContentPart): part is MediaPart =>
  part.type === "image" || part.type === "audio" || part.type === "file";
