import { decodeValue, type EncodedValue } from "@smolts/protocol";
import { inspect } from "./host.ts";

/** How much of a value is shown. */
export interface ValueTextOptions {
  /** In characters; what is longer is cut. @defaultValue no limit */
  readonly maxLength?: number;
}

/** A value on one line, in JavaScript's notation. */
export function valueText(
  encoded: EncodedValue,
  { maxLength = Number.POSITIVE_INFINITY }: ValueTextOptions = {},
): string {
  const value = decoded(encoded);
  // Counted before it is quoted: the part that inspect() cuts cannot be counted later.
  if (typeof value === "string" && value.length > maxLength) {
    return `${inspect(value.slice(0, maxLength))}… (${value.length - maxLength} more characters)`;
  }
  const text = inspect(value, {
    depth: maxLength === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : 4,
    breakLength: Number.POSITIVE_INFINITY,
    maxStringLength: maxLength,
    maxArrayLength: maxLength,
  });
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

/** An answer as its reader wants it: text as it is, whole numbers as digits, and JSON where JSON can say it. */
export function answerText(encoded: EncodedValue): string {
  const value = decoded(encoded);
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return value.toString();
  // JSON cannot express the values that the codec had to tag.
  const isPlainJson = !JSON.stringify(encoded).includes('"$":');
  return isPlainJson ? JSON.stringify(encoded, null, 2) : inspect(value, { depth: Number.POSITIVE_INFINITY });
}

/** The beginning of a text, and how much is left out. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength)}… (${text.length - maxLength} more characters)`;
}

function decoded(encoded: EncodedValue): unknown {
  try {
    return decodeValue(encoded);
  } catch {
    // A damaged log is still worth showing; its bytes are all there is to show.
    return encoded;
  }
}
