import { expect, test } from "vitest";
import { expectAgreement } from "./language/agree.ts";
import { evaluateGuest } from "./language/evaluate-guest.ts";

// Each row runs in the host and in the interpreter: a function body, or, without "return", an expression.
const rows: readonly string[] = [
  "[new Date(0).toISOString(), new Date(1e12).toJSON(), new Date(NaN).toJSON()]",
  "new Date(NaN).toISOString()",
  "[Date.UTC(2026, 10, 21), Date.UTC(2026), Date.UTC(99, 0), Date.UTC(2026, 12, 32, 25, 61, 61, 1001), Date.UTC()]",
  '[Date.parse("2026-11-21"), Date.parse("2026-11-21T10:20:30Z"), Date.parse("2026-11-21T10:20:30.123+02:00"), Date.parse("2026-11"), Date.parse("2026"), Date.parse("+012026-01-01")]',
  '[Date.parse("nope"), Date.parse("2026-13-01"), Date.parse("2026-02-30T25:00Z"), Date.parse("-000000-01-01")]',
  '[Date.parse("Sat, 21 Nov 2026 10:20:30 GMT"), Date.parse("Nov 21, 2026 10:00 UTC"), Date.parse("21 November 2026 10:00 GMT+0200")]',
  'const d = new Date("2026-11-21T10:20:30.456Z"); return [d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate(), d.getUTCDay(), d.getUTCHours(), d.getUTCMinutes(), d.getUTCSeconds(), d.getUTCMilliseconds(), d.getTime(), +d];',
  "const d = new Date(0); return [d.setUTCFullYear(2026, 1, 29), d.setUTCMonth(13), d.setUTCDate(0), d.setUTCHours(25, 61), d.setUTCMinutes(-1), d.setUTCSeconds(1, 2), d.setUTCMilliseconds(1e6), d.setTime(5)];",
  "const d = new Date(NaN); return [d.setUTCHours(1), d.setUTCFullYear(2020), d.getTime()];",
  "const d = new Date(0); return [d.setUTCHours(), d.getTime()];",
  "new Date(8.64e15 + 1).getTime()",
  'new Date(new Date(5)).getTime() + new Date("5").getTime() * 0 + new Date(true).getTime()',
  "new Date({ valueOf: () => 7 }).getTime()",
  "new Date(2 ** 60).getTime()",
  "new Date(1.9).getTime() + new Date(-1.9).getTime()",
  "[new Date(0) < new Date(1), new Date(5) - new Date(3), new Date(3) == 3]",
  "typeof (new Date(0) + 1) + typeof (new Date(0) - 1)",
  'new Date(0)[Symbol.toPrimitive]("number")',
  'new Date(0)[Symbol.toPrimitive]("x")',
  "Date.prototype.getTime.call({})",
  "typeof Date() + typeof Date.now() + Date.length + Date.name",
  "new Date(0).toUTCString() + new Date(-62198755200000).toUTCString()",
  'new Date(Date.UTC(2026, 10, 21)).toLocaleDateString("en-US", { timeZone: "UTC" })',
  'new Date(Date.UTC(2026, 10, 21, 15)).toLocaleTimeString("en-US", { timeZone: "UTC" })',
  'new Date(0).toLocaleString("de-DE", { timeZone: "UTC", dateStyle: "full", timeStyle: "short" })',
  'new Date(0).toLocaleDateString("en-US", { timeZone: "America/New_York", weekday: "long", hour: "numeric" })',
  'new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", year: "numeric", month: "long" }).format(new Date(0))',
  'new Intl.DateTimeFormat("en-US", { timeZone: "UTC" }).formatToParts(0).map((p) => p.type + p.value).join()',
  "new Date(NaN).toLocaleString() + String(new Date(NaN))",
  "class D extends Date { iso() { return this.toISOString(); } } return new D(0).iso();",
  "Object.prototype.toString.call(new Date(0))",
  "JSON.stringify({ d: new Date(0) })",
  "const d = new Date(0); d.x = 1; return [Object.keys(d), d.x];",
  'Date.prototype.toJSON.call({ toISOString: () => "own", valueOf: () => 1 })',
];

test.each(rows)("dates: %s", async (row) => {
  await expectAgreement(/\breturn\b/.test(row) ? row : `return ${row};`);
});

const inUtc: readonly (readonly [string, unknown])[] = [
  ["new Date(2026, 10, 21, 10, 20).toISOString()", "2026-11-21T10:20:00.000Z"],
  ["String(new Date(0))", "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)"],
  [
    "new Date(0).toDateString() + '|' + new Date(0).toTimeString()",
    "Thu Jan 01 1970|00:00:00 GMT+0000 (Coordinated Universal Time)",
  ],
  ["new Date(0).getTimezoneOffset()", 0],
  ["new Date('2026-11-21T10:00').getTime() === Date.UTC(2026, 10, 21, 10)", true],
  ["new Date('2026-11-21 10:00').getTime() === Date.UTC(2026, 10, 21, 10)", true],
  ["new Date('Nov 21, 2026').getTime() === Date.UTC(2026, 10, 21)", true],
  ["new Date(0).getHours() + new Date(0).getDate()", 1],
  ["new Date(Date.UTC(2026, 6, 1)).toLocaleString()", "7/1/2026, 12:00:00 AM"],
  ["const d = new Date(0); d.setHours(5, 6); d.toISOString()", "1970-01-01T05:06:00.000Z"],
  ["new Date(new Date(0).toString()).getTime()", 0],
];

test.each(inUtc)("the zone is UTC wherever the host is: %s", async (code, expected) => {
  expect(await evaluateGuest(code)).toBe(expected);
});
