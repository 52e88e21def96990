import { createHash, createHmac } from "node:crypto";
import type { RecordSum } from "./record.ts";

/** Sums of records, and the name of the key they are made with. */
export interface RecordSums {
  readonly sumOf: RecordSum;
  /** Tells logs of this key from those of others; it does not reveal the key. */
  readonly keyId: string;
}

/**
 * Makes sums of records: HMAC-SHA-256 with a key, SHA-256 without one, 128 bits of each.
 *
 * @param key - at least 16 characters or bytes; without one, everybody who can write to the store
 *   is trusted
 */
export function recordSums(key: string | Uint8Array | undefined): RecordSums {
  if (key === undefined) {
    return { sumOf: (previous, text) => shortened(createHash("sha256").update(previous + text)), keyId: "none" };
  }
  return {
    sumOf: (previous, text) => shortened(createHmac("sha256", key).update(previous + text)),
    keyId: shortened(createHmac("sha256", key).update("smolts run store")),
  };
}

/**
 * The first 128 bits in base64url: 21 digits, and one with only two bits of its own. Taken from the
 * text, for a buffer costs as much as the hash.
 */
function shortened(hash: { digest(encoding: "base64url"): string }): string {
  const text = hash.digest("base64url");
  return text.slice(0, 21) + twoBits(text.charAt(21));
}

const twoBits = (digit: string): string => digits.charAt(digits.indexOf(digit) & 0b110000);

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
