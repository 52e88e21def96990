// Programs that attack an interpreter with more than a single call: built-ins that call back,
// objects that violate protocols, descriptions of large values, and floods.

import type { Program } from "./program.ts";

const limits = { guestTimeMs: 300 };
const warm = "for (let i = 0; i < 5e5; i++);\n";
const littleMemory = { ...limits, memoryBytes: 32 * 2 ** 20 };

// Declares `keys` (numbers whose V8 hashes are equal), `set` (empty) and `i` (an index).
const equalHashes = `const mul = (a, b) => Math.imul(a, b) >>> 0;
const unshift = (h, s) => { let x = h; for (let i = s; i < 32; i += s) x = (h ^ (x >>> s)) >>> 0; return x; };
const inverse = (a) => { let x = 1; for (let i = 0; i < 6; i++) x = mul(x, (2 - mul(a, x)) >>> 0); return x; };
const [a, b, c] = [2057, 5, 32767].map(inverse);
const withHash = (h) => mul((unshift(mul(unshift(mul(unshift(h, 16), a), 4), b), 12) + 1) >>> 0, c) | 0;
var keys = Array.from({ length: 6e4 }, (_, i) => withHash(((i << 16) | 7) >>> 0)), set = new Set(), i = 0; 1`;

const programs: { readonly [name: string]: string | readonly string[] } = {
  // Objects and arrays whose elements the host moves from a list to a hash table or back, and from
  // numbers to objects.
  "gaps between elements of an object":
    "const o = {}; for (let i = 0; i < 2e5; i++) o[i] = i; for (let k = 3.5e5; ; k += 2e4) { o[k] = 1; o[k + 1] = 1; }",
  "gaps between elements under texts":
    "const o = Object.create(null); for (let i = 0; i < 2e5; i++) o[i] = i; for (let k = 3.5e5; ; k += 2e4) { o[String(k)] = 1; o[String(k + 1)] = 1; }",
  "gaps between elements of a Map object":
    "const o = new Map(); for (let i = 0; i < 1e5; i++) o[i] = i; for (let k = 2e5; ; k += 2e4) { o[k] = 1; o[k + 1] = 1; }",
  "gaps between elements of an instance":
    "class C { put(i) { this[i] = i; } } const o = new C(); for (let i = 0; i < 2e5; i++) o.put(i); for (let k = 3.5e5; ; k += 2e4) { o.put(k); o.put(k + 1); }",
  "gaps between elements of a proxy's target":
    "const o = {}; for (let i = 0; i < 1e5; i++) o[i] = i; const p = new Proxy(o, {}); for (let k = 2e5; ; k += 2e4) { p[k] = 1; p[k + 1] = 1; }",
  "gaps between copied elements":
    "const o = {}; for (let i = 0; i < 1e5; i++) o[i] = i; for (let i = 0; i < 100; i++) { o[2e5 + i * 2e4] = 1; o[2e5 + 1 + i * 2e4] = 1; } for (;;) { ({ ...o }); structuredClone(o); JSON.parse(JSON.stringify(o)); Object.fromEntries(Object.entries(o)); }",
  "gaps between elements handed over":
    "const o = {}; for (let i = 0; i < 1e5; i++) o[i] = i; for (let i = 0; i < 100; i++) { o[2e5 + i * 2e4] = 1; o[2e5 + 1 + i * 2e4] = 1; } for (;;) await echo(o)",
  "an accessor among many elements":
    "const a = Array(1e7).fill(0); Object.defineProperty(a, 5, { get: () => 1, configurable: true }); a.length",
  "an element that is read-only":
    "const a = Array(5e6).fill(0.5); Object.defineProperty(a, 5, { writable: false }); a.length",
  "an accessor among many elements of an object":
    "const o = {}; for (let i = 0; i < 5e5; i++) o[i] = i; Object.defineProperty(o, 5, { get: () => 1, configurable: true }); 1",
  "a gap after a long list": "const a = Array(1e7).fill(0); a[3e8] = 1; a.length",
  "numbers and then a text": [
    "var a = []; for (let i = 0; i < 1e6; i++) a.push(i + 0.5);",
    "for (let i = 0; i < 1e6; i++) a.push(i + 0.5);",
    "for (let i = 0; i < 1e6; i++) a.push(i + 0.5);",
    "a[3] = 'x'; a.with(4, 'x'); 1",
    "Object.preventExtensions(a); a.length",
  ],
  "numbers in a preset array and then a text": [
    "var a = new Array(4e6), at = 0; while (at < 1e6) a[at++] = 0.5;",
    "while (at < 3e6) a[at++] = 0.5;",
    "a[3] = 'x'; Object.freeze(a); 1",
  ],
  "numbers copied and then a text": "for (;;) [...new Float64Array(2e6).fill(0.5), 'x'].toSorted(() => 0)",
  "holes filled from the end": "const a = []; a[4e6] = 1; for (let i = 4e6; i > 0; i--) a[i] = 0.5",
  "holes filled in steps": "const a = []; a[1.2e7] = 1; for (let i = 0; ; i += 10) a[i % 1.2e7] = i",
  "holes filled in steps under texts": "const a = []; a[6e6] = 1; for (let i = 0; ; i += 10) a[String(i % 6e6)] = i",
  "holes filled by patterns": "const a = []; a[6e6] = 1; for (let i = 0; ; i += 10) [a[i % 6e6]] = [i]",
  "holes filled through a proxy": "const a = new Proxy([], {}); a[6e6] = 1; for (let i = 0; ; i += 10) a[i % 6e6] = i",
  "holes at random places filled": "const a = []; a.length = 8e6; for (;;) a[Math.floor(Math.random() * 8e6)] = 0.5",

  // Patterns of replacements.
  "replacements that name groups without an end": "'x'.replace(/(?<a>x)/, '$<'.repeat(2e6)).length",
  "replacements that look like names": "const t = '$<'.repeat(3e3) + '>'; for (;;) 'x'.replace('x', t)",
  "replacements of many marks": `${warm}const t = '$'.repeat(2e6); for (;;) 'x'.replace('x', t)`,
  "replacements that grow": "const s = 'x'.repeat(1e6); s.replace(s, '$&'.repeat(1e5)).length",

  // Long texts that become keys of hash tables in the host.
  "long labels of the console": `${warm}const s = 'x'.repeat(2e4); for (let i = 1e4; ; i++) { console.time(s + i); console.countReset(s + i); }`,
  "long names of symbols": "const s = 'x'.repeat(2e4); for (let i = 1e4; ; i++) Symbol.for(s + i)",
  "copies of a set of numbers with equal hashes": [
    equalHashes,
    "for (; i < 6e4; i++) set.add(keys[i])",
    "for (; i < 6e4; i++) set.add(keys[i])",
    "for (; i < 6e4; i++) set.add(keys[i])",
    "for (;;) set.union(new Set([1]))",
    "for (;;) structuredClone(set)",
  ],

  "a set of numbers with equal hashes handed over": [
    equalHashes,
    ...Array<string>(8).fill("for (; i < 6e4; i++) set.add(keys[i])"),
    "await echo(set)",
    "await echo(new Map([...set].map((key) => [key, 1])))",
    "set",
    "finalAnswer(set)",
  ],
  "bigints with equal hashes handed over":
    "const m = new Map(); for (let i = 0n; i < 4000n; i++) m.set((i << 64n) + 1n, i); for (;;) try { await echo(m); } catch {}",
  "long keys of a proxy":
    "const s = 'k'.repeat(2e4), p = new Proxy({}, { ownKeys: () => Array.from({ length: 2000 }, (_, i) => s + i) }); for (;;) Reflect.ownKeys(p)",

  // Programs that take the parser a long time to read.
  "a literal of many sets": `/${"\\p{L}".repeat(4e4)}/u`,
  "a literal of many sets of any case": `/${"\\p{Lu}".repeat(3e4)}/iu`,
  "literals of sets": "/[\\p{L}--\\p{Lu}]/v;".repeat(2e4),
  "a literal of many named groups": `/${Array.from({ length: 3e4 }, (_value, index) => `(?<a${index}>)`).join("")}/`,
  "names of groups that are missing": `/(?<a>)${Array.from({ length: 3e4 }, (_value, index) => `\\k<b${index}>`).join("")}/`,
  "type arguments in type arguments": `let t: number = 1; ${"f<".repeat(40)}a${">(1)".repeat(40)}`,
  "conditions with typed arrow functions": `let t: number = 1; ${"a ? (b): c => ".repeat(30)}1${" : 2".repeat(30)}`,
  "arrow functions as defaults": `let t: number = 1; ${"(a: any = ".repeat(60)}1${") => 1".repeat(60)}`,
  "types inferred from types": `type A<T> = ${"T extends infer U extends ".repeat(60)}B${" ? C : D".repeat(60)}; 1`,

  // Objects that cost the host extra work because of their prototypes, weak keys or private names.
  "a base class of many classes changed":
    "class B {} const all = Array.from({ length: 2e4 }, () => new (class extends B {})()); for (const o of all) o.x; for (let i = 0; ; i++) { B.prototype['k' + i] = 1; all[i % 2e4].x; }",
  "a chain of weak keys":
    "const w = new WeakMap(), first = {}; let k = first; for (let i = 0; i < 3e5; i++) { const next = {}; w.set(k, next); k = next; } const all = []; for (;;) all.push({})",
  "private names added to arrays":
    "class B { constructor(o) { return o; } } class S extends B { #x = 1; } const a = []; new S(a); a[6e6] = 1; for (let i = 0; ; i += 10) a[i % 6e6] = i",

  // Patterns that take the host a long time to compile.
  "patterns of many sets": "for (;;) new RegExp('\\\\p{L}'.repeat(2e4), 'u').test('\\u4e2d')",
  "patterns of some sets": "for (let i = 0; ; i++) new RegExp(`${'\\\\p{L}'.repeat(20)}${i}`, 'iu').test('\\u4e2d')",
  "patterns of many sets of any case": "for (;;) new RegExp('[\\\\p{L}\\\\p{Lu}]'.repeat(2e3), 'iv').test('\\u4e2d')",

  // Printing and describing large values.
  "long arrays printed": `${warm}const a = Array(3e6).fill(0); for (let i = 0; i < 1e4; i++) console.log(a)`,
  "a long array as the result": "Array(1e7).fill(0)",
  "holey arrays printed":
    "const a = Array(1e6).fill(0); for (let i = 500; i < 1e6; i += 3) delete a[i]; for (;;) console.log(a.slice(0).fill(1, 0, 3))",
  "long holes printed":
    "const a = []; for (let i = 0; i < 2e6; i += 2) a[i] = 1; for (let i = 0; i < 1e4; i++) console.log(a)",
  "holes at every second thousand printed":
    "const a = []; for (let i = 0; i < 60; i++) a[i * 5000] = i; a.length = 3e6; a.fill(7, 1.5e6); for (let i = 0; i < 1e4; i++) console.log(a)",
  "wide objects printed": `const o = {}; for (let i = 0; i < 2e5; i++) o["k" + i] = i; ${warm}for (let i = 0; i < 1e4; i++) console.log(o)`,
  "wide objects from entries printed":
    "const o = Object.fromEntries(Array.from({ length: 2e5 }, (_, i) => ['k' + i, i])); for (let i = 0; i < 1e4; i++) console.log(o)",
  "wide objects from JSON printed":
    "const o = JSON.parse('{' + Array.from({ length: 2e5 }, (_, i) => '\"k' + i + '\":1').join() + '}'); for (let i = 0; i < 1e4; i++) console.log(o)",
  "wide objects spread and printed":
    "const o = {}; for (let i = 0; i < 1e5; i++) o['k' + i] = i; for (let i = 0; i < 1e4; i++) console.log({ ...o, i })",
  "wide groups printed":
    "const g = Object.groupBy(Array.from({ length: 1e5 }, (_, i) => i), (i) => 'g' + i); for (let i = 0; i < 1e4; i++) console.log(g)",
  "objects with long keys printed":
    "const o = {}; for (let i = 0; i < 90; i++) o['k'.repeat(9000) + i] = i; for (let i = 0; i < 1e4; i++) console.log(o)",
  "long symbols printed":
    "const s = Symbol('x'.repeat(5e6)); for (let i = 0; i < 1e4; i++) console.log(s, { s }, [s], { [s]: 1 })",
  "functions with long names printed":
    "const k = 'n'.repeat(5e6), o = { [k]() {} }; for (let i = 0; i < 1e4; i++) console.log(o[k], [o[k]])",
  "classes with long names printed":
    "class A {} Object.defineProperty(A, 'name', { value: 'N'.repeat(5e6) }); for (let i = 0; i < 1e4; i++) console.log(new A(), [new A()])",
  "large bigints printed": "const b = (1n << 3000000n) + 1n; for (let i = 0; i < 1e4; i++) console.log(b)",
  "large bigints in arrays printed":
    "const b = (1n << 1000000n) + 1n; for (let i = 0; i < 1e4; i++) console.log([b, b, b, b, b, b, b])",
  "long typed arrays printed": `${warm}const a = new Float64Array(1e7); for (let i = 0; i < 1e4; i++) console.log(a)`,
  "long buffers printed":
    "const a = new ArrayBuffer(1e8); for (let i = 0; i < 1e4; i++) console.log(a, new DataView(a))",
  "long boxed texts printed": "const s = new String('x'.repeat(3e6)); for (let i = 0; i < 1e4; i++) console.log(s)",
  "long searches printed":
    "const u = new URL('http://a/?' + 'a=b&'.repeat(1e5)); for (let i = 0; i < 1e4; i++) console.log(u, u.searchParams)",
  "patterns with long sources printed":
    "const r = new RegExp('a'.repeat(1e5)); for (let i = 0; i < 1e5; i++) console.log([r, r, r, r, r])",
  "errors with long causes printed":
    "let e = new Error('x'); for (let i = 0; i < 5e3; i++) e = new Error('y'.repeat(1e3), { cause: e }); for (let i = 0; i < 1e4; i++) console.log(e)",
  "a chain of causes thrown":
    "let e = new Error('x'); for (let i = 0; i < 1e5; i++) e = new Error('m' + i, { cause: e }); throw e",
  "errors in errors thrown":
    "let e = new Error('x'); for (let i = 0; i < 40; i++) e = new AggregateError([e, e, e], 'm', { cause: e }); throw e",
  "long fields of an error thrown":
    "throw Object.assign(new Error('\\u0001'.repeat(3e7)), { name: '\\u0001'.repeat(3e7), hint: '\\u0001'.repeat(3e7) })",
  "a long message in a cause thrown": "throw new Error('x', { cause: 'y'.repeat(2e7) })",
  "a long array thrown": "throw Array(5e6).fill({ a: 1 })",
  "a wide object thrown": "const o = {}; for (let i = 0; i < 2e5; i++) o['k' + i] = i; throw o",
  "a lying error thrown":
    "throw Object.defineProperties(new Error('x'), { message: { get() { for (;;); } }, name: { get() { for (;;); } }, cause: { get() { for (;;); } }, stack: { get() { for (;;); } } })",
  "a wide proxy thrown":
    "throw new Proxy({}, { ownKeys() { for (;;); }, get() { for (;;); }, getPrototypeOf() { for (;;); } })",
  "a name missing on a wide object": "const o = {}; for (let i = 0; i < 2e5; i++) o['key' + i] = i; o.kye(1)",
  "a name missing on a long array": "const a = Array(8e6).fill(0); a.lenght.x",
  "a name missing on long names":
    "const o = {}; for (let i = 0; i < 50; i++) o['p'.repeat(1e6) + i] = 1; o['p'.repeat(1e6)]()",
  "a text of JSON called": "const s = '[' + '1,'.repeat(4e5) + '1]'; s.map((x) => x)",
  "long stacks read":
    "function f(n) { if (n === 0) throw new Error('x'.repeat(1e5)); f(n - 1); } let n = 0; for (;;) { try { f(500); } catch (e) { n += e.stack.length; } }",
  "tables of wide rows printed":
    "const rows = Array.from({ length: 300 }, (_, i) => Object.fromEntries(Array.from({ length: 300 }, (_, j) => ['c' + i + '_' + j, j]))); for (let i = 0; i < 1e4; i++) console.table(rows)",
  "tables of long rows printed":
    "const rows = Array(3e5).fill({ a: 1, b: 'x'.repeat(1e4) }); for (let i = 0; i < 1e4; i++) console.table(rows)",
  "formats of many places printed":
    "const f = '%o%O%j%s'.repeat(2e4), a = Array(1e4).fill({ a: [1, { b: 2 }] }); for (let i = 0; i < 1e4; i++) console.log(f, ...a)",
  "groups of lines printed":
    "for (let i = 0; i < 1e5; i++) { console.group('x'.repeat(100)); console.log('y\\n'.repeat(1e3)); }",
  "shared shapes printed":
    "let o = { a: 1 }; for (let i = 0; i < 60; i++) o = { l: o, r: o, m: new Map([[o, o]]), s: new Set([o]) }; for (;;) console.log(o)",
  "variables that are wide": ["var o = {}; for (let i = 0; i < 2e5; i++) o['k' + i] = i; 1", "o.x; o", "1 + 1"],

  // Collections and their algebra.
  "sets joined": `${warm}const a = new Set(Array.from({ length: 2e5 }, (_, i) => i)), b = new Set(Array.from({ length: 2e5 }, (_, i) => i + 1e5)); for (;;) a.union(b).symmetricDifference(b).intersection(a).difference(b)`,
  "sets compared": `${warm}const a = new Set(Array.from({ length: 2e5 }, (_, i) => i)), b = new Set(a); for (;;) { a.isSubsetOf(b); a.isSupersetOf(b); a.isDisjointFrom(new Set([-1])); }`,
  "sets that lie":
    "const liar = { size: 1e9, has: () => true, keys: () => ({ next: () => ({ done: false, value: {} }) }) }; new Set([1]).union(liar)",
  "sets that lie about their size":
    "const liar = { size: Infinity, has: () => false, keys: () => ({ next: () => ({ done: false, value: 1 }) }) }; new Set(Array.from({ length: 1e5 }, (_, i) => i)).isSupersetOf(liar)",
  "sets changed while joined":
    "const s = new Set([1]); s.difference({ size: 0, has: () => true, keys: () => ({ next() { s.add({}); return { done: false, value: {} }; } }) })",
  "a map that grows while it is read":
    "const m = new Map([[0, 0]]); for (const [k] of m) { m.delete(k); m.set(k + 1, k); }",
  "a set that grows while it is read": "const s = new Set([0]); s.forEach((v) => { s.add(v + 1); })",
  "a map emptied and filled": `${warm}const m = new Map(); for (;;) { for (let i = 0; i < 1e3; i++) m.set(i, i); m.clear(); }`,
  "iterators left in a map":
    "const m = new Map([[0, 0]]), its = []; for (let i = 0; ; i++) { its.push(m.entries()); its[i].next(); m.delete(i); m.set(i + 1, 1); }",
  "groups by object": "for (;;) Map.groupBy(Array(1e5).fill(1), () => ({}))",
  "groups by long text":
    "const a = Array.from({ length: 300 }, (_, i) => i); for (;;) Object.groupBy(a, (i) => 'k'.repeat(1e5) + i)",
  "groups of an endless list":
    "Object.groupBy({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 'x' }) }) }, (v) => v)",
  "weak keys":
    "const w = new WeakMap(), s = new WeakSet(); for (;;) { const k = {}; w.set(k, Array(100).fill(k)); s.add(k); }",
  "registered values": "const r = new FinalizationRegistry(() => {}); for (;;) r.register({}, 'x'.repeat(100), {})",
  "weak references": "const all = []; for (;;) all.push(new WeakRef({}))",

  // Iterators.
  "an iterator mapped ten thousand times":
    "let it = Array(1e6).fill(1).values(); for (let i = 0; i < 1e4; i++) it = it.map((x) => x); it.next()",
  "an iterator dropped": `${warm}function* g() { for (;;) yield 1; } g().drop(1e9).next()`,
  "an iterator flattened":
    "const forever = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: [] }) }) }; Iterator.from(forever).flatMap((x) => x).next()",
  "an iterator reduced": "Iterator.from({ next: () => ({ done: false, value: 1 }) }).reduce((a, b) => a + b)",
  "an iterator made a list": "Iterator.from({ next: () => ({ done: false, value: 'x'.repeat(100) }) }).toArray()",
  "an iterator that never filters through": "Array(1e7).fill(1).values().filter(() => false).next()",
  "an iterator that returns itself":
    "const it = { next: () => ({ done: false, value: it }), [Symbol.iterator]: () => it }; [it].flat(Infinity).length; Iterator.from(it).flatMap((x) => x).toArray()",
  "iterators in iterators":
    "let it = [1].values(); for (let i = 0; i < 5e4; i++) { const inner = it; it = [0].values().flatMap(() => inner); } it.next()",
  "generators that delegate": "function* g(n) { yield n; yield* g(n + 1); } for (const x of g(0));",
  "generators returned":
    "function* g() { try { yield 1; } finally { for (;;) yield 2; } } for (const x of g()) { if (x === 2) continue; }",
  "generators closed without end": "function* g() { try { yield 1; } finally { for (;;); } } const [x] = g(); x",
  "generators kept":
    "const all = []; function* g(a) { yield a; } for (;;) { const it = g(Array(100).fill(1)); it.next(); all.push(it); }",
  "patterns that take all":
    "const [...all] = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) }; all.length",
  "spreads of generators": "function* g() { for (;;) yield 'x'; } Math.max(...g())",

  // Objects, getters and proxies.
  "getters in spreads":
    "const o = {}; for (let i = 0; i < 300; i++) Object.defineProperty(o, 'k' + i, { enumerable: true, get: () => 'x'.repeat(1e5 + i) }); for (;;) { const c = { ...o }; Object.assign({}, o); }",
  "getters that spread": "const o = { get a() { return { ...o }; } }; ({ ...o })",
  "spreads of long texts": "const s = 'x'.repeat(3e5); for (;;) ({ ...s })",
  "spreads of long arrays": "const a = Array(1e6).fill(1); for (;;) ({ ...a })",
  "rest of wide objects":
    "const o = {}; for (let i = 0; i < 1e5; i++) o['k' + i] = i; for (;;) { const { k1, ...rest } = o; }",
  "wide objects frozen":
    "for (;;) { const o = {}; for (let i = 0; i < 1e4; i++) o['k' + i] = i; Object.freeze(o); Object.isSealed(o); Object.getOwnPropertyDescriptors(o); }",
  "arrays frozen": `${warm}for (;;) { const a = Array(1e6).fill(1); Object.freeze(a); Object.isFrozen(a); }`,
  "proxies of proxies traversed":
    "let p = { a: 1 }; for (let i = 0; i < 900; i++) p = new Proxy(p, {}); for (;;) { p.a; 'a' in p; Object.keys(p); delete p.b; p.b = 1; Object.getOwnPropertyDescriptor(p, 'a'); }",
  "proxies with traps that are proxies":
    "const handler = new Proxy({}, { get: (t, k) => Reflect[k] }); let p = new Proxy({}, handler); for (let i = 0; i < 300; i++) p = new Proxy(p, new Proxy(handler, handler)); for (;;) { p.a = 1; Object.entries(p); }",
  "a proxy that is its own handler": "const h = {}; const p = new Proxy(h, h); h.get = (t, k, r) => r[k]; p.x",
  "a proxy of many keys":
    "const keys = Array.from({ length: 1e5 }, (_, i) => 'k' + i), p = new Proxy({}, { ownKeys: () => keys, getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }); for (;;) { Object.keys(p); ({ ...p }); JSON.stringify(p); }",
  "a proxy of the same key":
    "const p = new Proxy({}, { ownKeys: () => Array(1e5).fill('k') }); for (;;) try { Reflect.ownKeys(p); } catch {}",
  "proxies in chains of prototypes":
    "let o = {}; for (let i = 0; i < 400; i++) o = Object.create(new Proxy(o, {})); for (;;) { o.missing; 'missing' in o; for (const k in o); }",
  "species that return the same list":
    "class A extends Array { static get [Symbol.species]() { return function () { return shared; }; } } const shared = []; const a = A.from(Array(1e5).fill(1)); for (;;) { a.map((x) => x); a.filter(() => true); a.concat(a); a.splice(0, 0); }",
  "species that make long lists":
    "class A extends Array { static get [Symbol.species]() { return function (n) { return new Array(3e7); }; } } const a = A.from([1, 2, 3]); for (;;) { a.map((x) => x); a.slice(); a.concat([1]).length; }",
  "species of typed arrays":
    "class A extends Uint8Array { static get [Symbol.species]() { return Float64Array; } } const a = new A(1e6); for (;;) { a.map((x) => x); a.slice(); a.filter(() => true); a.subarray(1); }",
  "concatenations of what says it spreads":
    "const o = { length: 2 ** 32, [Symbol.isConcatSpreadable]: true }; for (;;) try { [].concat(o, o); } catch {}",
  "classes with static blocks":
    "for (;;) { class A { static x = Array(1e4).fill(1); static { for (let i = 0; i < 1e3; i++) this['k' + i] = i; } #p = 1; static has(o) { return #p in o; } } A.has(new A()); }",
  "classes with many private names": "class A { " + "${names}" + " }",
  "computed names that are objects":
    "const k = { toString: () => 'k'.repeat(1e6) }; for (;;) ({ [k]: 1, get [k]() {}, [k]() {} })",
  "symbols registered": "for (let i = 0; ; i++) Symbol.for('s'.repeat(1e4) + i)",
  "with wide prototypes":
    "const o = {}; for (let i = 0; i < 1e5; i++) o['k' + i] = i; const p = Object.create(o); for (;;) for (const k in p) break;",
  "keys in loops over changing objects":
    "const o = { a: 1 }; let i = 0; for (;;) for (const k in o) { delete o[k]; o['k' + i++] = 1; }",
  "a property deleted behind many proxies":
    "let o = []; for (let n = 0; n < 1e5; n++) o = new Proxy(o, {}); for (;;) try { delete o.x } catch {}",
  "properties deleted behind many proxies":
    "let o = []; for (let n = 0; n < 990; n++) o = new Proxy(o, {}); for (;;) { delete o.x; delete o[0]; }",
  "properties of long String objects":
    "const t = 'x'.repeat(1e6); for (;;) { const s = Object(t); s.k = 1; delete s.k; for (let i = 0; i < 40; i++) s['k' + i] = 1; }",

  // Arrays with holes, which the host keeps as lists or as hash tables.
  "a far element stored and dropped":
    "const a = Array.from({ length: 2e5 }, (_, n) => n); for (;;) try { a[2 ** 31] = 1; a.length = 2e5 } catch {}",
  "a far element stored under a text and dropped":
    "const a = Array.from({ length: 2e5 }, (_, n) => n); for (;;) { a['3000000000'] = 1; a['length'] = 2e5; }",
  "a far element defined and dropped":
    "const a = Array.from({ length: 2e5 }, (_, n) => n); for (;;) { Object.defineProperty(a, '3000000000', { value: 1, configurable: true }); Object.defineProperty(a, 'length', { value: 2e5 }); }",
  "a far element assigned and dropped":
    "const a = Array.from({ length: 2e5 }, (_, n) => n); for (;;) { Object.assign(a, { 3000000000: 1 }); Reflect.set(a, 'length', 2e5); }",
  "an array made much longer and shorter": "const a = Array(2e5).fill(1); for (;;) { a.length = 4e9; a.length = 2e5; }",
  "gaps at the end of a long array":
    "const a = Array.from({ length: 2e5 }, (_, n) => n); for (;;) a[a.length + 1100] = 1",
  "a sparse array that grows and shrinks":
    "const a = []; for (let n = 0; n < 1e5; n++) a[n * 4e4] = n; for (;;) try { a.push(1); a.length-- } catch {}",
  "a sparse array emptied from its end": "const a = []; for (let n = 0; n < 1e5; n++) a[n * 4e4] = n; for (;;) a.pop()",
  "a sparse array of a class emptied":
    "class A extends Array {} const a = new A(); for (let n = 0; n < 1e5; n++) a[n * 4e4] = n; for (;;) a.pop()",
  "a sparse array with text keys emptied":
    "const a = []; for (let n = 0; n < 1e5; n++) a['' + n * 300] = n; for (;;) a.pop()",
  "an array made with holes emptied":
    "const a = new Array(3e6); for (let n = 0; n < 1e5; n++) a[n * 30] = n; a.push(1); for (;;) a.pop()",
  "an array with deleted elements emptied":
    "const a = Array(1e6).fill(1); for (let n = 0; n < 1e6; n++) if (n % 20) delete a[n]; for (;;) { a.push(1); a.pop(); }",
  "copies with holes emptied":
    "const b = new Array(2e6); for (let n = 0; n < 1e5; n++) b[n * 20] = n; const a = b.map((x) => x); a.push(1); for (;;) a.pop()",
  "an array with an accessor emptied":
    "const a = Array(2e5).fill(1); Object.defineProperty(a, 0, { get: () => 1 }); for (;;) { a.push(1); a.pop(); }",
  "sparse arrays shifted": "const a = []; for (let n = 0; n < 2e4; n++) a[n * 300] = n; for (;;) a.shift()",
  "sparse arrays spliced": "const a = []; for (let n = 0; n < 2e4; n++) a[n * 300] = n; for (;;) a.splice(5, 1, 2, 3)",
  "sparse arrays copied within":
    "const a = []; for (let n = 0; n < 2e4; n++) a[n * 300] = n; for (;;) a.copyWithin(3, 0)",
  "a long array with one far element": "const a = Array(4e6).fill(1); a[5e7] = 1; a.length",
  "a long array with one far element under a text": "const a = Array(4e6).fill(1); a['50000000'] = 1; a.length",
  "a very long array with far elements": "const a = Array(6e6).fill(1); for (;;) { a[5e7] = 1; a.length = 6e6; }",

  // Sorting.
  "a comparison that lies": `${warm}const a = Array.from({ length: 1e5 }, (_, i) => i); for (;;) a.sort(() => Math.random() - 0.5)`,
  "a comparison that grows the list":
    "const a = Array.from({ length: 1e3 }, (_, i) => i); for (;;) a.sort((x, y) => { a.push(1); return 1; })",
  "a comparison that empties the list":
    "for (;;) { const a = Array.from({ length: 1e5 }, (_, i) => i); a.sort((x, y) => { a.length = 0; return x - y; }); }",
  "a comparison that returns objects":
    "const a = Array.from({ length: 1e4 }, (_, i) => i); for (;;) a.toSorted(() => ({ valueOf: () => '1'.repeat(1e5) }))",
  "sorted as texts": "const a = Array.from({ length: 3e5 }, (_, i) => -i); for (;;) a.sort().reverse()",
  "sorted as long texts":
    "const s = 'x'.repeat(1e6), a = Array.from({ length: 300 }, (_, i) => s + (i * 7919 % 300)); for (;;) a.toSorted()",
  "sorted as objects with texts":
    "const a = Array.from({ length: 1e4 }, (_, i) => ({ toString: () => 'x'.repeat(1e4) + i })); for (;;) a.sort()",
  "typed arrays sorted": `${warm}const a = new Float64Array(1e6).map((_, i) => (i * 7919) % 1e6); for (;;) { a.toSorted(); a.sort().reverse(); }`,
  "typed arrays sorted by comparison": `${warm}const a = new BigInt64Array(1e6); for (;;) a.sort((x, y) => (x < y ? 1 : -1))`,
  "typed arrays copied within": `${warm}const a = new Uint8Array(5e7); for (;;) a.copyWithin(1, 0).fill(1).with(0, 1)`,
  "typed arrays joined": "const a = new Float64Array(1e6).fill(1.1e-7); for (;;) a.join('---').length",
  "typed arrays of iterators":
    "new Float64Array({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) })",
  "typed arrays set in each other": `${warm}const a = new Float64Array(1e6), b = new Uint8Array(1e6); for (;;) { a.set(b); b.set(a); a.set(a.subarray(0, 1e5), 5); }`,
  "buffers transferred":
    "let b = new ArrayBuffer(1e7, { maxByteLength: 1e8 }); for (;;) { b = b.transfer(1e7); b.resize(2e7); b = b.transferToFixedLength(); b = new ArrayBuffer(1e7, { maxByteLength: 1e8 }); }",
  "numbers of many views": `${warm}const b = new DataView(new ArrayBuffer(8)); const all = []; for (;;) { all.push(new Uint8Array(b.buffer)); b.setBigUint64(0, 1n << 60n); }`,

  // Texts.
  "raw templates of long parts":
    "const raw = { length: 1e6, 0: 'x'.repeat(1e5) }; for (;;) String.raw({ raw }, ...Array(10).fill('y'.repeat(1e5)))",
  "raw templates without end": "String.raw({ raw: { length: 2 ** 53 - 1 } })",
  "padded texts": `${warm}const s = 'x'; for (;;) { s.padStart(1e8, 'abc').at(3); s.padEnd(5e7, 'long'.repeat(1e6)).charCodeAt(3); }`,
  "replaced by functions": "const s = 'a'.repeat(1e6); for (;;) s.replaceAll('a', () => 'bb'.repeat(100))",
  "replaced by patterns of itself": "const s = 'ab'.repeat(1e5); for (;;) s.replaceAll('a', \"$`$'$&\")",
  "replaced by named groups":
    "const s = 'k=v;'.repeat(1e5); for (;;) s.replace(/(?<key>\\w)=(?<value>\\w)/g, '$<value>$<key>$<value>'.repeat(50))",
  "split by patterns": `${warm}const s = 'a1b22c333'.repeat(1e5); for (;;) s.split(/(\\d+)|([a-z])/)`,
  "matches without end": "const r = /(?:)/g; for (const m of 'x'.repeat(1e7).matchAll(r));",
  "sticky patterns":
    "const r = /a{0,50}b/y, s = 'a'.repeat(1e6); for (;;) { for (let i = 0; i < 1e6; i++) { r.lastIndex = i; r.test(s); } }",
  "patterns with many groups":
    "const r = new RegExp('(?<g0>a)?' + Array.from({ length: 500 }, (_, i) => `(?<g${i + 1}>b)?`).join(''), 'd'); for (;;) r.exec('abababab'.repeat(10))",
  "patterns that look behind": "const s = 'a'.repeat(1e5) + 'b'; for (;;) s.match(/(?<=(a+)+)c/g)",
  "patterns that look back": "for (;;) /^(a+)+\\1*\\1*\\1*$/.test('a'.repeat(5000) + 'b')",
  "patterns of many cases":
    "const s = '\\u0130\\u0131\\u017f\\u212a'.repeat(1e5); for (;;) s.match(/[\\u0000-\\u{10ffff}&&[^a-z]]+?x/giv)",
  "patterns of sets":
    "const r = new RegExp('[' + Array.from({ length: 3000 }, (_, i) => '\\\\u{' + (0x1000 + i * 3).toString(16) + '}-\\\\u{' + (0x1001 + i * 3).toString(16) + '}').join('') + ']+x', 'iu'); for (;;) r.test('\\u1001'.repeat(1e4))",
  "patterns of properties":
    "for (let i = 0; ; i++) new RegExp('\\\\p{L}\\\\p{N}\\\\p{Lu}[\\\\p{Script=Greek}--\\\\p{Ll}]{' + (i % 50) + '}', 'vi').test('x'.repeat(50) + i)",
  "patterns made again and again":
    "for (let i = 0; ; i++) new RegExp('(a|b|c){1,' + (i % 1000 + 1) + '}' + i).test('abc')",
  "patterns repeated in patterns":
    "new RegExp('(?:'.repeat(12) + 'a' + '{1,9})'.repeat(12)).test('a'.repeat(1e5) + 'b')",
  "patterns of alternatives":
    "const r = new RegExp(Array.from({ length: 2e4 }, (_, i) => 'word' + i).join('|')); for (;;) r.test('word'.repeat(1e4))",
  "patterns with methods of their own":
    "const r = /a/g; r.exec = () => ({ index: 0, length: 1e9, 0: '' }); 'a'.replace(r, 'b')",
  "texts of surrogates": `${warm}const s = '\\ud800\\udc00\\ud800'.repeat(3e6); for (;;) { s.isWellFormed(); s.toWellFormed().at(1); }`,
  "texts encoded as parts":
    "const s = '\\u4e2d'.repeat(1e6); for (;;) { encodeURIComponent(s); decodeURIComponent('%E4%B8%AD'.repeat(1e5)); btoa('x'.repeat(1e6)); }",
  "texts made of code points": "const a = Array(5e4).fill(0x1f600); for (;;) String.fromCodePoint(...a).codePointAt(3)",
  "texts as lists":
    "const s = '\\u{1f600}'.repeat(1e6); for (;;) { [...s]; Array.from(s); Object.entries(s.slice(0, 1e4)); }",
  "texts as lists with names": "for (;;) Object.getOwnPropertyNames('x'.repeat(1e6))",
  "templates in a loop":
    "const tag = (parts) => parts; const all = new Set(); for (;;) { for (let i = 0; i < 1e4; i++) all.add(tag`a${i}b${i}c`); all.add((() => tag`x`)()); }",
  "texts anchored": `${warm}const s = '"'.repeat(1e6); for (;;) 'x'.link(s).anchor(s).length`,
  "texts trimmed": `${warm}const s = ' '.repeat(1e7); for (;;) { (s + 'x' + s).trim(); s.trimStart(); s.trimEnd(); }`,
  "texts searched from behind": `${warm}const s = 'ab'.repeat(3e6), t = 'b' + 'ab'.repeat(1e6); for (;;) { s.lastIndexOf(t + 'x'); s.indexOf('x' + t); }`,
  "texts as numbers of any base": `${warm}const s = '7'.repeat(1e6); for (;;) { parseInt(s, 7); BigInt('0x' + s); (1e21).toString(3); }`,
  "numbers as texts": `${warm}for (let i = 0; ; i++) { (1.1 ** i).toFixed(100); (1 / 3).toPrecision(100); Number.MIN_VALUE.toString(2); (5e-324).toExponential(100); }`,
  "bigints raised": "for (;;) try { 3n ** 100000n % 7n; (2n ** 1000000n) / 3n; BigInt.asIntN(1000000, -1n); } catch {}",
  "bigints counted up": "let b = (1n << 3000000n) + 1n; const o = { b }; for (;;) { b++; --b; o.b++; o['b']--; }",
  "bigints of texts": "const s = '9'.repeat(1e6); for (;;) BigInt(s)",

  // Intl and dates.
  "segments counted":
    "const s = new Intl.Segmenter('th', { granularity: 'word' }), t = '\\u0e01\\u0e32\\u0e23'.repeat(2e4); for (;;) [...s.segment(t)].length",
  "segments of a long text looked up":
    "const s = new Intl.Segmenter('en', { granularity: 'sentence' }).segment('a b. '.repeat(3e5)); for (;;) for (let i = 0; i < 1e6; i += 1e5) s.containing(i)",
  "lists formatted":
    "const f = new Intl.ListFormat('en'), a = Array(3e4).fill('x'.repeat(100)); for (;;) { f.format(a); f.formatToParts(a); }",
  "relative times":
    "for (let i = 0; ; i++) new Intl.RelativeTimeFormat(['en', 'de', 'ar', 'zh'][i % 4], { numeric: 'auto', style: ['long', 'short', 'narrow'][i % 3] }).formatToParts(i, 'day')",
  "plural rules":
    "for (let i = 0; ; i++) { const r = new Intl.PluralRules(['en', 'ar', 'pl', 'cy'][i % 4], { type: 'ordinal', minimumFractionDigits: i % 20 }); r.select(i); r.selectRange(1, i); }",
  durations:
    "for (;;) { if (!Intl.DurationFormat) break; new Intl.DurationFormat('en', { style: 'long' }).format({ hours: 1, minutes: 2, seconds: 3 }); } for (;;);",
  "collators of many kinds":
    "const l = ['de-u-co-phonebk', 'zh-u-co-stroke', 'sv', 'ja', 'en-u-kn']; for (let i = 0; ; i++) ['z\\u00e4', '\\u4e2d', 'a10', 'a9'].sort(new Intl.Collator(l[i % 5], { sensitivity: ['base', 'accent', 'case', 'variant'][i % 4] }).compare)",
  "sorted by locale":
    "const a = Array.from({ length: 2e4 }, (_, i) => '\\u00e4\\u4e2d' + (i * 7919) % 2e4); for (;;) a.toSorted((x, y) => x.localeCompare(y, 'de'))",
  "ranges of dates":
    "const f = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' }); for (let i = 0; ; i++) { f.formatRange(i * 1e9, i * 2e9); f.formatRangeToParts(0, 8e15 - i); f.formatToParts(i); }",
  units:
    "const u = Intl.supportedValuesOf('unit'), c = Intl.supportedValuesOf('currency'); for (let i = 0; ; i++) { (i + 0.5).toLocaleString('en', { style: 'unit', unit: u[i % u.length], unitDisplay: 'long' }); i.toLocaleString('de', { style: 'currency', currency: c[i % c.length], currencyDisplay: 'name' }); }",
  "locales maximized":
    "for (let i = 0; ; i++) { const l = new Intl.Locale('und-' + ['Latn', 'Arab', 'Hans'][i % 3]); l.maximize().minimize().toString(); l.getTimeZones?.(); l.getCalendars?.(); }",
  "values listed":
    "for (;;) for (const k of ['calendar', 'collation', 'currency', 'numberingSystem', 'timeZone', 'unit']) Intl.supportedValuesOf(k)",
  "dates parsed": `${warm}const t = ['2020-01-01T00:00:00.' + '0'.repeat(1e6) + 'Z', 'Jan ' + ' '.repeat(1e6) + '1 2020', '(('.repeat(5e5), 'x'.repeat(1e6), '1/'.repeat(5e5)]; for (let i = 0; ; i++) Date.parse(t[i % t.length])`,
  "dates set": `${warm}const d = new Date(0); for (let i = 0; ; i++) { d.setMonth(i * 1e9); d.setFullYear(275760); d.toLocaleDateString('fa-u-ca-persian'); d.setTime(i); }`,

  // JSON and clones.
  "a reviver that grows":
    "JSON.parse('[1,2,3]', function (k, v) { if (Array.isArray(this)) this.push([1]); return v; })",
  "a reviver that replaces itself":
    "JSON.parse('{\"a\":1,\"b\":2}', function (k, v) { if (k === 'a') this.b = this; return v; })",
  "a reviver of a long list": "JSON.parse('[' + '1,'.repeat(1e6) + '1]', (k, v) => v)",
  "a reviver that nests":
    "JSON.parse('[[1],[2]]', function (k, v) { if (k === '0') this[1] = [[[1]], [[2]]]; return [v]; })",
  "a replacer that nests": "JSON.stringify({ a: 1 }, (k, v) => ({ a: 1 }))",
  "a replacer of many keys":
    "const keys = Array.from({ length: 1e5 }, (_, i) => 'k' + i), o = { k1: 1 }; for (;;) JSON.stringify([o, o, o, o], keys)",
  "indents of deep data":
    "let o = {}; for (let i = 0; i < 900; i++) o = { a: o, b: 1 }; for (;;) JSON.stringify(o, null, 10)",
  "texts of shared data": "let o = [1]; for (let i = 0; i < 40; i++) o = [o, o]; JSON.stringify(o)",
  "texts of escapes": `${warm}const s = '\\u0001\\ud800'.repeat(1e6); for (;;) JSON.stringify(s)`,
  "parsed again and again":
    "const s = JSON.stringify(Array.from({ length: 1e4 }, (_, i) => ({ i, s: 'x' + i }))); for (;;) JSON.parse(s)",
  "parsed wide":
    "const s = '{' + Array.from({ length: 1e5 }, (_, i) => '\"k' + i + '\":' + i).join() + '}'; for (;;) JSON.parse(s)",
  "parsed keys that are numbers":
    "const s = '{' + Array.from({ length: 1e5 }, (_, i) => '\"' + (i * 7919 % 4294967291) + '\":1').join() + '}'; for (;;) JSON.parse(s)",
  "parsed deep": "const s = '{\"a\":'.repeat(3e4) + '1' + '}'.repeat(3e4); for (;;) try { JSON.parse(s); } catch {}",
  "toJSON that recurs": "const o = { toJSON: () => [o] }; JSON.stringify(o)",
  "clones of shared data":
    "let o = [1]; for (let i = 0; i < 1e4; i++) o = [o, o]; for (;;) try { structuredClone(o); } catch {}",
  "clones of wide data":
    "const o = {}; for (let i = 0; i < 1e5; i++) o['k' + i] = new Map([[i, new Date(i)]]); for (;;) structuredClone(o)",
  "clones of buffers": "const a = new Uint8Array(3e7); for (;;) structuredClone([a, a.subarray(1)])",
  "clones with getters": "const o = { get a() { return structuredClone(o); } }; structuredClone(o)",
  "clones of errors":
    "let e = new Error('x'); for (let i = 0; i < 500; i++) e = new Error('y'.repeat(1e4), { cause: e }); for (;;) structuredClone(e)",

  // Objects whose data the host keeps outside its heap.
  "segments kept": "const s = new Intl.Segmenter(); const all = []; for (;;) all.push(s.segment('abc'))",
  "iterators of segments kept":
    "const s = new Intl.Segmenter().segment('abc'); const all = []; for (;;) all.push(s[Symbol.iterator]())",
  "buffers that grow":
    "const all = []; for (;;) { const b = new ArrayBuffer(8, { maxByteLength: 1e6 }); b.resize(1e6); new Uint8Array(b).fill(1); all.push(b) }",
  "decoders kept": "const all = []; for (;;) all.push(new TextDecoder('utf-16le'))",

  // Promises.
  "a flood of promises":
    "const all = []; for (let i = 0; i < 2e6; i++) all.push(new Promise((r) => r(i))); await Promise.all(all)",
  "a flood of reactions":
    "let r; const p = new Promise((resolve) => (r = resolve)); for (let i = 0; i < 3e6; i++) p.then((x) => x); r(1); await p",
  "a chain of promises": "let p = Promise.resolve(); for (let i = 0; i < 2e6; i++) p = p.then(() => i); await p",
  "promises in promises":
    "let p = Promise.resolve(1); for (let i = 0; i < 1e6; i++) { const q = p; p = new Promise((r) => r(q)); } await p",
  "races that nobody wins": "const never = new Promise(() => {}); for (;;) Promise.race([never, never, never])",
  "any of many rejections":
    "for (;;) await Promise.any(Array.from({ length: 1e4 }, () => Promise.reject(new Error('x')))).catch(() => 1)",
  "rejections that nobody handles": "for (;;) { Promise.reject(new Error('x'.repeat(1e3))); await null; }",
  "one rejection for many": "const p = Promise.reject(1); for (let i = 0; i < 1e6; i++) p.finally(() => {}); 1",
  "async generators without end":
    "async function* g() { for (;;) yield Promise.resolve(1); } for await (const x of g());",
  "async generators asked ahead": "async function* g() { for (;;) yield 1; } const it = g(); for (;;) it.next()",
  "async generators that delegate": "async function* g(n) { yield n; yield* g(n + 1); } for await (const x of g(0));",
  "async recursion": "const f = async (n) => { await null; return f(n + 1); }; await f(0)",
  "async recursion at once": "const f = async (n) => f(n + 1); await f(0)",
  "async lists":
    "await Array.fromAsync({ [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: 'x'.repeat(100) }) }) })",
  "thenables that return thenables": "const t = () => ({ then: (r) => r(t()) }); await t()",
  "thenables with getters": "const t = { get then() { return (r) => r(t); } }; await Promise.all([t, t, t])",
  "jobs only": "const f = () => Promise.resolve().then(f).then(f); f(); f(); await new Promise(() => {})",
  "timers in timers": "const f = () => { setTimeout(f); setTimeout(f); }; f(); await new Promise(() => {})",
  intervals:
    "for (let i = 0; i < 5e3; i++) setInterval(() => { for (let j = 0; j < 1e3; j++); }, 1); await new Promise(() => {})",
  "timers forgotten":
    "for (;;) { const all = []; for (let i = 0; i < 9e3; i++) all.push(setTimeout(() => {}, i)); for (const t of all) clearTimeout(t); }",
  microtasks: "const f = () => queueMicrotask(f); for (let i = 0; i < 1e5; i++) f(); await new Promise(() => {})",
  "calls that nobody awaits": "for (let i = 0; ; i++) echo({ i, s: 'x'.repeat(1e3) })",
  "calls without data": "for (;;) await echo()",
  "calls without data, some at a time": "for (;;) await Promise.all([echo(), echo(), echo(), echo(), echo()])",
  "calls with many numbers": "const a = Array(6e4).fill(1); for (;;) echo(...a)",
  "long labels of decoders":
    "const s = '\\u00df\\ufb03\\u03a3'.repeat(5e5); for (;;) try { new TextDecoder(s); } catch {}",
  "calls with escapes": "const s = '\\u0001'.repeat(1.5e7); for (;;) echo(s)",
  "calls and lines in turn": "for (;;) { console.log(1); await echo(1); }",
  "calls with what cannot be copied, at its end":
    "const a = Array(3e5).fill(1); a.push(() => 1); for (;;) try { await echo(a); } catch {}",
  "calls with wide data": "const o = {}; for (let i = 0; i < 1e5; i++) o['k' + i] = { i }; for (;;) await echo(o)",
  "calls with long lists": "const a = Array(1e6).fill(1); for (;;) await echo(a)",
  "calls with shared data": "let o = [1]; for (let i = 0; i < 22; i++) o = [o, o]; for (;;) await echo(o)",
  "calls with long bytes": "const b = new Uint8Array(3e7); for (;;) await echo(b)",
  "answers that are long": "finalAnswer(Array(5e6).fill(0))",
  "answers of escapes": "finalAnswer('\\u0001'.repeat(1e8))",
  "answers of characters that take two bytes": "finalAnswer('\\u4e2d'.repeat(1e8))",
  "answers of many texts": "finalAnswer(...Array(6e4).fill('x'.repeat(3e3)))",
  "answers of many promises": "finalAnswer(...Array.from({ length: 5e4 }, () => Promise.resolve(1)))",
  "a last value of escapes": "'\\u0001'.repeat(1e8)",
  "a last value of characters that take two bytes": "'\\u4e2d'.repeat(1e8)",
  "a long text kept and returned": ["var s = '\\u0001'.repeat(3e7); 1", "s", "s", "finalAnswer(s)"],
  "answers that are large": "finalAnswer(Array(2e6).fill({ a: 'x' }))",

  // Control flow and nesting.
  "labels and loops": `${warm}outer: for (;;) { inner: for (let i = 0; ; i++) { switch (i % 7) { case 3: continue inner; case 5: continue outer; } try { if (i % 2) continue inner; } finally { if (i > 10) continue outer; } } }`,
  "finally that goes on": "for (;;) { try { throw 1; } catch { continue; } finally { continue; } }",
  "errors thrown in finally":
    "const f = () => { try { f(); } finally { f(); } }; try { f(); } catch {} for (;;) try { f(); } catch {}",
  "recursion through natives": "const f = (n) => [n].map(f); f(1)",
  "recursion through sort": "const f = () => [2, 1].sort(f); f()",
  "recursion through replace": "const f = () => 'a'.replaceAll('a', f); f()",
  "recursion through JSON": "const f = () => JSON.parse('[1]', f); f()",
  "recursion through conversions": "const o = { [Symbol.toPrimitive]: () => `${o}` }; o + 1",
  "recursion through iterators": "const o = { [Symbol.iterator]: () => [...o] }; [...o]",
  "recursion through reduce of proxies":
    "const p = new Proxy([1], { get: (t, k) => (k === 'length' ? 5 : p.reduce((a) => a, 0)) }); p.reduce((a) => a)",
  "recursion through classes": "class A { constructor() { new this.constructor(); } x = 1; } new A()",
  "recursion through field initialisers": "class A { x = new A(); } new A()",
  "recursion through tags": "const f = (s) => f`${f}`; f``",
  "recursion through Reflect": "const f = function () { return Reflect.apply(f, null, arguments); }; f(1, 2)",
  "recursion through binds":
    "let f = () => 1; for (let i = 0; i < 3e4; i++) { const g = f; f = function () { return g.apply(this, arguments); }; } f()",
  "recursion with many arguments": "const f = (...a) => f(...a, ...a); f(1, 2, 3)",
  "calls with many arguments": `${warm}const a = Array(6e4).fill(1), f = (...rest) => rest.length; for (;;) f(...a)`,
  "apply with many arguments": `${warm}const a = { length: 6e4 }, f = function () { return arguments.length; }; for (;;) f.apply(null, a)`,
  "nested data that is deep": "let a = []; for (let i = 0; i < 1e6; i++) a = [a]; console.log(a); String(a)",
  "nested data compared":
    "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; for (;;) try { a.toString(); a.flat(Infinity); } catch {}",
  "switches of many cases": `${warm}const x = 'k'.repeat(1e6); for (;;) switch (x + 1) { case x: case x + 2: case 'k': break; default: }`,
  "code in texts":
    "for (;;) { try { eval('1'); } catch {} try { new Function('return 1')(); } catch {} try { (() => {}).constructor('x')(); } catch {} try { setTimeout('1', 1); } catch {} }",
  "imports in a loop": "for (;;) try { await import('x'.repeat(1e5)); } catch {}",
  "globals set": "for (let i = 0; ; i++) globalThis['v' + i] = i",
  "variables of many blocks": [
    "var all = []; for (let i = 0; i < 1e5; i++) all.push({ i }); 1",
    "all.push(...all); all.length",
    "all = all.map((x) => ({ ...x })); all.length",
    "all.length = 0; 1",
  ],
  "a kept list with holes below a proxy": [
    "var a = new Array(2e5); Object.setPrototypeOf(a, new Proxy([], new Proxy({}, { get() { for (;;); } }))); 1",
    ...Array.from({ length: 4 }, (_value, index) => `var kept${index} = Array(5e6).fill(7); 1`),
  ],
  "hashes of random bytes": `${warm}for (;;) { crypto.getRandomValues(new Uint8Array(65536)); crypto.randomUUID(); }`,
  "texts decoded": `${warm}const b = new Uint8Array(1e7).fill(0xe4), d = new TextDecoder(); for (;;) d.decode(b)`,
  "texts encoded into bytes": `${warm}const e = new TextEncoder(), b = new Uint8Array(3e7), s = '\\u4e2d'.repeat(1e7); for (;;) e.encodeInto(s, b)`,
  "pairs of searches sorted":
    "const p = new URLSearchParams(Array.from({ length: 2e5 }, (_, i) => ['k' + (i * 7919) % 2e5, 'v'])); for (;;) { p.sort(); p.toString(); [...p.keys()]; }",
  "addresses joined":
    "for (let i = 0; ; i++) new URL('?q=' + 'x'.repeat(1e5) + i, 'http://a.b/' + 'c/'.repeat(1e4)).href.length",
  "enumerations of typed arrays":
    "const a = new Uint8Array(1e6); for (;;) { for (const k in a) break; Object.keys(a); Object.entries(a); }",
};

const withPrivateNames = (code: string): string =>
  code.replace("${names}", Array.from({ length: 3e4 }, (_value, index) => `#p${index} = ${index};`).join(" "));

// Programs for a sandbox with little memory. The copies that the host makes are large compared to
// that memory.
const programsInLittleMemory: { readonly [name: string]: string } = {
  "a String object kept": "const s = Object('x'.repeat(1e6)); for (;;);",
  "a text of empty objects parsed": "const s = '[' + '{},[],'.repeat(1e6) + '0]'; for (;;) JSON.parse(s)",
  "long texts formatted as a list":
    "const f = new Intl.ListFormat('zh', { type: 'unit' }); let s = 'x'; for (;;) { s = f.format([s, s]); if (s.length > 1e7) s = 'x'; }",
};

/** All unusual programs. */
export const unusualPrograms: readonly Program[] = [
  ...Object.entries(programs).map(([id, code]) => ({
    id,
    blocks: [code].flat().map((text) => ({ code: withPrivateNames(text) })),
    limits,
  })),
  ...Object.entries(programsInLittleMemory).map(([id, code]) => ({ id, blocks: [{ code }], limits: littleMemory })),
];
