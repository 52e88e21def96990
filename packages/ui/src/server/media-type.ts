// Finds the media type of bytes. The name of a file is not trusted.

const ascii = (text: string): readonly number[] => [...text].map((character) => character.charCodeAt(0));

/** The first bytes of known file types. `at` is their position. */
const signatures: readonly { readonly type: string; readonly bytes: readonly number[]; readonly at?: number }[] = [
  { type: "image/png", bytes: [0x89, ...ascii("PNG\r\n\x1a\n")] },
  { type: "image/jpeg", bytes: [0xff, 0xd8, 0xff] },
  { type: "image/gif", bytes: ascii("GIF8") },
  { type: "image/webp", bytes: ascii("WEBP"), at: 8 },
  { type: "audio/wav", bytes: ascii("WAVE"), at: 8 },
  { type: "audio/mpeg", bytes: ascii("ID3") },
  { type: "audio/mpeg", bytes: [0xff, 0xfb] },
  { type: "audio/ogg", bytes: ascii("OggS") },
  { type: "audio/flac", bytes: ascii("fLaC") },
  { type: "application/pdf", bytes: ascii("%PDF-") },
  { type: "application/zip", bytes: [0x50, 0x4b, 0x03, 0x04] },
];

/** The media types of the known file extensions. */
const typesOfEndings: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".wav": "audio/wav",
  ".mp3": "audio/mpeg",
  ".ogg": "audio/ogg",
  ".flac": "audio/flac",
  ".pdf": "application/pdf",
  ".zip": "application/zip",
  ".docx": "application/zip",
  ".xlsx": "application/zip",
  ".pptx": "application/zip",
  ".svg": "image/svg+xml",
  ".html": "text/html",
  ".htm": "text/html",
};

const typesOfTexts: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".tsv": "text/tab-separated-values",
  ".json": "application/json",
  ".jsonl": "application/x-ndjson",
  ".md": "text/markdown",
  ".xml": "application/xml",
  ".txt": "text/plain",
  ".log": "text/plain",
};

/** Returns the media type of bytes. The file extension only distinguishes kinds of plain text. */
export function mediaTypeOf(bytes: Uint8Array, name: string): string {
  const found = signatures.find(({ bytes: begin, at = 0 }) => begin.every((byte, index) => bytes[at + index] === byte));
  if (found) return found.type;
  const text = utf8Text(bytes);
  if (text === null) return "application/octet-stream";
  const start = text.trimStart().slice(0, 500).toLowerCase();
  if (/<svg[\s>]/.test(start)) return "image/svg+xml";
  if (/^(<!doctype html|<html|<script|<body|<head)/.test(start)) return "text/html";
  return typesOfTexts[endingOf(name)] ?? "text/plain";
}

/** Decodes bytes as UTF-8 text; returns null if they are not text. */
export function utf8Text(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, 4_096).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Returns the extension of a file name, with the dot, in lower case; empty if there is none. */
export const endingOf = (name: string): string => /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? "";

/**
 * Says whether the extension of a name fits the type of the bytes. Unknown extensions always fit.
 */
export function nameFitsType(name: string, mediaType: string): boolean {
  const ending = endingOf(name);
  if (Object.hasOwn(typesOfTexts, ending)) return isPlainText(mediaType);
  return !Object.hasOwn(typesOfEndings, ending) || typesOfEndings[ending] === mediaType;
}

/** Says whether the type is plain text, which browsers do not run, unlike HTML and SVG. */
const isPlainText = (mediaType: string): boolean => Object.values(typesOfTexts).includes(mediaType);

const inlineTypes = new Set(signatures.map(({ type }) => type).filter((type) => /^(image|audio)\//.test(type)));

/**
 * Says whether a browser may show the bytes directly. No type that can contain a script is allowed.
 */
export const isShownInline = (mediaType: string): boolean => inlineTypes.has(mediaType);
