// The programs of the benchmark, in two lists: thirteen programs for which the interpreter was
// tuned, and twenty-four other programs. Each has a function `main` that returns a number.

import { readFileSync } from "node:fs";

/** One program of the benchmark. */
export interface Workload {
  readonly name: string;
  /**
   * The code, which declares `main`. The function may be async and await `hostAsync(number)`, for
   * which the host returns the number plus one.
   */
  readonly code: string;
  /** The same code in ES5, for engines that know only ES5; null if it cannot be written in ES5. */
  readonly es5: string | null;
}

/** The names of the lists. */
export type ListName = "ours" | "others";

const ours: readonly Workload[] = [
  both(
    "fib25",
    `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function main() { return fib(25); }`,
  ),
  {
    name: "loop3e6",
    code: `function main() {
  let s = 0;
  for (let i = 0; i < 1732; i++) { for (let j = 0; j < 1732; j++) { s = (s + i * j) % 1000003; } }
  return s;
}`,
    es5: `function main() {
  var s = 0;
  for (var i = 0; i < 1732; i++) { for (var j = 0; j < 1732; j++) { s = (s + i * j) % 1000003; } }
  return s;
}`,
  },
  {
    name: "array2e5",
    code: `function main() {
  const rows = [];
  for (let i = 0; i < 200000; i++) rows.push({ id: i, v: i % 97, name: "n" + i });
  return rows.map((o) => ({ ...o, w: o.v * 2 })).filter((o) => o.w % 3 === 0).reduce((s, o) => s + o.w + o.name.length, 0);
}`,
    es5: `function main() {
  var rows = [];
  for (var i = 0; i < 200000; i++) rows.push({ id: i, v: i % 97, name: "n" + i });
  return rows.map(function (o) { return { id: o.id, v: o.v, name: o.name, w: o.v * 2 }; })
    .filter(function (o) { return o.w % 3 === 0; }).reduce(function (s, o) { return s + o.w + o.name.length; }, 0);
}`,
  },
  {
    name: "string2e4",
    code: `function main() {
  let text = "";
  for (let i = 0; i < 20000; i++) text += "user" + i + "=" + ((i * 7) % 1000) + "; host=h" + (i % 50) + ".example.com\\n";
  const pattern = /^(\\w+)=(\\d+); host=([\\w.]+)$/;
  let sum = 0;
  const hosts = {};
  for (const line of text.split("\\n")) {
    const match = pattern.exec(line);
    if (!match) continue;
    sum += Number(match[2]);
    hosts[match[3]] = (hosts[match[3]] || 0) + 1;
  }
  return sum + Object.keys(hosts).length;
}`,
    es5: `function main() {
  var text = "";
  for (var i = 0; i < 20000; i++) text += "user" + i + "=" + ((i * 7) % 1000) + "; host=h" + (i % 50) + ".example.com\\n";
  var pattern = /^(\\w+)=(\\d+); host=([\\w.]+)$/, sum = 0, hosts = {}, lines = text.split("\\n");
  for (var k = 0; k < lines.length; k++) {
    var match = pattern.exec(lines[k]);
    if (!match) continue;
    sum += Number(match[2]);
    hosts[match[3]] = (hosts[match[3]] || 0) + 1;
  }
  return sum + Object.keys(hosts).length;
}`,
  },
  both(
    "objchurn",
    `function main() {
  var o = {}, h = 0;
  for (var i = 0; i < 200000; i++) {
    var key = "k" + (i % 1000);
    if (o[key] === undefined) o[key] = { n: 0, last: 0 };
    o[key].n++;
    o[key].last = i;
    if (i % 7 === 0) delete o[key];
  }
  for (var each in o) h = (h * 31 + o[each].n + o[each].last) % 1000003;
  return h;
}`,
  ),
  both(
    "json1mb",
    `function main() {
  var rows = [], n = 0;
  for (var i = 0; i < 8000; i++) {
    rows.push({ id: i, name: "item number " + i, tags: ["a", "b", "c" + (i % 10)], price: i * 1.25, nested: { x: i, y: [i, i + 1, i + 2] } });
  }
  for (var k = 0; k < 5; k++) { var text = JSON.stringify(rows); n += text.length + JSON.parse(text).length; }
  return n;
}`,
  ),
  modern(
    "closgen",
    `function* range(n) { for (let i = 0; i < n; i++) yield i; }
const adder = (k) => (x) => x + k;
function main() {
  let s = 0;
  for (const i of range(100000)) { s += adder(i)(1) % 7; }
  const closures = [];
  for (let i = 0; i < 20000; i++) closures.push(() => i);
  for (const closure of closures) s += closure();
  return s;
}`,
  ),
  {
    name: "trycatch",
    code: `function risky(i) { if (i % 10 === 0) throw new Error("e" + i); return i; }
function main() {
  let s = 0;
  for (let i = 0; i < 100000; i++) { try { s += risky(i); } catch (e) { s += e.message.length; } finally { s ^= 1; } }
  return s;
}`,
    es5: `function risky(i) { if (i % 10 === 0) throw new Error("e" + i); return i; }
function main() {
  var s = 0;
  for (var i = 0; i < 100000; i++) { try { s += risky(i); } catch (e) { s += e.message.length; } finally { s ^= 1; } }
  return s;
}`,
  },
  both(
    "sort1e5",
    `function main() {
  var list = [], x = 12345;
  for (var i = 0; i < 100000; i++) { x = (x * 1103515245 + 12345) % 2147483648; list.push(x); }
  list.sort(function (p, q) { return p - q; });
  return list[0] + list[50000] + list[99999];
}`,
  ),
  modern(
    "classes",
    `class P {
  constructor(x, y) { this.x = x; this.y = y; }
  add(o) { return new P(this.x + o.x, this.y + o.y); }
  get len() { return this.x * this.x + this.y * this.y; }
}
class Q extends P {
  constructor(x, y) { super(x, y); this.k = 1; }
  add(o) { const r = super.add(o); r.k = this.k + 1; return r; }
}
function main() {
  let s = 0;
  for (let i = 0; i < 100000; i++) { const q = new Q(i, 1).add(new P(1, i)); s = (s + q.len + q.k) % 1000003; }
  return s;
}`,
  ),
  modern(
    "nested",
    `function main() {
  const groups = new Map();
  for (let i = 0; i < 50000; i++) {
    const { a, b: [c, ...d], ...rest } = { a: i, b: [i, 1, 2], z: 1 };
    const key = \`k\${a % 100}-\${d.length}\`;
    groups.set(key, [...(groups.get(key) ?? []).slice(-5), c + (rest?.z ?? 0)]);
  }
  let s = 0;
  for (const [key, list] of groups) s += key.length + list.reduce((x, y) => x + y, 0);
  return s;
}`,
  ),
  modern(
    "async2000",
    `async function main() {
  let s = 0;
  for (let i = 0; i < 2000; i++) { const r = await hostAsync(i); s += r; }
  return s;
}`,
  ),
  modern(
    "asyncbody",
    `async function main() {
  let s = 0;
  const first = await hostAsync(1);
  for (let i = 0; i < 1000; i++) { for (let j = 0; j < 1000; j++) { s = (s + i * j + first) % 1000003; } }
  return s + (await hostAsync(2));
}`,
  ),
];

// First the programs of "Are We Fast Yet?" (Marr, Daloze, Mössenböck: Cross-Language Compiler
// Benchmarking, 2016). They were written from the descriptions, and their results were compared
// with the results of the original programs. After them come programs that process data, in the
// style of code that models write.
const others: readonly Workload[] = [
  "richards",
  "deltablue",
  "havlak",
  "cd",
  "json",
  "bounce",
  "list",
  "permute",
  "queens",
  "sieve",
  "storage",
  "towers",
  "nbody",
  "mandelbrot",
  "csv",
  "grouping",
  "dates",
  "log-lines",
  "string-building",
  "map-set-churn",
  "small-classes",
  "json-transform",
  "matrices",
  "async-fan-out",
].map((name) => modern(name, readFileSync(new URL(`programs/${name}.js`, import.meta.url), "utf8")));

/** All lists, in the order of the tables. */
export const lists: { readonly [Name in ListName]: readonly Workload[] } = { ours, others };

function both(name: string, code: string): Workload {
  return { name, code, es5: code };
}

function modern(name: string, code: string): Workload {
  return { name, code, es5: null };
}
