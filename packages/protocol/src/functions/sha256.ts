/**
 * Returns the SHA-256 hash of bytes, or of a text in UTF-8. It uses Web Crypto, which Node,
 * browsers and Workers all have, and whose hash functions are asynchronous.
 */
export async function sha256(content: string | Uint8Array): Promise<Uint8Array> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  // The cast is safe: the bytes are never in shared memory.
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
}
