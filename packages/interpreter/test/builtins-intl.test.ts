import { expect, test } from "vitest";
import { evaluateGuest } from "./language/evaluate-guest.ts";
import { expectWebAgreement } from "./web-agree.ts";

const rows: readonly string[] = [
  "[(1234567.891).toLocaleString('en-US'), (0.256).toLocaleString('en-US', { style: 'percent' }), (12).toLocaleString('en-US', { style: 'currency', currency: 'EUR' }), (1234.5).toLocaleString('de-DE'), (123456789n).toLocaleString('en-US')]",
  "new Intl.NumberFormat('en-US', { notation: 'compact' }).format(12345)",
  "[1, 22].map(new Intl.NumberFormat('en-US', { minimumIntegerDigits: 3 }).format)",
  "new Intl.NumberFormat('en-US', { style: 'currency' })",
  "new Intl.NumberFormat('not a locale')",
  "new Intl.NumberFormat('en-US').formatToParts(1234.5)",
  "Intl.NumberFormat('en-US').format(1e6)",
  "new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).format(new Date(0))",
  "new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(0)",
  "new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' }).formatToParts(new Date(0))",
  "new Intl.DateTimeFormat('en-US', { timeZone: 'Nowhere/Land' })",
  "new Intl.DateTimeFormat('en-US').format(NaN)",
  "[new Date(0).toLocaleDateString('en-US', { timeZone: 'UTC' }), new Date(0).toLocaleTimeString('en-US', { timeZone: 'UTC' }), new Date(0).toLocaleString('en-GB', { timeZone: 'UTC' }), new Date(NaN).toLocaleString()]",
  "new Date(0).toLocaleDateString('en-US', { timeZone: 'UTC', weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' })",
  "new Date(0).toLocaleTimeString('en-US', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit', hour12: false })",
  "['z', 'ä', 'a', 'Z'].sort(new Intl.Collator('de').compare)",
  "['a10', 'a2'].sort(new Intl.Collator('en', { numeric: true }).compare)",
  "['a'.localeCompare('B', 'en'), 'a'.localeCompare('A', 'en', { sensitivity: 'base' })]",
  "[0, 1, 2, 5].map((n) => new Intl.PluralRules('en-US').select(n))",
  "['one', 'two', 'few', 'other'].includes(new Intl.PluralRules('en-US', { type: 'ordinal' }).select(2))",
  "new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }).format(['a', 'b', 'c'])",
  "new Intl.ListFormat('en').format(['a', 1])",
  "[new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day'), new Intl.RelativeTimeFormat('en').format(3, 'hours')]",
  "new Intl.RelativeTimeFormat('en').format(3, 'parsecs')",
  "['I'.toLocaleLowerCase('tr'), 'i'.toLocaleUpperCase('tr'), 'ß'.toLocaleUpperCase('de')]",
  "Intl.getCanonicalLocales(['EN-us', 'de'])",
  "[Object.prototype.toString.call(Intl), String(new Intl.NumberFormat('en'))]",
  "new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }).resolvedOptions().maximumFractionDigits",
];

test.each(rows)("agrees with the host: %s", (row) => expectWebAgreement(row));

const ownDefaults: readonly [code: string, value: unknown][] = [
  ["(1234.5).toLocaleString()", "1,234.5"],
  ["new Date(0).toLocaleString()", "1/1/1970, 12:00:00 AM"],
  ["new Intl.DateTimeFormat().resolvedOptions().timeZone", "UTC"],
  ["new Intl.NumberFormat().resolvedOptions().locale", "en-US"],
  ["Reflect.ownKeys(new Intl.NumberFormat()).length", 0],
];

test.each(ownDefaults)("whatever the machine is set to: %s", async (code, value) => {
  const text = await evaluateGuest(code);
  expect(typeof text === "string" ? text.replaceAll("\u202f", " ") : text).toBe(value);
});
