// Computes hashes with the platform's own Web Crypto, which Node, browsers and Workers all have.
// Its hash functions are asynchronous, so `digestOf` is asynchronous too.

/** Returns the SHA-256 hash of `value` as JSON, in hex. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Returns 128 random bits in hex. */
export const randomBits = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
