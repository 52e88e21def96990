// Math. Random numbers come from the session's seed.

import type { GuestObject } from "../../guest-value.ts";
import { toNumber, toUint32 } from "../../operations/conversion.ts";
import { brief, counted, defineConstants, defineMethods, defineTag, type MethodTable, withLength } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** The built-in Math. */
export const mathFamily: IntrinsicFamily = { intrinsics: [], globals: ["Math"], make: makeMath };

const constants = ["E", "LN10", "LN2", "LOG10E", "LOG2E", "PI", "SQRT1_2", "SQRT2"] as const;

const unary = [
  "abs",
  "acos",
  "acosh",
  "asin",
  "asinh",
  "atan",
  "atanh",
  "cbrt",
  "ceil",
  "clz32",
  "cos",
  "cosh",
  "exp",
  "expm1",
  "floor",
  "fround",
  "log",
  "log10",
  "log1p",
  "log2",
  "round",
  "sign",
  "sin",
  "sinh",
  "sqrt",
  "tan",
  "tanh",
  "trunc",
] as const;

function makeMath(realm: Realm): MadeFamily {
  const math: GuestObject = realm.newObject();
  defineConstants(math, Object.fromEntries(constants.map((name) => [name, Math[name]])));
  const methods: { [name: string]: MethodTable[string] } = {
    atan2: brief((_thisValue, y, x) => {
      const ordinate = toNumber(y);
      return Math.atan2(ordinate, toNumber(x));
    }),
    hypot: counted(withLength(2, (_thisValue, ...values) => hypotenuse(realm, values))),
    imul: brief((_thisValue, left, right) => {
      const factor = toUint32(left);
      return Math.imul(factor, toUint32(right));
    }),
    max: counted(withLength(2, (_thisValue, ...values) => extreme(realm, values, Number.NEGATIVE_INFINITY, Math.max))),
    min: counted(withLength(2, (_thisValue, ...values) => extreme(realm, values, Number.POSITIVE_INFINITY, Math.min))),
    pow: brief((_thisValue, base, exponent) => {
      const number = toNumber(base);
      return number ** toNumber(exponent);
    }),
    random: brief(() => realm.surroundings.random()),
  };
  for (const name of unary) {
    const compute = Math[name];
    methods[name] = brief((_thisValue, value) => compute(toNumber(value)));
  }
  defineMethods(realm, math, methods);
  defineTag(math, "Math");
  return { intrinsics: {}, globals: { Math: math } };
}

function hypotenuse(realm: Realm, values: readonly unknown[]): number {
  realm.meter.charge(values.length);
  const [first, second] = values;
  if (values.length === 2 && typeof first === "number" && typeof second === "number") return Math.hypot(first, second);
  return Math.hypot(...values.map((value) => toNumber(value)));
}

/**
 * Returns the largest or smallest number. Converts every value to a number. If one is NaN, the
 * result is NaN. Treats 0 as greater than -0.
 */
function extreme(
  realm: Realm,
  values: readonly unknown[],
  ofNone: number,
  choose: (one: number, other: number) => number,
): number {
  realm.meter.charge(values.length);
  let result = ofNone;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    result = choose(result, typeof value === "number" ? value : toNumber(value));
  }
  return result;
}
