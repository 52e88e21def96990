// Reads media arguments of tools. A model passes an address that it has read, or a media part that
// came from a person or another tool.

import { AgentError, fromBase64, type JsonSchema, type MediaPart, type ToolContext } from "@smolts/protocol";
import { publicFetch } from "./public-fetch.ts";

/**
 * A media argument: a media part, a public address, or a `data:` URL. It can also be a part whose
 * bytes are not stored in a log yet.
 */
export type MediaArgument = string | MediaPart | UnstoredPart;

interface UnstoredPart {
  readonly type: MediaPart["type"];
  readonly source: { readonly bytes: Uint8Array; readonly mediaType: string };
}

/** Returns the JSON Schema of a media part. */
export function mediaPartSchema(type: MediaPart["type"]): JsonSchema {
  return {
    title: type,
    type: "object",
    properties: { type: { const: type }, source: { type: "object" } },
    required: ["type", "source"],
  };
}

/** Returns the JSON Schema of an argument of type {@link MediaArgument}. */
export function givenMediaSchema(type: MediaPart["type"], description: string): JsonSchema {
  return { description, anyOf: [{ type: "string" }, mediaPartSchema(type)] };
}

/**
 * Returns the bytes of a media argument. An address is fetched with `guardedFetch`.
 *
 * @throws AgentError `tool-execution` if there is nothing to read
 */
export async function readMedia(
  given: MediaArgument,
  { signal, readBlob }: Pick<ToolContext, "signal" | "readBlob">,
  maxBytes = 25_000_000,
): Promise<Blob> {
  const source = typeof given === "string" ? { url: given } : given.source;
  if ("bytes" in source) return new Blob([new Uint8Array(source.bytes)], { type: source.mediaType });
  if ("digest" in source) return new Blob([new Uint8Array(await readBlob(source.digest))], { type: source.mediaType });
  return /^data:/i.test(source.url) ? readDataUrl(source.url) : await readAddress(source.url, signal, maxBytes);
}

function readDataUrl(url: string): Blob {
  const [, mediaType = "", base64] = /^data:([\w/+.-]*)[^,]*;base64,(.*)$/is.exec(url) ?? [];
  const bytes = base64 === undefined ? null : fromBase64(base64);
  if (bytes === null)
    throw new AgentError("tool-execution", "the data: URL is not in base64", { hint: "give the address" });
  return new Blob([new Uint8Array(bytes)], { type: mediaType });
}

async function readAddress(address: string, signal: AbortSignal, maxBytes: number): Promise<Blob> {
  const response = await publicFetch(address, { signal, maxBytes, timeoutMs: 60_000 });
  if (response.ok)
    return new Blob([await response.arrayBuffer()], { type: response.headers.get("content-type") ?? "" });
  throw new AgentError("tool-execution", `"${address.slice(0, 200)}" answered with status ${response.status}`);
}
