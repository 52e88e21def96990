// Converts a server's answer to a value for code: the structured content if there is any, and
// otherwise the texts, media and links.

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { AgentError, fromBase64, visible } from "@smolts/protocol";
import { cleanText } from "./foreign-schema.ts";
import type { Redact } from "./secrets-of.ts";

/** An image, a sound or a file with its bytes. A run stores the bytes with its log. */
export interface ForeignMedia {
  readonly type: "image" | "audio" | "file";
  readonly source: { readonly mediaType: string; readonly bytes: Uint8Array };
  readonly name?: string;
}

const maxErrorLength = 10_000;

/**
 * Returns the value of a call.
 *
 * @param redact - removes the secrets of the server's configuration from an error
 * @throws AgentError `tool-execution` with the server's own text if the server reports that the
 *   call failed
 */
export function callResult(result: CallToolResult, tool: string, redact: Redact): unknown {
  const { content = [], structuredContent, isError } = result;
  if (isError === true) throw failure(result, tool, redact);
  const parts = content.map(partOf);
  const media = parts.filter((part) => typeof part !== "string");
  if (structuredContent !== undefined) {
    const value = plainData(structuredContent, tool);
    const images = media.filter(isMedia);
    return images.length === 0 ? value : [value, ...images];
  }
  if (media.length === 0) return parts.join("\n");
  return parts.length === 1 ? parts[0] : parts;
}

/**
 * Returns one part of an answer: a text as a string, bytes as media, and a link as data. Links are
 * not followed.
 */
export function partOf(block: ContentBlock): unknown {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return mediaOf(block.type, block.data, block.mimeType);
    case "resource":
      return resourcePart(block.resource);
    case "resource_link":
      return present({
        type: "resource-link",
        uri: block.uri,
        name: block.name,
        description: block.description,
        mimeType: block.mimeType,
      });
    default:
      return `(content of the unknown type ${JSON.stringify(cleanText(String((block as { type: unknown }).type), 40))})`;
  }
}

/** Returns the content of a resource: its text, or its bytes as a file. */
export function resourcePart(resource: {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string;
  readonly blob?: string;
}): unknown {
  const { uri, mimeType, text, blob } = resource;
  if (typeof blob === "string") return mediaOf(kindOf(mimeType), blob, mimeType, uri);
  return present({ type: "resource", uri, mimeType, text: text ?? "" });
}

const kindOf = (mimeType = ""): ForeignMedia["type"] =>
  mimeType.startsWith("image/") ? "image" : mimeType.startsWith("audio/") ? "audio" : "file";

function mediaOf(type: ForeignMedia["type"], base64: string, mimeType: string | undefined, uri?: string): unknown {
  const bytes = fromBase64(base64);
  if (bytes === null) return "(bytes that are not base64)";
  const mediaType = /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(mimeType ?? "")
    ? String(mimeType)
    : "application/octet-stream";
  const name = uri === undefined ? undefined : cleanText(uri.split("/").at(-1) ?? uri, 100);
  return { type, source: { mediaType, bytes }, ...(name === undefined || name === "" ? {} : { name }) };
}

const isMedia = (part: unknown): boolean =>
  typeof part === "object" && part !== null && "source" in part && typeof part.source === "object";

const present = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const maxDepth = 200;

/**
 * Copies JSON so that it is safe to pass on: without `__proto__`, and not nested too deeply.
 *
 * @throws AgentError `tool-execution` if it is nested too deeply
 */
export function plainData(value: unknown, tool: string, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) {
    throw new AgentError("tool-execution", `"${tool}" answered with data nested more than ${maxDepth} levels deep`);
  }
  if (Array.isArray(value)) return value.map((item) => plainData(item, tool, depth + 1));
  const entries = Object.entries(value).filter(([name]) => name !== "__proto__");
  return Object.fromEntries(entries.map(([name, item]) => [name, plainData(item, tool, depth + 1)]));
}

function failure({ content = [], structuredContent }: CallToolResult, tool: string, redact: Redact): AgentError {
  const texts = content.map(errorText);
  // Some servers send the reason of a failure only as structured content. Report that content if
  // there is no text.
  const isData = structuredContent !== undefined && texts.every((text) => text.trim() === "");
  const said = isData ? JSON.stringify(structuredContent) : texts.join("\n");
  const text = said.length > maxErrorLength ? `${said.slice(0, maxErrorLength)}…` : said;
  const shown = visible(redact(text), { newlines: true });
  return new AgentError("tool-execution", shown.trim() === "" ? `"${tool}" failed without saying why` : shown);
}

function errorText(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  return block.type === "resource" && "text" in block.resource ? block.resource.text : `(${block.type})`;
}
