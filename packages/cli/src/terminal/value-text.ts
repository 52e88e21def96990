import { decodeValue, type EncodedValue } from "@smolts/protocol";
import { inspect } from "./host.ts";

/** How much of a value is shown. */
export interface ValueTextOptions {
  /** The longest text, in characters; a longer one is shortened. @defaultValue no limit */
  readonly maxLength?: number;
}

/** Returns a value on one line, in JavaScript notation. */
export function valueText(
  encoded: EncodedValue,
  { maxLength = Number.POSITIVE_INFINITY }: ValueTextOptions = {},
): string {
  const value = decoded(encoded);
  // Shorten the text before it is quoted, because inspect() does not report how much it cuts.
  if (typeof value === "string" && value.length > maxLength) {
    const { head, leftOut, tail } = ends(value, maxLength);
    return `${inspect(head)} … ${charactersText(leftOut)} … ${inspect(tail)}`;
  }
  const text = inspect(value, {
    depth: maxLength === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : 4,
    breakLength: Number.POSITIVE_INFINITY,
    maxStringLength: maxLength,
    maxArrayLength: maxLength,
  });
  return cutMiddle(text, maxLength);
}

/**
 * Returns an answer as people read it: text unchanged, whole numbers as digits, other values as
 * JSON if JSON can express them.
 */
export function answerText(encoded: EncodedValue): string {
  const value = decoded(encoded);
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return value.toString();
  // JSON cannot express values that the codec marks with a tag.
  const isPlainJson = !JSON.stringify(encoded).includes('"$":');
  return isPlainJson ? JSON.stringify(encoded, null, 2) : inspect(value, { depth: Number.POSITIVE_INFINITY });
}

/**
 * Returns the beginning and the end of a text that is too long, and how much is left out between
 * them.
 */
function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const { head, leftOut, tail } = ends(text, maxLength);
  return `${head} … ${charactersText(leftOut)} … ${tail}`;
}

/** How many lines of a long output are shown at its start and at its end. */
export const shownLines = { first: 25, last: 15 } as const;

const maxLineLength = 1_000;

/** Returns the lines of an output. Long lines are shortened in the middle. */
export const outputLines = (text: string): readonly string[] =>
  text.split("\n").map((line) => cutMiddle(line, maxLineLength));

/** Returns the first and the last lines of a long output, and the number of lines between them. */
export function cutOutput(text: string): string {
  const lines = outputLines(text);
  const leftOut = lines.length - shownLines.first - shownLines.last;
  if (leftOut <= 0) return lines.join("\n");
  return [...lines.slice(0, shownLines.first), leftOutText(leftOut), ...lines.slice(-shownLines.last)].join("\n");
}

/** Says how many lines are left out. */
export const leftOutText = (count: number): string => `… ${count} ${count === 1 ? "line" : "lines"} left out …`;

const charactersText = (count: number): string => `${count} ${count === 1 ? "character" : "characters"} left out`;

/** Returns the start and the end of a long text, in the ratio 2 : 1. Never splits a character. */
function ends(text: string, maxLength: number): { head: string; leftOut: number; tail: string } {
  const headLength = Math.ceil((maxLength * 2) / 3);
  const head = text.slice(0, isLowHalf(text, headLength) ? headLength - 1 : headLength);
  const tailStart = text.length - (maxLength - headLength);
  const tail = text.slice(isLowHalf(text, tailStart) ? tailStart + 1 : tailStart);
  return { head, leftOut: text.length - head.length - tail.length, tail };
}

const isLowHalf = (text: string, index: number): boolean => /[\udc00-\udfff]/.test(text[index] ?? "");

function decoded(encoded: EncodedValue): unknown {
  try {
    return decodeValue(encoded);
  } catch {
    // A damaged log is still shown as far as possible, with the undecoded value.
    return encoded;
  }
}
