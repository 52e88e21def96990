// The cost of bigints, from their size, which is known before the host computes. A comparison with
// text skips parsing if the sizes differ.

import { chargeTurn } from "../limits.ts";
import { requireStack } from "../stack-room.ts";

// Those of one machine word need no payment of their own.
const wordBits = 64;

/** About how many bits a bigint has, never less and at most 2 % more; all small ones have 64. */
export function bitLength(value: bigint): number {
  if (value >= -0x7fffffffffffffffn && value <= 0x7fffffffffffffffn) return wordBits;
  const magnitude = Math.abs(Number(value)); // takes the host no longer for a long one
  if (magnitude < Number.POSITIVE_INFINITY) return Math.ceil(Math.log2(magnitude)) + 1;
  return longBitLength(value < 0n ? -value : value);
}

// Bits that are shifted out cost the host nothing, so each step is quicker than the one before.
const refinements = 6;

function longBitLength(magnitude: bigint): number {
  let step = 2 ** 30; // the host has no longer ones
  while (magnitude >> BigInt(step) === 0n) step /= 2;
  let below = step; // so many bits there are at least
  for (let round = 0; round < refinements; round++) {
    step /= 2;
    if (magnitude >> BigInt(below + step) !== 0n) below += step;
  }
  return below + step;
}

/**
 * Counts, for whoever has the turn, that the host goes through bigints once, as when it compares
 * them.
 */
export function chargeBigints(left: bigint, right: bigint = left): void {
  const bits = Math.min(bitLength(left), bitLength(right));
  if (bits > wordBits) chargeTurn(bits >> 9);
}

/**
 * Counts, for whoever has the turn, that so many digits become a bigint, or the other way round:
 * the time grows with the square of their number.
 */
export function chargeDigits(digits: number): void {
  chargeTurn(operationsForDigits(digits));
}

/** What {@link chargeDigits} counts. */
export function operationsForDigits(digits: number): number {
  return digits > 16 ? digits + Math.ceil((digits * digits) / 4096) : 0;
}

/** The bigint that a text stands for; undefined when it stands for none. Counted. */
export function textToBigint(text: string): bigint | undefined {
  chargeDigits(text.length);
  try {
    return BigInt(text);
  } catch {
    return undefined; // the host's SyntaxError
  }
}

const longText = 300;
const bitsOfDigit = Math.log2(10);

/**
 * Whether a text, read as a bigint, is less than (-1), equal to (0) or greater than (1) a bigint;
 * NaN when it stands for none.
 */
export function compareTextWithBigint(text: string, number: bigint): number {
  const [order, digits] = text.length > longText ? compareBySize(text, number) : [0, text];
  if (order !== 0) return order;
  const value = textToBigint(digits);
  if (value === undefined) return Number.NaN;
  chargeBigints(value, number);
  return value < number ? -1 : value > number ? 1 : 0;
}

/** The result if the number of digits decides it. Otherwise 0, and the text to read instead. */
function compareBySize(text: string, number: bigint): readonly [order: number, digits: string] {
  chargeTurn(text.length >> 3);
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
