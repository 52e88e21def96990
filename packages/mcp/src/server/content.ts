// Converts values of tools and agents to parts of an MCP result.

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { isRecord, type ReadBlob, toBase64, toPlainJson, toPlainText } from "@smolts/protocol";

/**
 * Returns a value as an MCP result. Texts stay texts, media become parts, and objects become
 * structured content with their JSON as text.
 */
export async function toResult(value: unknown, readBlob: ReadBlob = noBlobs): Promise<CallToolResult> {
  if (value === undefined) return { content: [] };
  const parts = partsIn(value);
  if (parts) return { content: await toBlocks(parts, readBlob) };
  const content = [textBlock(toPlainText(value))];
  const json = toPlainJson(value);
  return isRecord(json) ? { content, structuredContent: json } : { content };
}

/** Converts the parts of a value to MCP's format. */
export function toBlocks(parts: readonly Part[], readBlob: ReadBlob = noBlobs): Promise<ContentBlock[]> {
  return Promise.all(parts.map((part) => toBlock(part, readBlob)));
}

/** Returns a text as a part of an MCP result. */
export const textBlock = (text: string): ContentBlock => ({ type: "text", text });

/** An image, a sound or a file. Its content is bytes, a blob in a run's log, or a URL. */
export interface MediaValue {
  readonly type: "image" | "audio" | "file";
  readonly source: {
    readonly bytes?: Uint8Array | Blob;
    readonly digest?: string;
    readonly url?: string;
    readonly mediaType?: string;
  };
  readonly name?: string;
}

/** A part of a result. */
export type Part = MediaValue | { readonly type: "text"; readonly text: string };

/**
 * Returns the parts of a value that is a single part, or a list of parts that contains media.
 * Returns null for other values.
 */
export function partsIn(value: unknown): readonly Part[] | null {
  if (isMedia(value)) return [value];
  if (Array.isArray(value) && value.some(isMedia) && value.every((item) => isMedia(item) || isText(item))) return value;
  return null;
}

/** Says whether a value is an image, a sound or a file. */
function isMedia(value: unknown): value is MediaValue {
  if (!isRecord(value) || !["image", "audio", "file"].includes(`${value["type"]}`)) return false;
  const source = value["source"];
  if (!isRecord(source)) return false;
  const { bytes, digest, url } = source;
  return bytes instanceof Uint8Array || bytes instanceof Blob || typeof digest === "string" || typeof url === "string";
}

const isText = (value: unknown): value is { readonly type: "text"; readonly text: string } =>
  isRecord(value) && value["type"] === "text" && typeof value["text"] === "string";

async function toBlock(part: Part, readBlob: ReadBlob): Promise<ContentBlock> {
  if (part.type === "text") return textBlock(part.text);
  const { source, name } = part;
  if (source.url !== undefined) return linkBlock(source.url, name ?? part.type, source.mediaType);
  const bytes = await bytesOf(source, readBlob);
  const mimeType = source.mediaType ?? "application/octet-stream";
  if (part.type !== "file") return { type: part.type, data: toBase64(bytes), mimeType };
  const uri = name !== undefined && URL.canParse(name) ? name : `attachment:///${encodeURIComponent(name ?? "file")}`;
  const body = isTextType(mimeType) ? { text: new TextDecoder().decode(bytes) } : { blob: toBase64(bytes) };
  return { type: "resource", resource: { uri, mimeType, ...body } };
}

const linkBlock = (uri: string, name: string, mimeType: string | undefined): ContentBlock => ({
  type: "resource_link",
  uri,
  name,
  ...(mimeType === undefined ? {} : { mimeType }),
});

async function bytesOf({ bytes, digest = "" }: MediaValue["source"], readBlob: ReadBlob): Promise<Uint8Array> {
  if (bytes instanceof Blob) return new Uint8Array(await bytes.arrayBuffer());
  return bytes ?? readBlob(digest);
}

const isTextType = (mediaType: string): boolean => /^text\/|[/+]json\b|[/+]xml\b/.test(mediaType);

function noBlobs(digest: string): Promise<Uint8Array> {
  return Promise.reject(new Error(`there are no bytes with the digest ${digest}`));
}
