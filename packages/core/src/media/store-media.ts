import { type ExecutionResult, fromBase64, type MediaPart, type OutputMedia, type RunLog } from "@smolts/protocol";
import { isStored, isUnstored, type MediaInput } from "./media.ts";

/** Stores bytes in the log of a run. */
export type PutBlob = RunLog["putBlob"];

/**
 * Stores the bytes of media in the log, and returns the part that refers to them in the log and in
 * messages.
 */
export async function storeMedia(media: MediaInput, putBlob: PutBlob): Promise<MediaPart> {
  const { type, name } = media;
  const named = name === undefined ? {} : { name };
  if (isUnstored(media)) return { type, source: await putBytes(media.source, putBlob), ...named };
  // If the media is the answer of another run, its bytes are not in this log yet. Read them with
  // the method `bytes` of the media.
  if ("digest" in media.source && "bytes" in media && typeof media.bytes === "function") {
    const { mediaType } = media.source;
    return { type, source: await putBlob(await media.bytes(), mediaType), ...named };
  }
  return { type, source: media.source, ...named };
}

/**
 * Stores the bytes of media in a tool's result, which is the media itself or a list of media.
 * Returns a promise if there is any media, otherwise the value.
 */
export function storeMediaIn(value: unknown, putBlob: PutBlob): unknown {
  if (isUnstored(value) || isStored(value)) return storeMedia(value, putBlob);
  if (!Array.isArray(value)) return value;
  // A sparse array may have billions of holes. Some array methods would visit each of them;
  // `Object.values` skips them.
  const items: unknown[] = Object.values(value);
  if (!items.some(isUnstored)) return value;
  return Promise.all(items.map((item) => (isUnstored(item) ? storeMedia(item, putBlob) : item)));
}

/**
 * Stores the bytes of media in the result of a block, and returns the result with references to
 * them.
 */
export async function withStoredMedia(result: ExecutionResult, putBlob: PutBlob): Promise<ExecutionResult> {
  if (result.type !== "value" || !result.output?.media) return result;
  const store = async (media: OutputMedia): Promise<OutputMedia> =>
    "data" in media ? putBlob(fromBase64(media.data) ?? new Uint8Array(), media.mediaType) : media;
  return { ...result, output: { ...result.output, media: await Promise.all(result.output.media.map(store)) } };
}

const putBytes = async (
  { bytes, mediaType }: { readonly bytes: Uint8Array | Blob; readonly mediaType: string },
  putBlob: PutBlob,
): ReturnType<PutBlob> => putBlob(bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes, mediaType);
