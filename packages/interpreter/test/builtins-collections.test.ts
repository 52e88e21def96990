import { test } from "vitest";
import { expectAgreement } from "./language/agree.ts";

// The interpreter must give the same result as the host for each row. A row with "return" is a
// function body; a row without "return" is an expression.
const rows: readonly string[] = [
  'const m = new Map([[1, "a"], ["1", "b"], [NaN, "n"], [-0, "z"]]); return [m.get(1), m.get("1"), m.get(NaN), m.get(0), Object.is([...m.keys()][3], 0), m.size];',
  "const m = new Map([[1, 1], [2, 2], [3, 3]]); const out = []; for (const [k] of m) { out.push(k); if (k === 1) m.delete(2); if (k === 3 && !m.has(4)) m.set(4, 4); } return out;",
  "const m = new Map([[1, 1], [2, 2]]); const out = []; for (const [k] of m) { out.push(k); if (out.length < 5) { m.delete(k); m.set(k, k); } } return out;",
  "const m = new Map([[1, 1], [2, 2]]); const out = []; m.forEach((v, k) => { out.push(k); if (k === 1) { m.clear(); m.set(9, 9); } }); return out;",
  "const s = new Set([1, 2, 3]); const out = []; s.forEach((v) => { out.push(v); s.delete(v); if (v < 3) s.add(v + 10); }); return out;",
  "const it = new Map([[1, 2]]).entries(); return [it.next(), it.next(), it.next(), it[Symbol.toStringTag]];",
  'const m = new Map(); const it = m.keys(); m.set("late", 1); return [it.next(), it.next(), (m.set("later", 1), it.next())];',
  "const m = new Map([[{}, 1]]); return m.get({});",
  "new Map([1])",
  "new Map(5)",
  "new Map(null).size + new Set(undefined).size",
  "Map()",
  "Map.prototype.get.call(new Set(), 1)",
  "Set.prototype.add.call({}, 1)",
  "new Map([[1, 2]]).set(3, 4).size",
  "Map.groupBy ? 1 : 1",
  '[...new Set("hello")].join("")',
  "const s = new Set([1]); return [s.add(1) === s, s.has(1), s.delete(1), s.delete(1), s.size];",
  "[...new Set([1, 2]).entries()]",
  "Set.prototype.keys === Set.prototype.values && Set.prototype[Symbol.iterator] === Set.prototype.values && Map.prototype[Symbol.iterator] === Map.prototype.entries",
  'class M extends Map { set(k, v) { return super.set(k, v * 2); } } return [...new M([["a", 1]])];',
  "class S extends Set { add(v) { return super.add(v + 1); } } return [...new S([1, 2])];",
  'const log = []; const it = { [Symbol.iterator]() { return { next: () => ({ done: false, value: 1 }), return() { log.push("closed"); return {}; } }; } }; try { new Map(it); } catch (e) { log.push(e.name); } return log;',
  "const w = new WeakMap(); const k = {}; w.set(k, 1); return [w.get(k), w.has({}), w.delete(k), w.has(k)];",
  "new WeakMap().set(1, 2)",
  "new WeakMap().get(1)",
  "new WeakSet([1])",
  "const k = {}; return new WeakSet([k]).has(k);",
  'new WeakMap([[Symbol("ok"), 1]]) instanceof WeakMap',
  'new WeakMap().set(Symbol.for("x"), 1)',
  "const o = {}; return new WeakRef(o).deref() === o;",
  "Object.prototype.toString.call(new Map()) + Object.prototype.toString.call(new WeakSet())",
  'new Map([["a", { x: 1 }]]).get("a").x',
  'Object.fromEntries(new Map([["a", 1], ["b", 2]]))',
  "Array.from(new Map([[1, 2]]), ([k, v]) => k + v)",
  "[...new Map([[1, 2], [3, 4]]).values()].reduce((a, b) => a + b)",
  "const m = new Map(); m.set(m, m); return m.get(m) === m;",
  "const m = new Map(); for (let i = 0; i < 1000; i++) m.set(i % 10, (m.get(i % 10) ?? 0) + 1); return [...m];",
];

test.each(rows)("collections: %s", async (row) => {
  await expectAgreement(/\breturn\b/.test(row) ? row : `return ${row};`);
});
