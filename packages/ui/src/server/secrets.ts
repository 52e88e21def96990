// Random texts, and what is derived from them, by the web's own cryptography.

const encoder = new TextEncoder();

/** 128 random bits in base64url. */
export function randomSecret(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(16)));
}

/** A keyed hash of a text, in base64url. */
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
