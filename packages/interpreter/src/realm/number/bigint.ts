// BigInt. The cost of an operation grows with the size of its operands, so each operation is
// charged by that size.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { slotsOfKind } from "../../guest-value.ts";
import { bitLength, chargeDigits } from "../../operations/bigint-cost.ts";
import { PrimitiveSlots, toBigInt, toIndex, toIntegerOrInfinity, toPrimitive } from "../../operations/conversion.ts";
import { brief, counted, defineConstructor, defineMethods, defineTag, withLength } from "../define.ts";
import { formatNumber } from "../intl/formats.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** The built-in BigInt. */
export const bigintFamily: IntrinsicFamily = {
  intrinsics: ["BigIntPrototype"],
  globals: ["BigInt"],
  make: makeBigInt,
};

function makeBigInt(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const bigint = defineConstructor(realm, {
    name: "BigInt",
    length: 1,
    cost: "counted",
    prototype,
    construct: () => throwTypeError("BigInt is not a constructor; call it without new"),
    call: (_thisValue, value) => bigintFrom(value),
    statics: {
      asIntN: counted((_thisValue, bits, value) => {
        const width = toIndex(bits);
        const number = toBigInt(value);
        chargeWrapped(realm, Math.min(width, bitLength(number)));
        return BigInt.asIntN(width, number);
      }),
      asUintN: counted((_thisValue, bits, value) => {
        const width = toIndex(bits);
        const number = toBigInt(value);
        // A negative number always gets `width` digits.
        chargeWrapped(realm, number < 0n ? width : Math.min(width, bitLength(number)));
        return BigInt.asUintN(width, number);
      }),
    },
  });
  defineMethods(realm, prototype, {
    toLocaleString: counted(
      withLength(0, (thisValue, locales, options) => formatNumber(realm, bigintOf(thisValue), locales, options)),
    ),
    toString: counted(
      withLength(0, (thisValue, radix) => {
        const number = bigintOf(thisValue);
        const base = radix === undefined ? 10 : toIntegerOrInfinity(radix);
        if (base < 2 || base > 36) return throwRangeError(`a radix must be between 2 and 36, got ${base}`);
        return bigintText(realm, number, base);
      }),
    ),
    valueOf: brief((thisValue: unknown) => bigintOf(thisValue)),
  });
  defineTag(prototype, "BigInt");
  return { intrinsics: { BigIntPrototype: prototype }, globals: { BigInt: bigint } };
}

/** Returns the digits of a bigint, and charges by its size. */
function bigintText(realm: Realm, number: bigint, radix: number): string {
  const digits = bitLength(number) >>> 2;
  chargeDigits(digits);
  realm.meter.allocate(8 * digits);
  return number.toString(radix);
}

function bigintFrom(value: unknown): bigint {
  const primitive = toPrimitive(value, "number");
  if (typeof primitive === "number") {
    if (!Number.isInteger(primitive))
      return throwRangeError(`${primitive} is not a whole number and cannot become a bigint`);
    return BigInt(primitive);
  }
  return toBigInt(primitive);
}

/** Charges for a result of `BigInt.asIntN` or `BigInt.asUintN` that has at most `bits` bits. */
function chargeWrapped(realm: Realm, bits: number): void {
  realm.meter.charge(1 + Math.ceil(bits / 512));
  realm.meter.allocate(16 + Math.ceil(bits / 8));
}

function bigintOf(thisValue: unknown): bigint {
  if (typeof thisValue === "bigint") return thisValue;
  const value = slotsOfKind(thisValue, PrimitiveSlots)?.value;
  return typeof value === "bigint" ? value : throwTypeError("a method of bigints was called on something else");
}
