import { AgentError, type MediaPart, type ReadBlob, toBase64 } from "@smolts/protocol";
import { isStored } from "./media.ts";

/**
 * An image, a sound or a file that a run answered with: the part as the log has it, and a way to
 * its bytes.
 */
export interface MediaAnswer extends MediaPart {
  /** Rejects with `invalid-option` for a URL, which only its provider can read. */
  bytes(): Promise<Uint8Array>;
  /** The bytes as a `data:` URL; a URL that was passed through is given as it is. */
  dataUrl(): Promise<string>;
}

/** A text that a run answered with. */
export type AgentText = string;

/** An image that a run answered with. */
export type AgentImage = MediaAnswer & { readonly type: "image" };

/** A sound that a run answered with. */
export type AgentAudio = MediaAnswer & { readonly type: "audio" };

/** An answer as the caller gets it: media with a way to its bytes, everything else as it is. */
export function forCaller(answer: unknown, readBlob: ReadBlob): unknown {
  return isStored(answer) ? withBytes(answer, readBlob) : answer;
}

/** The functions do not count as data: the answer compares and serialises as the plain part. */
function withBytes(part: MediaPart, readBlob: ReadBlob): MediaAnswer {
  const { source } = part;
  const bytes = async (): Promise<Uint8Array> => {
    if ("digest" in source) return readBlob(source.digest);
    throw new AgentError("invalid-option", `the ${part.type} is the URL "${source.url}", whose bytes no log holds`, {
      hint: "fetch the URL",
    });
  };
  const dataUrl = async (): Promise<string> =>
    "digest" in source ? `data:${source.mediaType};base64,${toBase64(await bytes())}` : source.url;
  const hidden = { enumerable: false };
  // The cast: the two functions have just been added.
  return Object.defineProperties(
    { ...part },
    {
      bytes: { value: bytes, ...hidden },
      dataUrl: { value: dataUrl, ...hidden },
    },
  ) as MediaAnswer;
}
