// Operators on bigints. They are charged by the size of their operands before the host computes,
// because one such step on large operands can take very long.

import { throwRangeError, throwTypeError } from "../guest-throw.ts";
import type { Meter } from "../limits.ts";
import { bitLength } from "../operations/bigint-cost.ts";

/** The maximum number of bits in a bigint of a program. */
const maxBits = 1 << 24;

// The bytes that the host needs for a bigint in addition to its digits.
const bytesOfBigint = 24;

/** Charges for an operator on two bigints and computes it. */
export type BigintOperation = (meter: Meter, a: bigint, b: bigint) => bigint;

/** Returns the function that charges for an operator and computes it. */
export function bigintOperation(operator: string): BigintOperation {
  switch (operator) {
    case "+":
      return addBigints;
    case "-":
      return (meter, a, b) => (chargeSum(meter, a, b), a - b);
    case "*":
      return (meter, a, b) => (chargeProduct(meter, a, b), a * b);
    case "/":
      return (meter, a, b) => (chargeProduct(meter, a, nonZero(b)), a / b);
    case "%":
      return (meter, a, b) => (chargeProduct(meter, a, nonZero(b)), a % b);
    case "**":
      return power;
    case "&":
      return (meter, a, b) => (chargeSum(meter, a, b), a & b);
    case "|":
      return (meter, a, b) => (chargeSum(meter, a, b), a | b);
    case "^":
      return (meter, a, b) => (chargeSum(meter, a, b), a ^ b);
    case "<<":
      return shift;
    case ">>":
      return (meter, a, b) => shift(meter, a, -b);
    case ">>>":
      return () => throwTypeError("a bigint has no unsigned shift; use >>");
    default:
      throw new Error(`no arithmetic operator "${operator}"`);
  }
}

/** Charges for `a + b` and computes it. */
export function addBigints(meter: Meter, a: bigint, b: bigint): bigint {
  chargeSum(meter, a, b);
  return a + b;
}

function chargeSum(meter: Meter, a: bigint, b: bigint): void {
  const bits = Math.max(bitLength(a), bitLength(b));
  if (bits <= 64) return;
  meter.charge(bits >> 9);
  meter.allocate(bytesOfBigint + (bits >> 3));
}

/** Charges for an operator on one bigint and computes it. The result has about the same size. */
export function bigintUnary(meter: Meter, value: bigint, operator: (value: bigint) => bigint): bigint {
  chargeSum(meter, value, value);
  return operator(value);
}

function chargeProduct(meter: Meter, a: bigint, b: bigint): void {
  const aBits = bitLength(a);
  const bBits = bitLength(b);
  if (aBits + bBits > maxBits) throwRangeError("the bigint would be too large");
  meter.charge(Math.ceil((aBits * bBits) / 2 ** 18));
  meter.allocate((aBits + bBits) >> 3);
}

function power(meter: Meter, base: bigint, exponent: bigint): bigint {
  if (exponent < 0n) return throwRangeError("the exponent of a bigint must not be negative");
  if (base === 0n || base === 1n || base === -1n || exponent < 2n) return base ** exponent;
  const bits = (base === 2n || base === -2n ? 1 : bitLength(base)) * Number(exponent);
  if (bits > maxBits) return throwRangeError("the bigint would be too large");
  meter.charge(Math.ceil((bits * bits) / 2 ** 18));
  meter.allocate(bits >> 3);
  return base ** exponent;
}

function shift(meter: Meter, value: bigint, left: bigint): bigint {
  if (value === 0n || left === 0n) return value;
  if (left < 0n) return (chargeSum(meter, value, value), value >> -left);
  const bits = bitLength(value) + Number(left);
  if (bits > maxBits) return throwRangeError("the bigint would be too large");
  meter.charge(bits >> 9);
  meter.allocate(bits >> 3);
  return value << left;
}

function nonZero(divisor: bigint): bigint {
  return divisor === 0n ? throwRangeError("division of a bigint by zero") : divisor;
}
