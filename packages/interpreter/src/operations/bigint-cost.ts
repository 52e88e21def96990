// Charges for operations on bigints by their size, which is known before the host computes. When a
// bigint is compared with a string of clearly different size, the string is not parsed.

import { chargeGuest } from "../limits.ts";
import { requireStack } from "../stack-room.ts";

// The maximum number of bits of a bigint that costs nothing extra. Such a bigint fits into one
// machine word.
const wordBits = 64;

/**
 * Estimates the number of bits of a bigint. The result is never too low, and at most 2 % too high.
 * Bigints of up to 64 bits count as 64.
 */
export function bitLength(value: bigint): number {
  if (value >= -0x7fffffffffffffffn && value <= 0x7fffffffffffffffn) return wordBits;
  const magnitude = Math.abs(Number(value)); // this takes the host the same time for every length
  if (magnitude < Number.POSITIVE_INFINITY) return Math.ceil(Math.log2(magnitude)) + 1;
  return longBitLength(value < 0n ? -value : value);
}

// How often the estimate is refined. Each step halves the error. Each step is also faster than the
// one before, because the host does not copy the bits that are shifted out.
const refinements = 6;

function longBitLength(magnitude: bigint): number {
  let step = 2 ** 30; // no host supports longer bigints
  while (magnitude >> BigInt(step) === 0n) step /= 2;
  let below = step; // a lower bound of the number of bits
  for (let round = 0; round < refinements; round++) {
    step /= 2;
    if (magnitude >> BigInt(below + step) !== 0n) below += step;
  }
  return below + step;
}

/** Charges the guest code that runs now for one pass through two bigints, such as a comparison. */
export function chargeBigints(left: bigint, right: bigint = left): void {
  const bits = Math.min(bitLength(left), bitLength(right));
  if (bits > wordBits) chargeGuest(bits >> 9);
}

/**
 * Charges the guest code that runs now for converting a bigint to a text of this many digits, or
 * such a text to a bigint. The time grows with the square of the number of digits.
 */
export function chargeDigits(digits: number): void {
  chargeGuest(operationsForDigits(digits));
}

/** Returns how many operations {@link chargeDigits} counts. */
export function operationsForDigits(digits: number): number {
  return digits > 16 ? digits + Math.ceil((digits * digits) / 4096) : 0;
}

/** Parses a string as a bigint; undefined if the string is not a bigint. Charges for the work. */
export function textToBigint(text: string): bigint | undefined {
  chargeDigits(text.length);
  try {
    return BigInt(text);
  } catch {
    return undefined; // the host threw a SyntaxError
  }
}

const longText = 300;
const bitsOfDigit = Math.log2(10);

/**
 * Parses a string as a bigint and compares it with `number`. Returns -1 if the string is less, 0 if
 * it is equal, 1 if it is greater, and NaN if it is not a bigint.
 */
export function compareTextWithBigint(text: string, number: bigint): number {
  const [order, digits] = text.length > longText ? compareBySize(text, number) : [0, text];
  if (order !== 0) return order;
  const value = textToBigint(digits);
  if (value === undefined) return Number.NaN;
  chargeBigints(value, number);
  return value < number ? -1 : value > number ? 1 : 0;
}

/**
 * Compares a string with a bigint by the number of digits. If this does not show which is greater,
 * `order` is 0, and `digits` is the string to parse.
 */
function compareBySize(text: string, number: bigint): readonly [order: number, digits: string] {
  chargeGuest(text.length >> 3);
  requireStack();
  const [, sign = "", digits] = /^\s*([+-]?)0*(\d+)\s*$/.exec(text) ?? [];
  if (digits === undefined) return [isDigitsOfOtherBase(text) ? 0 : Number.NaN, text];
  const bits = bitLength(number);
  if ((digits.length - 1) * bitsOfDigit > bits) return [sign === "-" ? -1 : 1, digits];
  const isShorter = digits.length * bitsOfDigit * 1.05 < bits - wordBits;
  if (isShorter) return [number > 0n ? -1 : 1, digits];
  return [0, sign + digits];
}

const isDigitsOfOtherBase = (text: string): boolean => /^\s*0[xob][\da-f]+\s*$/i.test(text);
