import { expect, test } from "vitest";
import { expectAgreement } from "./language/agree.ts";
import { evaluateGuest } from "./language/evaluate-guest.ts";

// The interpreter must give the same result as the host for each row. A row with "return" is a
// function body; a row without "return" is an expression.
const rows: readonly string[] = [
  "[...[1, 2, 3].entries()]",
  "Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))[Symbol.iterator].name",
  'const it = "ab"[Symbol.iterator](); return [it[Symbol.toStringTag], it.next(), [...it]];',
  "const it = new Set([1])[Symbol.iterator](); return it[Symbol.iterator]() === it;",
  'const log = []; const it = { [Symbol.iterator]() { return { next: () => ({ value: log.push("next"), done: false }), return: () => (log.push("return"), {}) }; } }; for (const x of it) if (x > 2) break; return log;',
];

test.each(rows)("iterators: %s", async (row) => {
  await expectAgreement(/\breturn\b/.test(row) ? row : `return ${row};`);
});

// Node 20 does not have these methods, so the expected values are those of the specification.
const helpers: readonly (readonly [string, unknown])[] = [
  ["[1, 2, 3].values().map((x) => x * 2).toArray()", [2, 4, 6]],
  ["[1, 2, 3, 4].values().filter((x) => x % 2).toArray()", [1, 3]],
  ["[1, 2, 3].values().take(2).toArray()", [1, 2]],
  ["[1, 2, 3].values().drop(1).toArray()", [2, 3]],
  [
    "[-1, NaN, 2 ** 53, Infinity, 2 ** 53 - 1].map((n) => { try { [1].values().take(n); return 'taken' } catch (e) { return e.name } })",
    ["RangeError", "RangeError", "RangeError", "taken", "taken"],
  ],
  ["[1, 2].values().flatMap((x) => [x, x * 10]).toArray()", [1, 10, 2, 20]],
  ["[1, 2, 3].values().reduce((a, b) => a + b)", 6],
  ["[1, 2].values().some((x) => x > 1) && [1, 2].values().every((x) => x > 0)", true],
  ["[1, 2, 3].values().find((x) => x > 1)", 2],
  ["Iterator.from({ next() { return { done: this.n > 2, value: this.n++ }; }, n: 0 }).toArray()", [0, 1, 2]],
  ["Iterator.from('ab').toArray()", ["a", "b"]],
  [
    "(function* () { let i = 0; for (;;) yield i++; })().filter((x) => x % 2).map((x) => x * x).drop(1).take(3).toArray()",
    [9, 25, 49],
  ],
  [
    "const log = []; const it = { __proto__: Iterator.prototype, next() { return { done: false, value: 1 }; }, return() { log.push('closed'); return {}; } }; it.take(1).toArray(); log",
    ["closed"],
  ],
  ["try { [].values().take(NaN); } catch (e) { e.name }", "RangeError"],
  ["try { new Iterator(); } catch (e) { e.name }", "TypeError"],
  ["class I extends Iterator {} new I() instanceof Iterator", true],
  ["[...new Set([1, 2, 3]).union(new Set([3, 4]))]", [1, 2, 3, 4]],
  ["[...new Set([1, 2, 3]).intersection(new Set([3, 2]))]", [3, 2]],
  ["[...new Set([1, 2, 3]).difference(new Set([2]))]", [1, 3]],
  ["[...new Set([1, 2]).symmetricDifference(new Set([2, 3]))]", [1, 3]],
  [
    "new Set([1]).isSubsetOf(new Set([1, 2])) && new Set([1, 2]).isSupersetOf(new Set([1])) && new Set([1]).isDisjointFrom(new Set([2]))",
    true,
  ],
  [
    "Object.entries(Object.groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even')))",
    [
      ["odd", [1, 3]],
      ["even", [2]],
    ],
  ],
  ["Map.groupBy([1, 2, 3], (x) => x % 2).get(1)", [1, 3]],
];

test.each(helpers)("%s", async (code, expected) => {
  expect(await evaluateGuest(code)).toEqual(expected);
});
