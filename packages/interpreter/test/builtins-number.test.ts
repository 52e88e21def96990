import { test } from "vitest";
import { expectAgreement } from "./language/agree.ts";

// The interpreter must give the same result as the host for each row. A row with "return" is a
// function body; a row without "return" is an expression.
const rows: readonly string[] = [
  "[(255).toString(16), (0.5).toString(2), (-7.5).toString(8), (1e21).toString(36)]",
  "(1).toString(1)",
  "[(1.005).toFixed(2), (1e21).toFixed(2), (-0.5).toFixed(0), (10).toFixed(3), (0).toFixed()]",
  "(1).toFixed(101)",
  "[(12345.678).toExponential(2), (0).toExponential(), NaN.toExponential(200), (1.5).toExponential(0)]",
  "[(123.456).toPrecision(4), (0.000123).toPrecision(2), (1e21).toPrecision(3)]",
  "(1).toPrecision(0)",
  '[Number("0x1f"), Number("0b11"), Number(" 12 "), Number("1e3"), Number(""), Number("1_000"), Number(null), Number([5]), Number("Infinity")]',
  "Number(10n) + Number(true) + new Number(5)",
  "Number(Symbol())",
  "[Number.isInteger(5.0), Number.isSafeInteger(2 ** 53), Number.EPSILON > 0, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE]",
  "Number.parseFloat === parseFloat && Number.parseInt === parseInt",
  "[Math.max(), Math.min(), Math.max(1, NaN), Math.max(-0, 0), Object.is(Math.min(0, -0), -0)]",
  "[Math.round(-0.5), Math.round(2.5), Math.round(-2.5), Math.trunc(-4.7), Math.sign(-3), Math.cbrt(27)]",
  "[Math.hypot(3, 4), Math.hypot(), Math.hypot(NaN, Infinity), Math.fround(5.5), Math.clz32(1), Math.imul(3, 4), Math.log2(8), Math.expm1(0)]",
  "[Math.atan2(1, 1), Math.pow(2, 10), 2 ** -1, Math.sqrt(2), Math.PI]",
  "Math.max(...Array.from({ length: 1000 }, (_, i) => i))",
  'Math.max({ valueOf: () => 7 }, "9")',
  "typeof Math.random() + (Math.random() < 1) + Object.prototype.toString.call(Math)",
  '(1234567.891).toLocaleString("en-US")',
  '(0.256).toLocaleString("en-US", { style: "percent" })',
  '(1234.5).toLocaleString("de-DE", { style: "currency", currency: "EUR" })',
  '(5).toLocaleString("en-US", { minimumFractionDigits: 2 })',
  '(5).toLocaleString("not a locale")',
  '(5).toLocaleString("en", { style: "nope" })',
  'new Intl.NumberFormat("en-US", { notation: "compact" }).format(1234567)',
  'new Intl.PluralRules("en-US").select(1) + new Intl.ListFormat("en", { type: "conjunction" }).format(["a", "b", "c"])',
  'new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day")',
  '["b", "a"].sort(new Intl.Collator("en").compare)',
  '[10n ** 20n, -7n / 2n, -7n % 3n, 5n << 3n, -5n >> 1n, 0xffn, BigInt("0b101"), BigInt("")].map(String)',
  "BigInt(1.5)",
  'BigInt("x")',
  "BigInt(undefined)",
  "1n + 1",
  "new BigInt(1)",
  "[1n < 2, 2n == 2, 1n === 1, typeof 1n, 0n ? 1 : 2]",
  'BigInt.asIntN(8, 255n) + "," + BigInt.asUintN(8, -1n) + "," + BigInt.asIntN(0, 5n)',
  '(255n).toString(16) + (-5n).toString(2) + (123456789012345678901234567890n).toLocaleString("en-US")',
  "1n / 0n",
  "2n ** -1n",
  "Math.max(1n)",
  "[0.1 + 0.2, 1 / 3, 100 / 3, 1e21 + 1, 5e-324, -1e-7]",
  "[-0 === 0, 1 / -0, 0 / 0, Infinity - Infinity, 5 % -3, -5 % 3, 2 ** 53 + 1]",
  '[1 << 31, 1 << 32, -1 >>> 0, ~5, 5 & 3, 5 | 3, 5 ^ 3, "5" * "2", "5" - 2, +"", +" 1 "]',
  'Number.prototype.toString.call("x")',
  "(25).toString(36) + (0.1).toString(3).slice(0, 10) + (2 ** 60).toString(7)",
];

test.each(rows)("numbers: %s", async (row) => {
  await expectAgreement(/\breturn\b/.test(row) ? row : `return ${row};`);
});
