// Recognises the media type of a file by its first bytes. It knows only the types that providers
// accept, so that users rarely have to pass a type.

/**
 * The first bytes of files of a media type, as a string with one character for each byte. `offset`
 * is in bytes.
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

/** Returns the media type of the bytes; undefined when it is not one of the known types. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return beginnings.find(({ text, offset = 0 }) => head.startsWith(text, offset))?.mediaType;
}
