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
  "['EN-us', 'EN-us', 'en-US', ['de', 'en'], ['en', 'de']].map((tags) => (1234.5).toLocaleString(tags))",
  "[0, 1, 2, 5].map((n) => new Intl.PluralRules('en-US').select(n))",
  "['one', 'two', 'few', 'other'].includes(new Intl.PluralRules('en-US', { type: 'ordinal' }).select(2))",
  "new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }).format(['a', 'b', 'c'])",
  "new Intl.ListFormat('en').format(['a', 1])",
  "[new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day'), new Intl.RelativeTimeFormat('en').format(3, 'hours')]",
  "new Intl.RelativeTimeFormat('en').format(3, 'parsecs')",
  "new Intl.RelativeTimeFormat('en').formatToParts(-10, 'days')",
  "[new Intl.ListFormat('en', { type: 'disjunction' }).formatToParts(['a', 'b']), new Intl.ListFormat('de').format(new Set(['a', 'b']))]",
  "new Intl.PluralRules('ar').resolvedOptions().pluralCategories.sort()",
  "[new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).formatRange(1, 5), new Intl.NumberFormat('en').formatRangeToParts(1, 2n)]",
  "new Intl.NumberFormat('en').formatRange(1)",
  "new Intl.NumberFormat('en').formatRange.call({}, 1, 2)",
  "[new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).formatRange(0, new Date(864e5 * 5)), new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).formatRangeToParts(0, 864e7).length]",
  "new Intl.DateTimeFormat('en').formatRange(0, NaN)",
  "[...new Intl.Segmenter('en', { granularity: 'word' }).segment(\"Hello, it's 5 o'clock.\")].filter((part) => part.isWordLike).map((part) => part.segment)",
  "[...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment('👨‍👩‍👧é🇺🇸')].map((part) => [part.segment, part.index, part.input.length])",
  "Array.from(new Intl.Segmenter('en', { granularity: 'sentence' }).segment('Hi there. How are you?'), ({ segment }) => segment)",
  "const segments = new Intl.Segmenter('en', { granularity: 'word' }).segment('one two'); return [segments.containing(5), segments.containing(), segments.containing(7), segments.containing(-1)]",
  "const walk = new Intl.Segmenter().segment('ab')[Symbol.iterator](); return [walk.next(), walk.next().value.segment, walk.next(), String(walk)]",
  "new Intl.Segmenter('en', { granularity: 'page' })",
  "new Intl.Segmenter().resolvedOptions().granularity",
  "[new Intl.DisplayNames('en', { type: 'region' }).of('US'), new Intl.DisplayNames(['de'], { type: 'currency' }).of('USD'), new Intl.DisplayNames('en', { type: 'language' }).of('fr-CA')]",
  "new Intl.DisplayNames('en', { type: 'region' }).of('not a region')",
  "new Intl.DisplayNames('en')",
  "const locale = new Intl.Locale('en-Latn-US-u-hc-h12'); return [locale.language, locale.script, locale.region, locale.hourCycle, String(locale), locale.baseName, String(locale.minimize())]",
  "[String(new Intl.Locale('en', { region: 'GB', numeric: true })), new Intl.Locale('zh').maximize().script, (1.5).toLocaleString(new Intl.Locale('de')), new Intl.NumberFormat([new Intl.Locale('de')]).format(1.5)]",
  "new Intl.Locale('no locale at all')",
  "new Intl.Locale()",
  "[Intl.supportedValuesOf('unit').includes('meter'), Intl.NumberFormat.supportedLocalesOf(['de', 'xx'])]",
  "Intl.supportedValuesOf('colour')",
  "[[1.5, 2].toLocaleString('de'), [new Date(0)].toLocaleString('de', { timeZone: 'UTC' })]",
  "new Intl.NumberFormat('en').format('12345678901234567890')",
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

test.each(ownDefaults)("does not depend on the machine's locale: %s", async (code, value) => {
  const text = await evaluateGuest(code);
  expect(typeof text === "string" ? text.replaceAll("\u202f", " ") : text).toBe(value);
});
