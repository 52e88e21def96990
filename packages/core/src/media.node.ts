// Functions that create media in Node. Here media may also be a file on disk, and an image can be
// saved to disk.
//
// The functions are exported under shorter names. In this file they have longer names, because the
// package already has functions with the short names, and the build would rename one of them.

import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { AgentError, invalidOption, thrownText } from "@smolts/protocol";
import type { MediaInput, MediaOptions, MediaSource } from "./media/media.ts";
import * as core from "./media/media.ts";
import type { MediaAnswer } from "./media/media-answer.ts";
import { mediaTypeOf } from "./media/media-type.ts";

/**
 * Creates an image from a file, a URL, bytes or a Blob. A file is read immediately.
 *
 * @throws AgentError `invalid-option` when the file cannot be read or is not an image
 * @example
 * ```ts
 * import { image } from "@smolts/core/media";
 *
 * const chart = (path: string) => image(path);
 * console.log(typeof chart); // function
 * ```
 */
function imageFromDisk(source: MediaSource, options: MediaOptions = {}): MediaInput {
  return fromDisk(core.image, source, options);
}

/**
 * Creates a sound from a file, a URL, bytes or a Blob. A file is read immediately.
 *
 * @throws AgentError `invalid-option` when the file cannot be read or is not a sound
 * @example
 * ```ts
 * import { audio } from "@smolts/core/media";
 *
 * const speech = (path: string) => audio(path);
 * console.log(typeof speech); // function
 * ```
 */
function audioFromDisk(source: MediaSource, options: MediaOptions = {}): MediaInput {
  return fromDisk(core.audio, source, options);
}

/**
 * Creates a file part from a file on disk, a URL, bytes or a Blob. A file on disk is read
 * immediately.
 *
 * @throws AgentError `invalid-option` when the file cannot be read
 * @example
 * ```ts
 * import { file } from "@smolts/core/media";
 *
 * const report = (path: string) => file(path);
 * console.log(typeof report); // function
 * ```
 */
function fileFromDisk(source: MediaSource, options: MediaOptions = {}): MediaInput {
  return fromDisk(core.file, source, options);
}

export { audioFromDisk as audio, fileFromDisk as file, imageFromDisk as image };

/**
 * Saves the answer of a run as a file. The answer must be an image.
 *
 * @throws AgentError `invalid-option` when the answer is not an image with bytes
 * @example
 * ```ts
 * import type { AgentRun } from "@smolts/core";
 * import { saveImage } from "@smolts/core/media";
 *
 * const save = async (run: AgentRun): Promise<void> => saveImage(await run, "chart.png");
 * console.log(typeof save); // function
 * ```
 */
export async function saveImage(answer: unknown, path: string): Promise<void> {
  if (!isImageAnswer(answer)) {
    throw invalidOption(
      `the answer to be written to "${path}" is not an image`,
      "pass the answer of a run that returned an image",
    );
  }
  await writeFile(path, await answer.bytes());
}

const isImageAnswer = (answer: unknown): answer is MediaAnswer =>
  core.isStored(answer) && answer.type === "image" && "bytes" in answer && typeof answer.bytes === "function";

function fromDisk(make: typeof core.image, source: MediaSource, options: MediaOptions): MediaInput {
  const path = pathIn(source);
  if (path === null) return make(source, options);
  const bytes = read(path);
  const mediaType = options.mediaType ?? mediaTypeOf(bytes) ?? byExtension[extname(String(path)).toLowerCase()];
  return make(bytes, { name: basename(String(path)), ...options, ...(mediaType ? { mediaType } : {}) });
}

function pathIn(source: MediaSource): string | URL | null {
  if (source instanceof URL) return source.protocol === "file:" ? source : null;
  if (typeof source !== "string" || /^(?:https?|data):/i.test(source)) return null;
  return source.startsWith("file:") ? new URL(source) : source;
}

function read(path: string | URL): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    const why = thrownText(error);
    throw new AgentError("invalid-option", `the file "${path}" cannot be read: ${why}`, {
      cause: error,
      hint: "check its path and its permissions",
    });
  }
}

/** Media types by file extension, for files that cannot be recognised by their first bytes. */
const byExtension: { readonly [extension: string]: string } = {
  ".csv": "text/csv",
  ".html": "text/html",
  ".json": "application/json",
  ".md": "text/markdown",
  ".mp3": "audio/mpeg",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
};
