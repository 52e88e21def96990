// Programs of the kinds that once blocked a process, filled its memory or crashed it.

import type { Program } from "./program.ts";

const limits = { guestTimeMs: 300 };
// Makes loops hot: the engine has compiled them, and checks the clock less often.
const warm = "for (let i = 0; i < 5e5; i++);\n";

/** Returns a program whose blocks run the same code after a first block. */
const blocksAfter = (first: string, code: string): readonly string[] => [
  first,
  ...Array.from({ length: 7 }, () => code),
];

const programs: { readonly [name: string]: string | readonly string[] } = {
  "marks normalized": '("a" + "\\u0301".repeat(2e5) + "\\u0323".repeat(2e5)).normalize().length',
  "marks compared": '("a" + "\\u0301\\u0323".repeat(1e5)).localeCompare("a" + "\\u0323\\u0301".repeat(1e5))',
  "long texts compared": `${warm}const a = "x".repeat(3e7) + "a", b = "x".repeat(3e7) + "a"; let n = 0; for (let i = 0; i < 1e6; i++) n += a === b; n`,
  "long texts ordered": `${warm}const a = "x".repeat(2e7) + "a", b = "x".repeat(2e7) + "b"; let n = 0; for (let i = 0; i < 1e6; i++) n += a < b; n`,
  "long texts in a switch": `${warm}const a = "x".repeat(2e7) + "a", b = "x".repeat(2e7) + "a"; let n = 0; for (let i = 0; i < 1e6; i++) switch (a) { case b: n++; } n`,
  "a text of digits and a bigint": 'const s = "9".repeat(3e7); let n = 0; for (let i = 0; i < 50; i++) n += s > 1n; n',
  "long texts as numbers": `${warm}const s = "7".repeat(1e7) + "x"; let n = 0; for (let i = 0; i < 1e6; i++) n += isNaN(+s); n`,
  "long keys read": `${warm}const s = "ab".repeat(3e6), o = {}; let n = 0; for (let i = 0; i < 1e6; i++) n += o[s.slice(i & 1023)] ? 1 : 0; n`,
  "long keys in a map": `${warm}const m = new Map(), s = "k".repeat(2e4); for (let i = 0; i < 1e5; i++) m.set(s + i, i); m.size`,
  "bigints in a set": `${warm}const s = new Set(); for (let i = 0n; i < 200000n; i++) s.add((i << 64n) + 1n); s.size`,
  "long names of methods": `${warm}const k = "x".repeat(5e6); let n = 0; for (let i = 0; i < 300; i++) { const o = { [k + i]() {} }; n += o[k + i].name.length; } n`,
  "a host in another script":
    '"http://" + "\\u4e2d\\u6587".repeat(5e4) + "/"; URL.canParse("http://" + "\\u4e2d\\u6587".repeat(5e4) + "/")',
  "a long base": `${warm}const base = "http://a/" + "x".repeat(1e7); let n = 0; for (let i = 0; i < 1e5; i++) n += URL.canParse("", base); n`,
  "parameters of one name": 'const p = new URLSearchParams("a=1&".repeat(3e5)); p.set("a", "2"); p.size',
  "many locales": 'Intl.getCanonicalLocales(Array.from({ length: 1e5 }, (_, i) => "en-x-a" + i)).length',
  formatters:
    'let n = 0; for (const z of Intl.supportedValuesOf("timeZone")) n += new Date(0).toLocaleString("en", { timeZone: z }).length; n',
  "formatters of all zones, again and again":
    'let n = 0; const z = Intl.supportedValuesOf("timeZone"); for (let i = 0; i < 1e5; i++) n += new Date(i * 1e9).toLocaleString("en", { timeZone: z[i % z.length], timeZoneName: "long" }).length; n',
  "formatters of all calendars and zones":
    'const z = Intl.supportedValuesOf("timeZone"), c = Intl.supportedValuesOf("calendar"); for (let i = 0; ; i++) new Date(i * 1e9).toLocaleString("en", { timeZone: z[i % z.length], calendar: c[Math.floor(i / z.length) % c.length] })',
  "a chain of prototypes": `let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); o.x`,
  "a chain of prototypes made from its top":
    "const all = [{}]; for (let i = 0; i < 1e5; i++) { const next = {}; Object.setPrototypeOf(all.at(-1), next); all.push(next); } all[0].x",
  "a chain of classes": "let C = class {}; for (let i = 0; i < 1e5; i++) C = class extends C {}; new C()",
  "elements moved": `${warm}const a = Array(2e6).fill(0); for (let i = 0; i < 1e6; i++) { a.unshift(1); a.shift(); } a.length`,
  "a text joined and read": `${warm}let s = "x".repeat(1e6), n = 0; for (let i = 0; i < 1e6; i++) n += (s + i).charCodeAt(5); n`,
  "keys of an array": `${warm}const a = Array(3e6).fill(0); let n = 0; for (let i = 0; i < 100; i++) for (const k in a) { n++; break; } n`,
  "keys of a table":
    'const o = {}; for (let i = 0; i < 2e5; i++) o["k" + i] = i; let n = 0; for (let i = 0; i < 1e4; i++) n += Object.keys(o).length; n',
  "lengths behind proxies": "for (const p of Array.from({ length: 40 }, () => new Proxy([], {}))) p.length = 33554400",
  "a text of numbers parsed": 'const rows = JSON.parse("[" + "1,".repeat(6e6) + "1]"); rows.length',
  "arrays kept": "const k = []; for (;;) k.push(Array(1e6).fill(0))",
  "a table that grows": 'const m = {}; for (let i = 0; ; i++) m["k" + i] = i',
  "a map that grows": "const m = new Map(); for (let i = 0; ; i++) m.set(i, i)",
  "a text split": 'const k = []; for (;;) k.push(("x".repeat(1e7) + k.length).split("").length)',
  "bigints kept":
    "const big = (1n << 16777000n) - 1n, keep = []; for (let i = 0; i < 3000; i++) keep.push(BigInt.asUintN(16000000, big)); keep.length",
  "variables kept": [
    "var a = []; for (let j = 0; j < 4; j++) a.push(Array(2000000).fill(0)); a.length",
    "1 + 1",
    "a = null; 1 + 2",
  ],
  // Memory that grows over several blocks of one session.
  "objects kept by each block": blocksAfter("var a = []; 0", "for (let i = 0; ; i++) a.push({ i, text: 't' + i })"),
  "dates kept by each block": blocksAfter("var a = []; 0", "for (let i = 0; ; i++) a.push(new Date(i * 1e7))"),
  "texts joined by each block": blocksAfter(
    "var a = []; 0",
    "for (;;) { let s = ''; for (let i = 0; i < 2e4; i++) s += 'ab' + i; a.push(s) }",
  ),
  "pieces of long texts kept by each block": blocksAfter(
    "var a = []; 0",
    "for (let i = 0; ; i++) a.push(('\\u2603' + i + 'x'.repeat(4e6)).slice(0, 20))",
  ),
  "a map filled by each block": blocksAfter(
    "var m = new Map(); 0",
    "for (let i = 0, n = m.size; i < 7e5; i++) m.set(n + i, 'v' + i)",
  ),
  "results of tools kept by each block": blocksAfter(
    "var a = []; 0",
    "for (let i = 0; ; i++) a.push(await echo('\\u2603' + i + 'x'.repeat(1e6)))",
  ),
  "garbage of stopped blocks": blocksAfter("0", "const k = []; for (;;) k.push(Array(1e5).fill(0))"),
  // Expensive work before any code runs: types that are parsed again and again, and very wide or
  // long code.
  "types guessed": "f<a>(1);".repeat(4e4),
  "arrow functions guessed": `let t: number = 1; ${"async<a>(b);".repeat(3e4)}`,
  "conditions guessed": `let t: number = 1; ${"(a?b:c);".repeat(4e4)}`,
  "members of types": `interface A { ${"a:b;".repeat(1e5)} }`,
  "tagged templates in a row": `const f = () => f; f${"``".repeat(2e5)}`,
  "methods of one class": `class A { ${"m(){}".repeat(9e4)} }`,
  // Code and objects whose size is not visible in the number of operations.
  "long code in a loop": `${warm}const a = 1; for (;;) { ${"a,".repeat(5e3)}a; }`,
  "long parameters of a function": `${warm}const f = (${Array.from({ length: 3e3 }, (_value, index) => `p${index}`).join()}) => 1; for (;;) f();`,
  "long code in generators": `${warm}const a = 1; function* f() { yield 1; ${"a,".repeat(5e3)}a; } for (;;) [...f()];`,
  "a pattern of holes": `${warm}const a = [1]; for (;;) { const [${",".repeat(1e4)}] = a; }`,
  "keys that are symbols": `const o = {}; for (let i = 0; i < 1e5; i++) o[Symbol(i)] = 1; ${warm}for (;;) Object.keys(o)`,
  "keys of an array that are symbols": `const o = []; for (let i = 0; i < 3e4; i++) o[Symbol(i)] = 1; ${warm}for (;;) Object.keys(o)`,
  "many searches of a chain of prototypes": `let o = {}; for (let i = 0; i < 990; i++) o = Object.create(o); ${warm}for (;;) { ${"o[7];".repeat(90)} }`,
  "a name deleted and stored again and again": `const o = {}; for (let i = 0; i < 400; i++) o["k" + i] = i; ${warm}for (;;) { ${"delete o.k0; o.k0 = 1;".repeat(20)} }`,
  "the text of a static method": `class A { static${" ".repeat(3e5)}f() {} } ${warm}for (;;) A.f.toString()`,
  "stacks of errors behind many lines": `${"\n".repeat(3e5)}${warm}for (;;) new Error("x").stack`,
  "keys of a proxy":
    "Object.entries(new Proxy({}, { ownKeys: () => Array.from({ length: 5e5 }, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }))",
  "data handed over": 'const s = "x".repeat(1e6); for (let i = 0; i < 2300; i++) await echo(s + i); 1',
  "data handed over at once": 'const s = "x".repeat(1e6); for (let i = 0; i < 2300; i++) echo(s + i); 1',
};

/** All known programs. */
export const knownPrograms: readonly Program[] = Object.entries(programs).map(([id, code]) => ({
  id,
  blocks: [code].flat().map((text) => ({ code: text })),
  limits,
}));
