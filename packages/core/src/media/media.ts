// Functions that create images, sounds and files for tasks, histories and tools' results. The
// results contain bytes. A run stores the bytes in its log once, and then refers to them by their
// digest.

import {
  type AgentError,
  fromBase64,
  invalidOption,
  type MediaPart,
  type OptionTable,
  readOptions,
} from "@smolts/protocol";
import { mediaTypeOf } from "./media-type.ts";

/** An image, a sound or a file whose bytes are not in a log yet. */
export interface UnstoredMedia {
  readonly type: MediaPart["type"];
  readonly source: { readonly bytes: Uint8Array | Blob; readonly mediaType: string };
  readonly name?: string;
}

/** An image, a sound or a file, whether its bytes are in a log or not. */
export type MediaInput = MediaPart | UnstoredMedia;

/**
 * The source of media: bytes, a Blob, or a URL. A `data:` URL is read; any other URL is passed on
 * to the model's provider.
 */
export type MediaSource = Uint8Array | ArrayBuffer | Blob | URL | string;

/** Facts about media besides its bytes. */
export interface MediaOptions {
  /**
   * The media type, such as `image/png`. If absent, it is recognised from the bytes where possible.
   */
  readonly mediaType?: string;
  /** The file name, such as `report.pdf`. */
  readonly name?: string;
}

/**
 * Creates an image for a task or a tool's result.
 *
 * @throws AgentError `invalid-option` when the source is not an image; for a path on disk, use
 * `image` of `@smolts/core/media`
 * @example
 * ```ts
 * import { image } from "@smolts/core";
 *
 * console.log(image("https://example.com/cat.png").type); // image
 * ```
 */
export function image(source: MediaSource, options: MediaOptions = {}): MediaInput {
  return mediaFrom("image", source, readOptions(options, "image()", mediaOptions));
}

/**
 * Creates a sound for a task or a tool's result.
 *
 * @throws AgentError `invalid-option` when the source is not a sound; for a path on disk, use
 * `audio` of `@smolts/core/media`
 * @example
 * ```ts
 * import { audio } from "@smolts/core";
 *
 * console.log(audio("data:audio/wav;base64,UklGRg==").type); // audio
 * ```
 */
export function audio(source: MediaSource, options: MediaOptions = {}): MediaInput {
  return mediaFrom("audio", source, readOptions(options, "audio()", mediaOptions));
}

/**
 * Creates a file for a task or a tool's result.
 *
 * @throws AgentError `invalid-option` when the source cannot be used; for a path on disk, use
 * `file` of `@smolts/core/media`
 * @example
 * ```ts
 * import { file } from "@smolts/core";
 *
 * console.log(file(new TextEncoder().encode("a,b"), { mediaType: "text/csv", name: "rows.csv" }).name); // rows.csv
 * ```
 */
export function file(source: MediaSource, options: MediaOptions = {}): MediaInput {
  return mediaFrom("file", source, readOptions(options, "file()", mediaOptions));
}

const mediaOptions: OptionTable<MediaOptions> = { mediaType: "text", name: "text" };

/** Says whether a value is media with bytes, made by `image`, `audio` or `file`. */
export function isUnstored(value: unknown): value is UnstoredMedia {
  if (typeof value !== "object" || value === null || !("type" in value) || !isMediaType(value.type)) return false;
  const source = "source" in value ? value.source : null;
  if (typeof source !== "object" || source === null || !("bytes" in source)) return false;
  return source.bytes instanceof Uint8Array || source.bytes instanceof Blob;
}

/** Says whether a value is a media part as it is in logs and messages. */
export function isStored(value: unknown): value is MediaPart {
  if (typeof value !== "object" || value === null || !("type" in value) || !isMediaType(value.type)) return false;
  const source = "source" in value ? value.source : null;
  return typeof source === "object" && source !== null && ("url" in source || "digest" in source);
}

const isMediaType = (type: unknown): type is MediaPart["type"] =>
  type === "image" || type === "audio" || type === "file";

function mediaFrom(type: MediaPart["type"], source: MediaSource, { mediaType, name }: MediaOptions): MediaInput {
  const named = name === undefined ? {} : { name };
  const url = urlIn(source);
  if (url && url.protocol !== "data:") return { type, source: { url: url.href }, ...named };
  const given = url ? bytesOfDataUrl(type, url) : bytesIn(type, source);
  const known = mediaType ?? given.mediaType;
  if (known !== undefined && (type === "file" || known.startsWith(`${type}/`))) {
    return { type, source: { bytes: given.bytes, mediaType: known }, ...named };
  }
  throw known === undefined ? unknownKind(type) : notOfKind(type, known);
}

function urlIn(source: MediaSource): URL | null {
  if (source instanceof URL) return source;
  if (typeof source !== "string") return null;
  if (URL.canParse(source) && /^(?:https?|data):/i.test(source)) return new URL(source);
  throw invalidOption(
    `"${source.slice(0, 100)}" is not a URL with the scheme https, http or data`,
    'to read a file, import { image } from "smolts/media" (or audio, or file)',
  );
}

interface MediaBytes {
  readonly bytes: Uint8Array | Blob;
  readonly mediaType: string | undefined;
}

function bytesIn(type: MediaPart["type"], source: MediaSource): MediaBytes {
  if (source instanceof Blob) return { bytes: source, mediaType: source.type === "" ? undefined : source.type };
  if (!(source instanceof Uint8Array) && !(source instanceof ArrayBuffer)) throw noSource(type, source);
  const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source;
  return { bytes, mediaType: mediaTypeOf(bytes) };
}

function bytesOfDataUrl(type: MediaPart["type"], { href }: URL): MediaBytes {
  const [, mediaType, base64] = /^data:([^;,]+)(?:;[^;,]+)*;base64,(.*)$/s.exec(href) ?? [];
  const bytes = base64 === undefined || !isPercentEncoded(base64) ? null : fromBase64(decodeURIComponent(base64));
  if (bytes && mediaType) return { bytes, mediaType };
  throw invalidOption(
    `the data URL of the ${type} has no media type or no base64`,
    "write data:<media type>;base64,<bytes>, or pass the bytes themselves",
  );
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const noSource = (type: string, source: unknown): AgentError =>
  invalidOption(
    `the source of the ${type} is ${source === null ? "null" : typeof source}`,
    "pass a URL, bytes (Uint8Array) or a Blob",
  );

const unknownKind = (type: string): AgentError =>
  invalidOption(
    `the media type of the ${type} cannot be recognized from its bytes`,
    `pass it: ${type}(bytes, { mediaType: "${type === "file" ? "text/csv" : `${type}/...`}" })`,
  );

const notOfKind = (type: string, mediaType: string): AgentError =>
  invalidOption(`the ${type} is of media type "${mediaType}"`, "use image(), audio() or file(), whichever fits");
