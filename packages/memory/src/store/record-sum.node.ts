import { createHash, createHmac } from "node:crypto";
import type { RecordSum } from "./record.ts";

/** The function that computes checksums of records, and the id of the key that it uses. */
export interface RecordSums {
  readonly sumOf: RecordSum;
  /** Distinguishes logs that were written with this key from others. It does not reveal the key. */
  readonly keyId: string;
}

/**
 * Returns the function that computes checksums of records: HMAC-SHA-256 with a key, SHA-256 without
 * one. A checksum is the first 128 bits of the hash.
 *
 * @param key - at least 16 characters or bytes; without one, everybody who can write to the store
 * is trusted
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
 * Returns the first 128 bits of a hash in base64url: 21 digits, and one more that has only two bits
 * of the hash. Shortens the text and not the bytes, because creating a buffer costs as much as
 * computing the hash.
 */
function shortened(hash: { digest(encoding: "base64url"): string }): string {
  const text = hash.digest("base64url");
  return text.slice(0, 21) + twoBits(text.charAt(21));
}

const twoBits = (digit: string): string => digits.charAt(digits.indexOf(digit) & 0b110000);

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
