// Generates programs that call each built-in function of a realm with hostile arguments: once, and
// in a loop that the engine has already optimised.

import { openSandbox } from "@smolts/interpreter";
import type { Block, Program } from "./program.ts";

/** The limits of a block. They are small because there are tens of thousands of blocks. */
const callLimits = { guestTimeMs: 300, operations: 3_000_000 };

/**
 * Code that makes long, deep, wide or strange values, by name. If the code runs twice, it makes two
 * equal values that are separate objects in memory.
 */
const hostileValues: { readonly [name: string]: string } = {
  longText: '"x".repeat(4e6) + "a"',
  longDigits: '"9".repeat(2e6) + "9"',
  wideText: '"\\u4e2d\\u6587".repeat(1e6) + "a"',
  marks: '"a" + "\\u0301\\u0316".repeat(1e5)',
  separateMarks: '("a" + "\\u0315\\u0300".repeat(400)).repeat(500)',
  sharpS: '"\\u00df\\ufb03\\u03a3".repeat(5e5)',
  spaces: '" ".repeat(4e6) + "a"',
  brackets: '"[({".repeat(5e5)',
  json: '"[" + "1,".repeat(1e6) + "1]"',
  url: '"http://" + "\\u4e2d".repeat(3e4) + "/" + "a/../".repeat(1e5)',
  query: '"a=1&".repeat(2e5)',
  tag: '"en-x-" + "abcdefgh-".repeat(1e4) + "a"',
  rope: '(() => { let s = ""; for (let i = 0; i < 2e4; i++) s += "ab" + i; return s; })()',
  denseArray: "Array(1e6).fill(0)",
  textArray: 'Array(2e5).fill("abcdef")',
  sparseArray: "(() => { const a = []; a[4e9] = 1; a[7] = 2; return a; })()",
  holeyArray: "new Array(1e6)",
  arrayLike: "({ length: 2 ** 53 - 1, 5: 1 })",
  longTexts: 'Array.from({ length: 300 }, (_, i) => "y".repeat(20000) + i)',
  bytes: "new Uint8Array(2e7)",
  floats: "new Float64Array(2e6)",
  buffer: "new ArrayBuffer(5e7)",
  bigint: "(1n << 4000000n) + 1n",
  negativeBigint: "-((1n << 3000000n) - 1n)",
  largeNumber: "2 ** 53 - 1",
  length: "33554400",
  tiny: "5e-324",
  wideObject: '(() => { const o = {}; for (let i = 0; i < 1e5; i++) o["k" + i] = i; return o; })()',
  deepObject: "(() => { let o = {}; for (let i = 0; i < 2e4; i++) o = { o }; return o; })()",
  sharedObject: "(() => { let o = [1]; for (let i = 0; i < 40; i++) o = [o, o]; return o; })()",
  chain: "(() => { let o = {}; try { for (let i = 0; i < 1e5; i++) o = Object.create(o); } catch {} return o; })()",
  proxy: "new Proxy(Array(1e5).fill(0), {})",
  lyingProxy:
    'new Proxy({}, { get: (_, key) => (key === "length" ? 2 ** 32 : 1), has: () => true, ownKeys: () => Array.from({ length: 1e4 }, (_, i) => "k" + i), getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) })',
  proxyChain: "(() => { let p = {}; for (let i = 0; i < 500; i++) p = new Proxy(p, {}); return p; })()",
  accessors:
    '({ get length() { return 1e9; }, get 0() { return "x".repeat(1e6); }, toString: () => "z".repeat(1e6), valueOf: () => 1e9 })',
  endlessIterable: "({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) })",
  map: "new Map(Array.from({ length: 1e5 }, (_, i) => [i, i]))",
  set: "new Set(Array.from({ length: 1e5 }, (_, i) => i))",
  regExp: 'new RegExp("(a+)+".repeat(50) + "b", "g")',
  date: "new Date(8.64e15)",
  callback: "(a) => a",
  slowCallback: '() => "q".repeat(1e5)',
  bound: "(() => { let f = () => 1; for (let i = 0; i < 300; i++) f = f.bind(null, 1); return f; })()",
  generator: "(function* () { for (;;) yield 1; })()",
  promises: "Array.from({ length: 1e4 }, () => Promise.resolve(1))",
};

