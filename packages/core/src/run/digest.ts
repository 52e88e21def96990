import { sha256, toHex } from "@smolts/protocol";

/** Returns the SHA-256 hash of `value` as JSON, in hex. */
export async function digestOf(value: unknown): Promise<string> {
  return toHex(await sha256(JSON.stringify(value)));
}
