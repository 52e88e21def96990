import { type ExecutionResult, fromBase64, type MediaPart, type OutputMedia, type RunLog } from "@smolts/protocol";
import { isStored, isUnstored, type MediaInput } from "./media.ts";

/** Puts bytes into the log of a run. */
export type PutBlob = RunLog["putBlob"];

/** The part that stands for media in log and messages; its bytes go into the log. */
export async function storeMedia(media: MediaInput, putBlob: PutBlob): Promise<MediaPart> {
  const { type, name } = media;
  const named = name === undefined ? {} : { name };
  if (isUnstored(media)) return { type, source: await putBytes(media.source, putBlob), ...named };
  // The answer of another run can read its bytes; this log does not have them.
  if ("digest" in media.source && "bytes" in media && typeof media.bytes === "function") {
    const { mediaType } = media.source;
    return { type, source: await putBlob(await media.bytes(), mediaType), ...named };
  }
  return { type, source: media.source, ...named };
}

/**
 * A tool's result with the bytes of its media in the log: of the value itself, or of the items of a
 * list. A promise if there are some.
 */
export function storeMediaIn(value: unknown, putBlob: PutBlob): unknown {
  if (isUnstored(value) || isStored(value)) return storeMedia(value, putBlob);
  if (!Array.isArray(value) || !value.some(isUnstored)) return value;
  return Promise.all(value.map((item: unknown) => (isUnstored(item) ? storeMedia(item, putBlob) : item)));
}

/** The result of a block with the bytes of its media in the log. */
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