/** The objects on which methods are called, small and large, by the name of their class. */
const receivers: { readonly [name: string]: readonly string[] } = {
  Array: ["[3, 1, 2]", "Array(3e5).fill(1)"],
  String: ['"abc"', '"ab ".repeat(1e6)'],
  Number: ["1.5", "1e300"],
  BigInt: ["10n", "(1n << 2000000n) + 1n"],
  Symbol: ['Symbol("s")'],
  Boolean: ["true"],
  Function: ["(a) => a"],
  Object: ["({ a: 1 })"],
  Map: ["new Map([[1, 2]])", "new Map(Array.from({ length: 1e5 }, (_, i) => [i, i]))"],
  Set: ["new Set([1, 2])", "new Set(Array.from({ length: 1e5 }, (_, i) => i))"],
  WeakMap: ["new WeakMap()"],
  WeakSet: ["new WeakSet()"],
  WeakRef: ["new WeakRef({})"],
  Date: ["new Date(0)", "new Date(-8.64e15)"],
  RegExp: ["/a/g", 'new RegExp("a?".repeat(200) + "b", "g")'],
  Promise: ["Promise.resolve(1)"],
  Error: ['new Error("e")', 'new Error("e".repeat(2e6))'],
  URL: ['new URL("http://a/b?c=d#e")', 'new URL("http://a/" + "b/".repeat(3e5) + "?" + "c=d&".repeat(1e5))'],
  URLSearchParams: ['new URLSearchParams("a=1")', 'new URLSearchParams("a=1&".repeat(1e5))'],
  ArrayBuffer: ["new ArrayBuffer(8, { maxByteLength: 1e8 })", "new ArrayBuffer(5e7)"],
  DataView: ["new DataView(new ArrayBuffer(8))"],
  TypedArray: ["new Int8Array(4)", "new Float64Array(1e6)"],
  Uint8Array: ["new Uint8Array(4)", "new Uint8Array(1e7)"],
  Iterator: ["[1, 2].values()", "Array(1e6).fill(1).values()"],
  TextEncoder: ["new TextEncoder()"],
  TextDecoder: ["new TextDecoder()"],
  "Intl.DisplayNames": ['new Intl.DisplayNames("en", { type: "region" })'],
  "Intl.Locale": ['new Intl.Locale("en-US")'],
};

// Finds every built-in function that can be reached by names, and its path, such as
// `Array.prototype.map`.
const walk = `
  const paths = [];
  const seen = new Set();
  const roots = Object.getOwnPropertyNames(globalThis).filter((name) => !["globalThis", "global", "self", "window"].includes(name));
  const waiting = roots.map((name) => [name, globalThis[name]]);
  for (const path of [
    "Object.getPrototypeOf(Int8Array)", "Object.getPrototypeOf([].values())", "Object.getPrototypeOf(new Map().entries())",
    "Object.getPrototypeOf(new Set().values())", 'Object.getPrototypeOf(""[Symbol.iterator]())', "Object.getPrototypeOf(function* () {}).prototype",
    "Object.getPrototypeOf(async function* () {}).prototype", 'Object.getPrototypeOf("a".matchAll(/a/g))',
    'Object.getPrototypeOf(new Intl.Segmenter("en").segment("a"))', 'Object.getPrototypeOf(new Intl.Segmenter("en").segment("a")[Symbol.iterator]())',
    'new Intl.Collator("en").compare', 'new Intl.NumberFormat("en").format', 'new Intl.DateTimeFormat("en").format',
    "Object.getPrototypeOf(new URLSearchParams().entries())", "Object.getPrototypeOf([1].values().map((x) => x))",
  ]) waiting.push([path, undefined]);
  const evaluate = { EVALUATORS };
  while (waiting.length > 0) {
    let [path, value] = waiting.pop();
    if (value === undefined && evaluate[path]) { try { value = evaluate[path](); } catch { continue; } }
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) continue;
    seen.add(value);
    if (typeof value === "function") paths.push(path);
    for (const key of Reflect.ownKeys(value)) {
      const text = typeof key === "symbol" ? "[" + key.description + "]" : "." + key;
      if (typeof key === "string" && !/^[A-Za-z_$][\\w$]*$/.test(key)) continue;
      const { value: inner, get, set } = Object.getOwnPropertyDescriptor(value, key);
      const name = typeof key === "symbol" ? key.description : JSON.stringify(key);
      if (get && !seen.has(get)) { seen.add(get); paths.push("Object.getOwnPropertyDescriptor(" + path + ", " + name + ").get"); }
      if (set && !seen.has(set)) { seen.add(set); paths.push("Object.getOwnPropertyDescriptor(" + path + ", " + name + ").set"); }
      if (key !== "constructor") waiting.push([path + text, inner]);
    }
  }
  paths
`;

/** Returns a path, such as `Array.prototype.map`, for each built-in function of a realm. */
export async function builtInPaths(): Promise<readonly string[]> {
  const expressions = [...walk.matchAll(/^ +((?:"[^"\n]+"|'[^'\n]+'|, )+),$/gm)].flatMap(([, line = ""]) =>
    [...line.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, double, single]) => double ?? single ?? ""),
  );
  const evaluators = expressions.map((text) => `${JSON.stringify(text)}: () => ${text}`).join(", ");
  await using sandbox = await openSandbox();
  const result = await sandbox.run(walk.replace("EVALUATORS", evaluators));
  if (result.type !== "value") throw new Error(`the walk over the realm failed: ${result.error.message}`);
  return (result.value as string[]).toSorted();
}

