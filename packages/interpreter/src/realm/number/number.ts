// Number: the constructor and the prototype.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { brand, slotsOfKind } from "../../guest-value.ts";
import { ordinaryCreateFromConstructor } from "../../operations/call.ts";
import { PrimitiveSlots, toIntegerOrInfinity, toNumeric } from "../../operations/conversion.ts";
import { noteIfPromise } from "../../operations/promise-watch.ts";
import {
  brief,
  counted,
  defineConstructor,
  defineHidden,
  defineMethods,
  type MethodTable,
  withLength,
} from "../define.ts";
import { globalNumberFunctions } from "../global-functions.ts";
import { formatNumber } from "../intl/formats.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { countedText } from "../string/text.ts";

/** The built-in Number. */
export const numberFamily: IntrinsicFamily = {
  intrinsics: ["NumberPrototype"],
  globals: ["Number", "parseFloat", "parseInt"],
  make: makeNumber,
};

const asNumber = "was tested as if it were a number";

function makeNumber(realm: Realm): MadeFamily {
  const prototype = brand(realm.newObject(), new PrimitiveSlots(0));
  const number = defineConstructor(realm, {
    name: "Number",
    length: 1,
    cost: "counted",
    prototype,
    construct: (newTarget, ...args) => {
      const value = numberFrom(args);
      realm.meter.allocate(32);
      return brand(ordinaryCreateFromConstructor(realm, newTarget, "NumberPrototype"), new PrimitiveSlots(value));
    },
    call: (_thisValue, ...args) => numberFrom(args),
    statics: {
      isFinite: counted((_thisValue, value) => Number.isFinite(noteIfPromise(realm, value, asNumber))),
      isInteger: counted((_thisValue, value) => Number.isInteger(noteIfPromise(realm, value, asNumber))),
      isNaN: counted((_thisValue, value) => Number.isNaN(noteIfPromise(realm, value, asNumber))),
      isSafeInteger: counted((_thisValue, value) => Number.isSafeInteger(noteIfPromise(realm, value, asNumber))),
    },
    constants: {
      EPSILON: Number.EPSILON,
      MAX_SAFE_INTEGER: Number.MAX_SAFE_INTEGER,
      MAX_VALUE: Number.MAX_VALUE,
      MIN_SAFE_INTEGER: Number.MIN_SAFE_INTEGER,
      MIN_VALUE: Number.MIN_VALUE,
      NaN: Number.NaN,
      NEGATIVE_INFINITY: Number.NEGATIVE_INFINITY,
      POSITIVE_INFINITY: Number.POSITIVE_INFINITY,
    },
  });
  defineMethods(realm, prototype, numberMethods(realm));
  const { parseFloat, parseInt } = globalNumberFunctions(realm);
  defineHidden(number, "parseFloat", parseFloat);
  defineHidden(number, "parseInt", parseInt);
  return { intrinsics: { NumberPrototype: prototype }, globals: { Number: number, parseFloat, parseInt } };
}

function numberMethods(realm: Realm): MethodTable {
  return {
    toExponential: brief((thisValue, digits) => {
      const number = numberOf(thisValue);
      const fraction = toIntegerOrInfinity(digits);
      if (!Number.isFinite(number)) return String(number);
      requireDigits(fraction, 0);
      return countedText(realm, number.toExponential(digits === undefined ? undefined : fraction));
    }),
    toFixed: brief((thisValue, digits) => {
      const number = numberOf(thisValue);
      const fraction = toIntegerOrInfinity(digits);
      requireDigits(fraction, 0);
      return countedText(realm, number.toFixed(fraction));
    }),
    toLocaleString: counted(
      withLength(0, (thisValue, locales, options) => formatNumber(realm, numberOf(thisValue), locales, options)),
    ),
    toPrecision: brief((thisValue, digits) => {
      const number = numberOf(thisValue);
      if (digits === undefined) return countedText(realm, String(number));
      const precision = toIntegerOrInfinity(digits);
      if (!Number.isFinite(number)) return String(number);
      requireDigits(precision, 1);
      return countedText(realm, number.toPrecision(precision));
    }),
    toString: brief((thisValue: unknown, radix: unknown) => {
      const number = numberOf(thisValue);
      const base = radix === undefined ? 10 : toIntegerOrInfinity(radix);
      if (base < 2 || base > 36) return throwRangeError(`a radix must be between 2 and 36, got ${base}`);
      return countedText(realm, number.toString(base));
    }),
    valueOf: brief((thisValue: unknown) => numberOf(thisValue)),
  };
}

function numberFrom(args: readonly unknown[]): number {
  return args.length === 0 ? 0 : Number(toNumeric(args[0]));
}

function requireDigits(digits: number, least: number): void {
  if (digits < least || digits > 100)
    throwRangeError(`the number of digits must be between ${least} and 100, got ${digits}`);
}

function numberOf(thisValue: unknown): number {
  if (typeof thisValue === "number") return thisValue;
  const value = slotsOfKind(thisValue, PrimitiveSlots)?.value;
  return typeof value === "number" ? value : throwTypeError("a method of numbers was called on something else");
}
