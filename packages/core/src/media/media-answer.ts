import { invalidOption, type MediaPart, type ReadBlob, toBase64 } from "@smolts/protocol";
import { isStored } from "./media.ts";

/**
 * An image, a sound or a file as the answer of a run. It is the part that the log records, with
 * methods that read its bytes.
 */
export interface MediaAnswer extends MediaPart {
  /**
   * Returns the bytes. Rejects with `invalid-option` for a URL, because only the provider can read
   * it.
   */
  bytes(): Promise<Uint8Array>;
  /** Returns the bytes as a `data:` URL. A URL that was passed through is returned as it is. */
  dataUrl(): Promise<string>;
}

/** A text as the answer of a run. */
export type AgentText = string;

/** An image as the answer of a run. */
export type AgentImage = MediaAnswer & { readonly type: "image" };

/** A sound as the answer of a run. */
export type AgentAudio = MediaAnswer & { readonly type: "audio" };

/**
 * Returns an answer in the form that the caller gets: media with methods that read its bytes, every
 * other value as it is.
 */
export function forCaller(answer: unknown, readBlob: ReadBlob): unknown {
  return isStored(answer) ? withBytes(answer, readBlob) : answer;
}

/**
 * Adds methods that read the bytes. The methods are not enumerable, so the answer compares and
 * serialises like the plain part.
 */
function withBytes(part: MediaPart, readBlob: ReadBlob): MediaAnswer {
  const { source } = part;
  const bytes = async (): Promise<Uint8Array> => {
    if ("digest" in source) return readBlob(source.digest);
    throw invalidOption(`the log has only the URL "${source.url}" of the ${part.type}, not its bytes`, "fetch the URL");
  };
  const dataUrl = async (): Promise<string> =>
    "digest" in source ? `data:${source.mediaType};base64,${toBase64(await bytes())}` : source.url;
  const hidden = { enumerable: false };
  // The cast is safe: the two methods are added here.
  return Object.defineProperties(
    { ...part },
    {
      bytes: { value: bytes, ...hidden },
      dataUrl: { value: dataUrl, ...hidden },
    },
  ) as MediaAnswer;
}