// How many built-ins are called in one session with the same hostile value. Sharing the value saves
// time, because making it takes longer than most calls.
const pathsPerProgram = 40;

/**
 * Returns programs that call each built-in with each hostile value, once and in a hot loop. Each
 * call has its own block.
 */
export function callPrograms(paths: readonly string[]): readonly Program[] {
  return Object.entries(hostileValues).flatMap(([name, value]) =>
    chunks(paths).map((chunk) => ({
      id: `${name} ${chunk[0]} and others`,
      blocks: chunk.flatMap((path) => blocksFor(path, name, value)),
      limits: callLimits,
    })),
  );
}

const chunks = (paths: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(paths.length / pathsPerProgram) }, (_value, index) =>
    paths.slice(index * pathsPerProgram, (index + 1) * pathsPerProgram),
  );

// Matches the paths of built-ins that may change the object on which they are called, or their
// arguments.
const changing =
  /\.(?:copyWithin|fill|pop|push|reverse|shift|sort|splice|unshift|set\w*|delete\w*|clear|add|define\w*|freeze|seal|preventExtensions|assign|resize|transfer\w*|append|next|return|throw|exec|test|compile|raw)$|\.set$|__|\[/;

function blocksFor(path: string, name: string, value: string): readonly Block[] {
  const on = receiversFor(path);
  const setup = [`var h = ${value}; 1`, `var g = ${value}; 1`];
  const spoils = changing.test(path);
  return [
    { id: `${path} ${name} once`, setup, spoils, code: onceWith(path, on) },
    { id: `${path} ${name} loop`, setup, spoils, code: loopWith(path, on) },
  ];
}

/** A call of a built-in with a hostile value, as an endless loop. `setup` prepares the loop. */
export interface HostileCall {
  readonly path: string;
  readonly value: string;
  readonly setup: string;
  readonly loop: string;
}

/** Returns the calls of a built-in with each hostile value. */
export function hostileCalls(path: string): readonly HostileCall[] {
  const receiver = receiversFor(path).at(-1);
  return Object.entries(hostileValues).map(([name, value]) => ({
    path,
    value: name,
    setup: `const f = ${path}, h = ${value}, g = ${value}, r = ${receiver}; 1`,
    loop: "for (;;) { try { f.call(r, h, g); } catch {} try { f.call(h, g); } catch {} }",
  }));
}

function receiversFor(path: string): readonly string[] {
  const owner = /([A-Z]\w*(?:\.[A-Z]\w*)?)(?:\.prototype)/.exec(path)?.[1];
  if (owner && receivers[owner]) return receivers[owner];
  if (owner?.startsWith("Intl.")) return [`new ${owner}("en")`];
  if (path.includes("getPrototypeOf(Int8Array)")) return receivers["TypedArray"] as string[]; // defined above
  if (owner?.endsWith("Array")) return [`new ${owner}(4)`, `new ${owner}(1e6)`];
  if (owner?.endsWith("Error")) return receivers["Error"] as string[]; // defined above
  const made = /Object\.getPrototypeOf\((.+)\)(?:\.|,)/.exec(path)?.[1];
  return made ? [made] : ["undefined"];
}

function onceWith(path: string, on: readonly string[]): string {
  const calls = on.flatMap((receiver) => [
    `f.call(${receiver}, h)`,
    `f.call(${receiver}, h, g)`,
    `f.call(${receiver}, 1, h)`,
    `f.call(${receiver}, (a) => a, h)`,
  ]);
  const all = [...calls, "new f(h)", "new f(h, g)", "f.call(h)", "f.call(h, 1)", "f.call(h, g)"];
  return `{ const f = ${path};
for (const act of [${all.map((call) => `() => ${call}`).join(", ")}]) {
  try { const given = act(); if (given?.then) await Promise.race([given, null]); else if (given?.next) given.next(); } catch {}
} }
1`;
}

// Returns a program for the hard case: slow calls while the interpreter rarely checks the clock. So
// the program begins with an empty loop. Its operations are fast, so the interpreter checks the
// clock less and less often. Then the calls begin.
function loopWith(path: string, on: readonly string[]): string {
  return `{ const f = ${path}, r = ${on.at(-1)};
for (let i = 0; i < 2e4; i++);
for (let i = 0; i < 2e3; i++) {
  try { f.call(r, h, g); } catch {}
  try { f.call(h, g); } catch {}
  try { new f(h, g); } catch {}
} }
1`;
}
