/** Writes bytes as lower-case hex digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns 128 random bits in hex, for keys and ids that nobody can guess. */
export function randomHex(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}
