// Generates random texts and keyed hashes with the Web Crypto API.

const encoder = new TextEncoder();

/** Returns 128 random bits in base64url. */
export function randomSecret(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(16)));
}

/** Returns a keyed hash (HMAC) of a text, in base64url. */
export async function keyedHash(key: string, text: string): Promise<string> {
  const imported = await crypto.subtle.importKey("raw", encoder.encode(key), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return base64Url(new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text))));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
