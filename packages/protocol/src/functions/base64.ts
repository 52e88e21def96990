// Base64 with the platform's own `btoa` and `atob`, which work on strings with one byte for each
// character. Node, browsers, Workers and the QuickJS sandbox all have these functions.

const chunkBytes = 0x8000;

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  // Convert in chunks, because a call can have only a limited number of arguments. Use `apply`,
  // because spreading the bytes would take ten times as long. The cast is safe, because `apply`
  // accepts any object that has a length and indices.
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes);
    text += String.fromCharCode.apply(null, chunk as unknown as number[]); // safe cast: see above
  }
  return btoa(text);
}

/** Decodes base64. Returns null when the text is not valid base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
