// Recognises a file by its first bytes: only the types that providers take, so that few people have
// to name the type.

/**
 * The first bytes of a file of a media type, as text of one byte a character; `offset` in bytes.
 */
const beginnings: readonly { readonly mediaType: string; readonly text: string; readonly offset?: number }[] = [
  { mediaType: "image/png", text: "\x89PNG" },
  { mediaType: "image/jpeg", text: "\xff\xd8\xff" },
  { mediaType: "image/gif", text: "GIF8" },
  { mediaType: "image/webp", text: "WEBP", offset: 8 },
  { mediaType: "audio/wav", text: "WAVE", offset: 8 },
  { mediaType: "audio/mpeg", text: "ID3" },
  { mediaType: "audio/mpeg", text: "\xff\xfb" },
  { mediaType: "audio/ogg", text: "OggS" },
  { mediaType: "audio/flac", text: "fLaC" },
  { mediaType: "application/pdf", text: "%PDF" },
];

/** The media type that the bytes show; undefined when they show none that is known here. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return beginnings.find(({ text, offset = 0 }) => head.startsWith(text, offset))?.mediaType;
}
